import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { loadTexts } from '../../../../src/config/load.ts';
import { desire } from '../../../../src/desired/desire.ts';
import type { Documents } from '../../../../src/model/documents/policy.ts';
import type { Device } from '../../../../src/model/fleet/device.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import type { Facts } from '../../../../src/model/fleet/snapshot.ts';
import { prepare } from '../../../../src/plan/decide/decision-input.ts';
import { openDeviceClasses } from '../../../../src/plan/decide/device-classes.ts';
import { startJudging } from '../../../../src/plan/decide/judging.ts';
import type { PlannerInput } from '../../../../src/plan/plan.ts';
import { plansInBothForms } from '../../../support/plan-forms.ts';
import { INPUTS } from '../../../support/plan-change.ts';
import { NOW, aDevice, aMemory, aSnapshot, anIntent } from '../../../support/plan-fleet.ts';

const DAY = 86_400_000;

/** Ages around each limit: what is due, what falls due today, this month and later, and what lies in the future. */
const age = integer({ min: -1, max: 110 });
const row = record({
  model: constantFrom('M1', 'M2'),
  site: integer({ min: 0, max: 3 }),
  status: constantFrom('online', 'online', 'offline', undefined),
  offered: constantFrom(true, true, true, false),
  listedAge: constantFrom(undefined, undefined, 1, 40, 100),
  age,
  life: constantFrom(undefined, undefined, 30, 400),
  answer: constantFrom('dates', 'dates', 'dates', 'nothing', 'forbidden', 'unread'),
  rotated: constantFrom(undefined, undefined, 1, 20),
});
const wanted = record({
  due: constantFrom(
    'maxAge: 90d',
    'maxAge: 90d, headStart: 21d, spread: 14d',
    'maxAge: 90d, spread: 0s',
  ),
  generation: constantFrom(1, 1, 2),
  renewal: constantFrom('renewBefore: 30d', 'renewBefore: 33%'),
  windows: constantFrom('nights', 'anytime', 'monthly'),
  more: constantFrom('', ', rollout: default', ', expiryGuard: 10d', ', offlineGrace: 2d'),
  exception: constantFrom('hold', 'exclude', 'expedite'),
  incident: constantFrom('', '2026-11-20T08:00:00Z', '2026-11-21T00:00:00Z'),
  freeze: constantFrom(
    '',
    'hard: true',
    'hard: true, select: {model: M1}',
    'hard: false, select: {name: "* dev-2"}',
  ),
});
type Row = Parameters<Parameters<typeof row.map>[0]>[0];
type Wanted = Parameters<Parameters<typeof wanted.map>[0]>[0];

function deviceOf({ model, site, status, offered, listedAge }: Row, at: number): Device {
  const { status: _status, ...rest } = aDevice(`dev-${at}`);
  return {
    ...rest,
    model,
    ...(status !== undefined && { status }),
    ...(listedAge !== undefined && { passwordChangedAt: NOW - listedAge * DAY }),
    sites: site === 0 ? [] : [{ id: `s${site}`, name: `Site ${site}` }],
    available: { ...rest.available, rotatePassword: offered, rotateSslCertificate: offered },
  };
}

function factsOf({ answer, age: days, life }: Row): Facts {
  if (answer === 'unread') return {};
  if (answer === 'forbidden') return { passwords: answer, certificates: answer };
  const changedAt = NOW - days * DAY;
  const ends = life === undefined ? {} : { expiresAt: changedAt + life * DAY };
  const isDated = answer === 'dates';
  return {
    passwords: { marker: `m${days}`, ...(isDated && { changedAt, ...ends }) },
    certificates: isDated
      ? { fingerprint: `f${days}`, notBefore: changedAt, notAfter: changedAt + (life ?? 120) * DAY }
      : 'none',
  };
}

const ABOUT = 'reason: r, owner: o, ticket: t';

/** Windows by the clock of sites, of which some have no zone, and whatever keeps a device out of a class. */
function documentsOf(want: Wanted): Documents {
  const { due, generation, renewal, windows, more, exception, incident, freeze } = want;
  const isAged = more !== ', expiryGuard: 10d';
  const lines = [
    'service: {baseUrl: "https://service.test", organization: acme}',
    'sites: {Site 1: {timeZone: Europe/Berlin}, Site 2: {timeZone: America/Chicago}}',
    'windows:',
    '  nights: {allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}',
    '  monthly: {allow: [{cron: "0 1 1 * *", duration: 4h}]}',
    'rotations:',
    `  pw: {task: rotatePassword, select: {vendor: Axis}, ${due}, generation: ${generation}, windows: ${windows}${isAged ? more : ''}}`,
    `  other: {task: rotatePassword, select: {model: M1}, maxAge: 60d, windows: nights, priority: 10}`,
    `  cert: {task: rotateSslCertificate, select: {vendor: Axis}, ${renewal}, windows: ${windows}${isAged ? '' : more}}`,
    'exceptions:',
    `  one: {type: ${exception}, task: rotatePassword, select: {name: "* dev-3"}, until: "2026-12-20T00:00:00Z", ${ABOUT}}`,
    ...(freeze === ''
      ? []
      : [
          'freezes:',
          `  two: {from: "2026-11-20T00:00:00Z", to: "2026-12-01T00:00:00Z", ${freeze}, ${ABOUT}}`,
        ]),
    ...(incident !== ''
      ? [
          'incidents:',
          '  leak: {rotate: password, select: {site: Site 2}, since: "2026-11-18T00:00:00Z",',
          `    until: "${incident}", expect: 9, ${ABOUT}}`,
        ]
      : []),
  ];
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/a.yaml', text: lines.join('\n') }]);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (!documents || errors.length > 0) throw new Error(JSON.stringify(errors));
  return documents;
}

test('law: a rotation that is not due is decided as if by itself, whatever is due of others', () => {
  let repeated = 0;
  assert(
    property(array(row, { minLength: 16, maxLength: 30 }), wanted, (rows, want) => {
      const facts = (id: string): Facts => factsOf(rows[Number(id.slice(4))] as Row);
      const intents = rows.flatMap(({ rotated }, at) => {
        if (rotated === undefined) return [];
        const attemptedAt = NOW - rotated * DAY;
        const done = { attemptedAt, settledAt: attemptedAt, verdict: 'done' } as const;
        return [anIntent(`dev-${at}`, { task: 'rotatePassword', phase: 'closed', ...done })];
      });
      const input: PlannerInput = {
        documents: documentsOf(want),
        snapshot: aSnapshot(rows.map(deviceOf), { facts }),
        memory: aMemory(intents),
        now: NOW,
        dialect: resolveDialect(),
        inputs: INPUTS,
        expiresAfter: DAY,
      };
      const [fast, plain] = plansInBothForms(input);
      expect(fast).toEqual(plain);
      repeated += countQuiet(input);
    }),
    { numRuns: 40 },
  );
  expect(repeated).toBeGreaterThan(30);
});

/** How many devices share their decision with an earlier one of which nothing is due either. */
function countQuiet(input: PlannerInput): number {
  const prepared = prepare(input);
  const judging = startJudging(prepared, openDeviceClasses(prepared));
  const quiet = [...desire(input).wants].flatMap((want) => {
    const { deviceClass, isQuiet } = judging.of(want);
    return isQuiet ? [deviceClass] : [];
  });
  return quiet.length - new Set(quiet).size;
}
