import { expect, test } from 'vitest';
import type { GuardrailVerdict } from '../../../src/model/plan/plan.ts';
import { parseInstant } from '../../../src/lib/time.ts';
import { fill } from '../../../src/render/words/phrase.ts';
import { limitSentences } from '../../../src/render/words/terms.ts';
import type { LiveFile } from '../../support/plan-live.ts';
import { make, type Scenario } from '../../support/plan-scenario.ts';

/** The worked numbers of what guardrails count, at the size of a real fleet. */
const NOW = '2026-11-20T12:00:00Z';
const ADOPTED = { 'adopted/rotations.passwords': { since: '300d' } } as const;
const HEAD = `service: {baseUrl: https://api.example.com, organization: acme}
rollouts: {one: {canary: none, waves: [{name: all, percent: 100%}]}}
windows: {saturdays: {timeZone: UTC, allow: [{days: [sat], from: "01:00", to: "05:00"}]}}
`;
const CAMERA = {
  vendor: 'Axis',
  model: 'P3265-V',
  type: 'camera',
  status: 'online',
  seen: '1m',
  firmware: '11.8.61',
  sites: ['Plant'],
  tasks: ['rotatePassword'],
} as const;

function rotation(fields: string): string {
  return `${HEAD}rotations:
  passwords: {task: rotatePassword, select: {deviceType: camera}, ${fields}, rollout: one, windows: saturdays}
`;
}

interface Night {
  readonly yaml: string;
  readonly devices: LiveFile['devices'];
  readonly sites?: readonly string[];
  readonly rest?: Partial<Scenario>;
}

async function judged({ yaml, devices, sites = ['Plant'], rest = {} }: Night) {
  const { planned } = await make({
    name: 'one night',
    folder: '',
    files: [{ path: 'fleet/fleet.yaml', text: yaml }],
    live: { sites, defaults: CAMERA, devices },
    now: parseInstant(NOW) ?? 0,
    past: [],
    seen: {},
    rollouts: {},
    errors: [],
    fallsDueWithinAnHour: false,
    ...rest,
  });
  const verdict = planned.plan.verdicts.find(({ limit }) => limit === 'maxPercentOfFleet');
  const ahead = planned.diagnostics.find(({ code }) => code === 'guardrailAhead');
  return { verdict: shown(verdict), ahead: ahead?.params, plan: planned.plan };
}

function shown(verdict: GuardrailVerdict | undefined) {
  const { number, allowed, passed, policies, waits } = verdict ?? {};
  return { number, allowed, passed, ...(policies && { policies }), ...(waits && { waits }) };
}

test('N48 E1 an adopted policy counts day by day, and a waiting upgrade in full', async () => {
  const yaml = `${rotation('maxAge: 90d')}firmware:
  bosch: {select: {vendor: Bosch}, version: "7.90", rollout: one, windows: saturdays}
`;
  const { verdict, plan } = await judged({
    yaml,
    devices: {
      'overdue-0001..1216': { passwordChanged: '400d' },
      'young-0001..2710': { passwordChanged: '1d' },
      'bosch-01..74': {
        vendor: 'Bosch',
        type: 'encoder',
        tasks: ['upgradeFirmware'],
        firmware: '7.80',
        approved: ['7.90'],
      },
    },
  });
  expect(plan.counts.wait).toBe(1216 + 74);
  // 1,216 over 90 days are 13 or 14 a day; by the hash of these devices, 13 today.
  expect(verdict).toEqual({ number: 13 + 74, allowed: 1200, passed: true });
});

test('N48 N52 E2 a generation raised on all is refused while its window is closed', async () => {
  const { verdict } = await judged({
    yaml: rotation('maxAge: 180d, generation: 2'),
    devices: { 'cam-0001..4000': { passwordChanged: '10d' } },
    rest: { seen: ADOPTED },
  });
  expect(verdict).toEqual({
    number: 4000,
    allowed: 1200,
    passed: false,
    policies: [{ policy: 'rotations.passwords', number: 4000, why: 'generationRaised' }],
    waits: { reason: 'windowClosed', number: 4000 },
  });
});

const MISTYPED = rotation('maxAge: 18d, headStart: 4d, spread: 2d');

test('N48 E3 a mistyped age is refused with all that are older', async () => {
  const { verdict } = await judged({
    yaml: MISTYPED,
    devices: {
      'old-0001..3910': { passwordChanged: '60d' },
      'young-01..90': { passwordChanged: '1d' },
    },
    rest: { seen: ADOPTED },
  });
  expect(verdict).toMatchObject({ number: 3910, allowed: 1200, passed: false });
});

test.each([
  [1, 300, true],
  [4, 1200, true],
  [5, 1500, false],
])(
  'N48 E4 a mistyped age does not pass in portions: run %i counts %i',
  async (run, number, passed) => {
    const ids = Array.from({ length: 3910 }, (_, n) => `old-${String(n + 1).padStart(4, '0')}`);
    const done = ids.slice(0, (run - 1) * 300);
    const read = ids.slice(done.length, done.length + 300);
    const unread = ids.slice(done.length + read.length);
    const devices = Object.fromEntries([
      ...done.map((id) => [id, { passwordChanged: '2h' }] as const),
      ...read.map((id) => [id, { passwordChanged: '60d' }] as const),
      ...unread.map((id) => [id, { unread: ['passwords'] as const }] as const),
      ['young-01..90', { passwordChanged: '1d' }] as const,
    ]);
    const past = done.map((device) => ({
      task: 'rotatePassword' as const,
      device,
      policy: 'rotations.passwords',
      target: 'old',
      generation: 1,
      verdict: 'done' as const,
      attempted: '2h',
      settled: '2h',
    }));
    const { verdict } = await judged({ yaml: MISTYPED, devices, rest: { seen: ADOPTED, past } });
    expect(verdict).toMatchObject({ number, allowed: 1200, passed });
  },
);

