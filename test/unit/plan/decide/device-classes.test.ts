import { array, assert, boolean, constantFrom, integer, property, record, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { loadTexts } from '../../../../src/config/load.ts';
import { desire } from '../../../../src/desired/desire.ts';
import type { Documents } from '../../../../src/model/documents/policy.ts';
import type { Device } from '../../../../src/model/fleet/device.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import type { Memory } from '../../../../src/model/ledger/memory.ts';
import type { ApprovedFirmware, Facts } from '../../../../src/model/fleet/snapshot.ts';
import { prepare } from '../../../../src/plan/decide/decision-input.ts';
import { openPlaces } from '../../../../src/plan/decide/device-places.ts';
import { openDeviceClasses } from '../../../../src/plan/decide/device-classes.ts';
import type { PlannerInput } from '../../../../src/plan/plan.ts';
import { plansInBothForms } from '../../../support/plan-forms.ts';
import { INPUTS } from '../../../support/plan-change.ts';
import { NOW, aDevice, aMemory, aSnapshot, anIntent } from '../../../support/plan-fleet.ts';

const DAY = 86_400_000;

/** Few kinds and many devices, so that devices are alike. */
const kind = record({
  model: constantFrom('M1', 'M2', 'M3', 'M4', undefined),
  firmwareVersion: constantFrom('11.8.61', '11.8.61', '11.11.73', 'beta', undefined),
  site: integer({ min: 0, max: 3 }),
  offered: constantFrom(true, true, true, false),
  lifeCycle: constantFrom('eos', undefined, undefined),
  unreadable: constantFrom('', '', '', '', 'lifeCycle', 'vendor', 'firmwareVersion'),
  answer: integer({ min: 0, max: 4 }),
});
const drawn = record({
  of: integer({ min: 0, max: 6 }),
  status: constantFrom('online', 'online', 'offline', 'partial', 'dormant', undefined),
  phase: constantFrom('closed', 'failed', 'running', ...Array.from({ length: 9 }, () => undefined)),
});
const FIELDS = [
  'model',
  'firmwareVersion',
  'site',
  'offered',
  'lifeCycle',
  'unreadable',
  'answer',
] as const;
/** Devices of one kind, and of others that differ from it in one field, as rows of a list. */
const fleet = record({
  first: kind,
  others: array(tuple(constantFrom(...FIELDS), kind), { minLength: 4, maxLength: 6 }),
  rows: array(drawn, { minLength: 12, maxLength: 24 }),
}).map(({ first, others, rows }) => {
  const kinds = [first, ...others.map(([field, other]) => ({ ...first, [field]: other[field] }))];
  return rows.map((row) => ({ ...first, ...kinds[row.of % kinds.length], ...row }));
});
const wanted = record({
  version: constantFrom('11.11.x', '11.11.73', 'approved'),
  deferral: constantFrom('', ', deferral: 3d'),
  windows: constantFrom('nights', 'anytime'),
  more: constantFrom(
    '',
    ', deadline: 10d',
    ', rollout: default',
    ', minVersion: "11.10.1"',
    ', order: [beta, "11.8.61", "11.11.73"]',
  ),
  /** With versions that cannot be compared, and fields that cannot be read (semantics M20). */
  select: constantFrom(
    '{vendor: Axis}',
    '{vendor: Axis, not: {name: "* dev-1*", firmwareVersion: "<5"}}',
    '{firmwareVersion: ">=11"}',
  ),
  excepted: constantFrom('{name: "* dev-3"}', '{name: "* dev-?", firmwareVersion: "<11.9"}'),
  exception: constantFrom(
    'hold',
    'exclude',
    'pin, version: "11.11.73"',
    'expedite',
    'allow, allow: {skipCanary: true}',
    'allow, allow: {gate: default/early}',
  ),
  frozen: constantFrom(
    'select: {model: M1}',
    'select: {name: "* dev-2"}',
    'select: {name: "* dev-?", firmwareVersion: ">11.9"}',
    'task: upgradeFirmware',
  ),
  isHard: boolean(),
  also: constantFrom('', '', 'hard: false', 'hard: true'),
  pause: constantFrom('', '', 'fleet', 'firmware.all', 'firmware.all/site=s1', 'fleet/model=M2'),
  isPauseEndless: boolean(),
});
type Drawn = Parameters<Parameters<typeof fleet.map>[0]>[0][number];
type Wanted = Parameters<Parameters<typeof wanted.map>[0]>[0];

/** Lists that several devices share, as the reads of one model do, and a list of its own for each other device. */
const SHARED: readonly Facts[] = [
  { targetFirmware: [{ version: '11.11.73', hops: ['11.11.73'] }] },
  { targetFirmware: [] },
  { targetFirmware: 'forbidden', sampled: { requests: 3, devices: 9 } },
  {},
];
const own = (): readonly ApprovedFirmware[] => [
  { version: '12.0.1', hops: ['11.11.73', '12.0.1'] },
];

function deviceOf(row: Drawn, at: number): Device {
  const {
    model: _model,
    firmwareVersion: _version,
    status: _status,
    ...rest
  } = aDevice(`dev-${at}`);
  return {
    ...rest,
    ...(row.model !== undefined && { model: row.model }),
    ...(row.firmwareVersion !== undefined && { firmwareVersion: row.firmwareVersion }),
    ...(row.lifeCycle !== undefined && { lifeCycle: row.lifeCycle }),
    ...(row.status !== undefined && { status: row.status }),
    ...(row.unreadable !== '' && { unreadable: [row.unreadable] }),
    sites: row.site === 0 ? [] : [{ id: `s${row.site}`, name: `Site ${row.site}` }],
    available: { ...rest.available, upgradeFirmware: row.offered },
  };
}

/** Windows by the clock of sites, of which some have none, and whatever keeps a device out of a class. */
function documentsOf(want: Wanted): Documents {
  const lines = [
    'service: {baseUrl: "https://service.test", organization: acme}',
    'sites: {Site 1: {timeZone: Europe/Berlin}, Site 2: {timeZone: America/Chicago}}',
    'windows: {nights: {allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}',
    'firmware:',
    `  all: {select: ${want.select}, version: "${want.version}", windows: ${want.windows}${want.deferral}${want.more}}`,
    '  some: {select: {model: M1}, version: "11.11.x", windows: anytime, priority: 10}',
    'rotations: {pw: {task: rotatePassword, select: {model: M2}, maxAge: 90d, windows: nights}}',
    'exceptions:',
    `  one: {type: ${want.exception}, task: upgradeFirmware, select: ${want.excepted}, ${ABOUT}}`,
    'freezes:',
    ...(want.also === ''
      ? []
      : [
          `  also: {from: "2026-11-19T00:00:00Z", to: "2026-11-28T00:00:00Z", ${want.also}, ${FROZEN}}`,
        ]),
    `  two: {from: "2026-11-20T00:00:00Z", to: "2026-11-21T00:00:00Z", hard: ${want.isHard}, ${want.frozen}, reason: r, owner: o, ticket: t}`,
  ];
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/a.yaml', text: lines.join('\n') }]);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (!documents || errors.length > 0) throw new Error(JSON.stringify(errors));
  return documents;
}

const FROZEN = 'task: upgradeFirmware, reason: r, owner: o, ticket: t';
const ABOUT = 'until: "2026-12-20T00:00:00Z", reason: r, owner: o, ticket: t';

/** Held by a person beside the freezes, with an end after theirs or without one. */
function pausesOf({ pause: scope, isPauseEndless }: Wanted): Pick<Memory, 'pauses'> {
  if (scope === '') return {};
  const until = isPauseEndless ? {} : { until: NOW + 12 * DAY };
  return { pauses: new Map([[scope, { scope, who: 'w', why: 'y', at: NOW - DAY, ...until }]]) };
}

/** Alike under a hard freeze, with an empty canary, or with a pause of all or of some that lasts longer (semantics K26). */
const FROZEN_ALIKE: [Drawn[], Wanted][] = (
  ['', 'firmware.all', 'firmware.all/site=s1'] as const
).map((pause) => [
  Array.from({ length: 12 }, (_, at): Drawn => ({
    model: 'M1',
    firmwareVersion: '11.8.61',
    site: at % 2,
    offered: true,
    lifeCycle: 'eos',
    unreadable: '',
    answer: 0,
    of: 0,
    status: 'online',
    phase: at < 6 ? 'closed' : undefined,
  })),
  {
    version: '11.11.x',
    deferral: ', deferral: 3d',
    windows: 'nights',
    more: '',
    select: '{vendor: Axis}',
    excepted: '{name: "* dev-3"}',
    exception: 'hold',
    frozen: 'task: upgradeFirmware',
    isHard: true,
    also: '',
    pause,
    isPauseEndless: pause === 'firmware.all',
  },
]);

/** Alike but for an exception or freeze that may select some of them (semantics M20). */
const UNCLEAR_ALIKE: [Drawn[], Wanted][] = (
  ['hold', 'allow, allow: {skipCanary: true}'] as const
).map((exception) => [
  Array.from({ length: 14 }, (): Drawn => ({
    model: 'M3',
    firmwareVersion: 'beta',
    site: 1,
    offered: true,
    lifeCycle: undefined,
    unreadable: '',
    answer: 0,
    of: 0,
    status: 'online',
    phase: undefined,
  })),
  {
    version: '11.11.73',
    deferral: '',
    windows: 'anytime',
    more: ', order: [beta, "11.8.61", "11.11.73"]',
    select: '{vendor: Axis}',
    excepted: '{name: "* dev-?", firmwareVersion: "<11.9"}',
    exception,
    frozen:
      exception === 'hold'
        ? 'select: {model: M1}'
        : 'select: {name: "* dev-?", firmwareVersion: ">11.9"}',
    isHard: true,
    also: '',
    pause: '',
    isPauseEndless: false,
  },
]);

test('law: whatever the fleet, the fast corner is the plain form', () => {
  const alike = { settled: 0, open: 0 };
  assert(
    property(fleet, wanted, (rows, want) => {
      const devices = rows.map(deviceOf);
      const answers = rows.map(({ answer }) => SHARED[answer] ?? { targetFirmware: own() });
      const facts = (id: string): Facts => answers[Number(id.slice(4))] ?? {};
      const intents = rows.flatMap(({ phase }, at) =>
        phase ? [anIntent(`dev-${at}`, { phase, attemptedAt: NOW - DAY })] : [],
      );
      const input: PlannerInput = {
        documents: documentsOf(want),
        snapshot: aSnapshot(devices, { facts }),
        memory: aMemory(intents, pausesOf(want)),
        now: NOW,
        dialect: resolveDialect(),
        inputs: INPUTS,
        expiresAfter: DAY,
      };
      const [fast, plain] = plansInBothForms(input);
      expect(fast).toEqual(plain);
      const { settled, open } = countRepeats(input);
      alike.settled += settled;
      alike.open += open;
    }),
    { numRuns: 25, examples: [...FROZEN_ALIKE, ...UNCLEAR_ALIKE] },
  );
  expect(alike.settled).toBeGreaterThan(20);
  expect(alike.open).toBeGreaterThan(10);
});

/** How many devices have a decision that another device of their class has too, settled by the first steps or not. */
function countRepeats(input: PlannerInput): { readonly settled: number; readonly open: number } {
  const prepared = prepare(input);
  const classes = openDeviceClasses(prepared);
  const placeOf = openPlaces(prepared);
  const found = [...desire(input).wants].flatMap((want) => {
    const known = classes.classOf(want);
    const place = known && placeOf(want, known);
    return known && place !== undefined ? [{ known, place }] : [];
  });
  const repeats = (all: typeof found): number => {
    const places = new Map<unknown, Set<number>>();
    for (const { known, place } of all)
      places.set(known, (places.get(known) ?? new Set()).add(place));
    return all.length - [...places.values()].reduce((sum, { size }) => sum + size, 0);
  };
  const settled = found.filter(({ known }) => known.settled);
  const open = found.filter(({ known }) => !known.settled);
  return { settled: repeats(settled), open: repeats(open) };
}