const WIDE = `${HEAD}firmware:
  axis: {select: {model: P3265-V}, version: "11.11.73", rollout: one, windows: anytime}
`;
const UPGRADABLE = { tasks: ['upgradeFirmware'], approved: ['11.11.73'] } as const;

test('N49 E5 firmware that nobody has read counts before the first device moves', async () => {
  const { verdict, plan } = await judged({
    yaml: WIDE,
    devices: {
      'cam-001..500': { ...UPGRADABLE, unread: ['targetFirmware'] },
      'other-0001..1000': { model: 'Q6135' },
    },
  });
  expect(plan.counts).toEqual({ run: 0, wait: 0, skip: 0, note: 500 });
  expect(verdict).toMatchObject({ number: 500, allowed: 450, passed: false });
});

test('N39 E6 the same in parts is refused when the sum passes the limit', async () => {
  const sizes = [30, 40, 40, 90, 120, 110, 20, 50];
  const sites = sizes.map((_, n) => `Site ${n + 1}`);
  const groups = sizes.map((size, n) => `s${n + 1}-001..${String(size).padStart(3, '0')}`);
  const idsOf = (n: number): readonly string[] =>
    Array.from(
      { length: sizes[n] ?? 0 },
      (_, index) => `s${n + 1}-${String(index + 1).padStart(3, '0')}`,
    );
  const devices = {
    ...Object.fromEntries(
      groups.map((ids, n) => [ids, { ...UPGRADABLE, sites: [sites[n] ?? ''] }]),
    ),
    'other-0001..1000': { model: 'Q6135', sites: [sites[0] ?? ''] },
  };
  const numbers: string[] = [];
  let last: GuardrailVerdict | undefined;
  for (const [n, site] of sites.entries()) {
    const before = sizes.flatMap((_, index) => (index < n ? idsOf(index) : []));
    const waves = { all: sizes.flatMap((_, index) => idsOf(index)) };
    const begun = { at: '1h', waves, weighed: before, inParts: before };
    const { verdict, plan } = await judged({
      yaml: WIDE,
      devices,
      sites,
      rest: { part: { site: [site] }, rollouts: n === 0 ? {} : { 'firmware.axis': begun } },
    });
    numbers.push(`${verdict.number}${verdict.passed ? '' : ' refused'}`);
    last = plan.verdicts.find(({ limit }) => limit === 'maxPercentOfFleet');
  }
  expect(numbers).toEqual(['30', '70', '110', '200', '320', '430', '450', '500 refused']);
  if (!last) throw new Error('no verdict');
  const { way, params } = limitSentences(last);
  expect(fill(way, params, String)).toMatch(
    /; the 450 of other parts count until a plan of the whole fleet passes$/u,
  );
  const { way: none, params: tooMany } = limitSentences({ ...last, allowed: 449 });
  expect(fill(none, tooMany, String)).not.toContain('parts');
});

/** 45 passwords fall due on each of the 60 days of the freeze. */
function frozenFleet(): LiveFile['devices'] {
  const start = parseInstant('2026-10-01T00:00:00Z') ?? 0;
  const devices: Record<string, { passwordChanged: string }> = {
    'young-0001..1300': { passwordChanged: '2026-11-19T00:00:00Z' },
  };
  for (let day = 0; day < 60; day += 1) {
    const due = start + day * 86_400_000 + 3_600_000;
    const changed = new Date(due - 90 * 86_400_000).toISOString().replace('.000Z', 'Z');
    devices[`day-${String(day).padStart(2, '0')}-01..45`] = { passwordChanged: changed };
  }
  return devices;
}

const FROZEN = `${rotation('maxAge: 180d, headStart: 90d, spread: 1h')}freezes:
  move: {from: "2026-10-01T00:00:00Z", to: "2026-11-30T00:00:00Z", hard: true, maxLength: 90d, reason: move, owner: ops, ticket: T-1}
`;

test('N51 G6 E7 a freeze counts nothing, and announces what its last day counts', async () => {
  const night = { yaml: FROZEN, devices: frozenFleet(), rest: { seen: ADOPTED } };
  const { verdict, ahead } = await judged(night);
  expect(verdict).toEqual({ number: 0, allowed: 1200, passed: true });
  expect(ahead).toMatchObject({
    number: 2700,
    allowed: 1200,
    day: '2026-11-30T00:00:00Z',
    policy: 'rotations.passwords',
  });
});

test('N49 E7 on the day that the freeze ends the plan is refused', async () => {
  const now = parseInstant('2026-11-29T12:00:00Z') ?? 0;
  const night = { yaml: FROZEN, devices: frozenFleet(), rest: { seen: ADOPTED, now } };
  const { verdict, ahead } = await judged(night);
  expect(verdict).toMatchObject({ number: 2700, allowed: 1200, passed: false });
  expect(ahead).toBeUndefined();
});
