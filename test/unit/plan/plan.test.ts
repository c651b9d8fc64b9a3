import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import type { Device } from '../../../src/model/fleet/device.ts';
import type { Documents } from '../../../src/model/documents/policy.ts';
import { findAllClear } from '../../../src/model/report/all-clear.ts';
import { EXIT } from '../../../src/model/report/exit.ts';
import { situationOfPlan } from '../../../src/model/report/plan-situation.ts';
import { plan, type PlannerInput } from '../../../src/plan/plan.ts';
import { needs } from '../../support/needs.ts';
import { planLines } from '../../../src/plan/saved/save.ts';
import { policyDigest } from '../../../src/model/plan/policy-digest.ts';
import { INPUTS } from '../../support/plan-change.ts';
import {
  A_ROLLOUT,
  NOW,
  aDevice,
  aFirmwarePolicy,
  aMemory,
  aSnapshot,
  anIntent,
  anOpenIntent,
  entries,
  someDocuments,
} from '../../support/plan-fleet.ts';

const LTS = aFirmwarePolicy('lts', { rollout: 'one' });
const AT_TARGET = { firmwareVersion: '11.11.73' };
const FACTS = { targetFirmware: [{ version: '11.11.73', hops: ['11.11.73'] }] };

function input(devices: readonly Device[], sections: Partial<Documents> = {}): PlannerInput {
  return {
    documents: someDocuments({
      firmware: entries({ lts: LTS }),
      rollouts: entries({ one: A_ROLLOUT }),
      ...sections,
    }),
    snapshot: aSnapshot(devices, { facts: () => FACTS }),
    memory: aMemory(),
    now: NOW,
    dialect: resolveDialect(),
    inputs: INPUTS,
    expiresAfter: 86_400_000,
  };
}

test('it asks for the reads that decide, before any was made', () => {
  const wanted = needs(input([aDevice('a'), aDevice('b'), aDevice('c', { vendor: 'Bosch' })]));
  expect(wanted.map(({ read, deviceId }) => `${read} ${deviceId}`)).toEqual([
    'targetFirmware a',
    'targetFirmware b',
  ]);
  expect(new Set(wanted.map(({ key }) => key)).size).toBe(1);
});

test('it says when it was made and when it ends', () => {
  const made = plan(input([aDevice('a')])).plan;
  expect(made).toMatchObject({
    evaluatedAt: '2026-11-20T12:00:00Z',
    expiresAt: '2026-11-21T12:00:00Z',
    inputs: INPUTS,
  });
});

test('waves count what is wanted', () => {
  const devices = [
    aDevice('a'),
    aDevice('b', { status: 'offline' }),
    aDevice('c', { available: {} }),
  ];
  expect(plan(input(devices)).plan.waves).toEqual([
    { policy: 'firmware.lts', name: 'all', changes: 2 },
  ]);
});

test('K22 changes stand by task, priority, address and device', () => {
  const low = aFirmwarePolicy('a-low', { priority: 100, select: { name: ['low-*'] } });
  const twin = aFirmwarePolicy('b-twin', { select: { name: ['twin-*'] } });
  const lts = aFirmwarePolicy('lts', { select: { name: ['lts-*'] } });
  const names = ['low-1', 'twin-1', 'lts-2', 'lts-1'];
  const devices = names.map((name) => aDevice(name, { name, sites: [] }));
  const { changes } = plan(
    input(devices, { firmware: entries({ lts, 'a-low': low, 'b-twin': twin }) }),
  ).plan;
  expect([...changes].map(({ device }) => device.id)).toEqual([
    'twin-1',
    'lts-1',
    'lts-2',
    'low-1',
  ]);
});

test('notes count devices, and tell for each that it is in one', () => {
  const target = { firmwareVersion: '11.11.73' };
  const { plan: made, noted } = plan(
    input([aDevice('a', target), aDevice('b', target), aDevice('c')]),
  );
  expect(made.notes.map(({ count, reason }) => [count, reason.code])).toEqual([
    [2, 'alreadyConverged'],
  ]);
  expect(made.counts).toEqual({ run: 1, wait: 0, skip: 0, note: 2 });
  expect([noted('upgradeFirmware', 'a'), noted('upgradeFirmware', 'c')]).toEqual([
    'alreadyConverged',
    undefined,
  ]);
});

test('an intent in flight keeps its share of the rollout', () => {
  const devices = ['a', 'b', 'c'].map((id) => aDevice(id, { sites: [{ id }] }));
  const rollouts = entries({ one: { ...A_ROLLOUT, maxInFlight: 2 } });
  const { verdict: _verdict, settledAt: _settled, ...open } = anIntent('z');
  const memory = aMemory([{ ...open, phase: 'running' }]);
  const { counts } = plan({ ...input(devices, { rollouts }), memory }).plan;
  expect(counts).toMatchObject({ run: 1, wait: 2 });
});

test.each([
  ['of a device that is not returned', [aDevice('a', AT_TARGET)], ['z']],
  ['of a device that shows its target already', [aDevice('z', AT_TARGET)], ['z']],
  ['whose change is in the plan', [aDevice('z')], []],
])('M31 no plan is clear while a task runs %s', (_, devices, unlisted) => {
  const memory = aMemory([anOpenIntent('z')]);
  const made = plan({ ...input(devices), memory }).plan;
  expect(made.coverage?.open?.running ?? 0).toBe(unlisted.length);
  const { exit, next } = findAllClear(situationOfPlan(made));
  expect([exit, next]).toMatchObject([EXIT.workLeft, { is: 'follow', count: 1 }]);
});

test('M31 outcomes in doubt are counted once, whether a change shows them or holds for them', () => {
  const inDoubt = { phase: 'inDoubt', task: 'rotatePassword' } as const;
  const memory = aMemory([anOpenIntent('a', inDoubt), anOpenIntent('z', inDoubt)]);
  const made = plan({ ...input([aDevice('a')]), memory }).plan;
  expect(Array.from(made.changes, ({ reason }) => reason.code)).toEqual(['inDoubt']);
  const { exit, standing } = findAllClear(situationOfPlan(made));
  expect([exit, standing]).toMatchObject([EXIT.inDoubt, { is: 'doubt', count: 2 }]);
});

test('B9 law: whatever the fleet, what runs keeps every budget, and nothing is lost', () => {
  const device = record({
    site: integer({ min: 0, max: 3 }),
    status: constantFrom('online', 'online', 'online', 'offline', 'partial'),
    maintenanceMode: boolean(),
    firmwareVersion: constantFrom('11.8.61', '11.11.73'),
  });
  const limits = record({
    maxInFlight: integer({ min: 1, max: 6 }),
    share: integer({ min: 0, max: 100 }),
  });
  assert(
    property(array(device, { maxLength: 40 }), limits, (rows, { maxInFlight, share }) => {
      const devices = rows.map(({ site, ...fields }, index) =>
        aDevice(`dev-${index}`, { ...fields, sites: site === 0 ? [] : [{ id: `s${site}` }] }),
      );
      const budget = {
        per: 'site',
        maxUnavailable: { percent: share },
        treatPartialAs: 'unavailable',
        treatUnknownAs: 'unavailable',
      } as const;
      const { plan: made } = plan(
        input(devices, {
          rollouts: entries({ one: { ...A_ROLLOUT, maxInFlight } }),
          budgets: entries({ 'default-site': budget }),
        }),
      );
      const runs = new Set(
        [...made.changes].filter(({ action }) => action === 'run').map((each) => each.device.id),
      );
      expect(runs.size).toBeLessThanOrEqual(maxInFlight);
      for (const site of ['s1', 's2', 's3', undefined]) {
        const members = devices.filter(({ sites }) => sites[0]?.id === site);
        const down = members.filter(
          (each) => each.status !== 'online' || each.maintenanceMode === true,
        );
        const falls = members.filter((each) => runs.has(each.id) && !down.includes(each));
        const most = share === 0 ? 0 : Math.max(1, Math.floor((members.length * share) / 100));
        const allowed = site === undefined ? Math.min(1, most) : most;
        expect(falls.length === 0 || falls.length + down.length <= allowed).toBe(true);
      }
      expect(made.changes.length + made.counts.note).toBe(devices.length);
    }),
    { numRuns: 60 },
  );
});

test('the same input gives the same bytes', () => {
  const devices = Array.from({ length: 30 }, (_, index) => aDevice(`dev-${index}`));
  const once = [...planLines(plan(input(devices)).plan)];
  expect([...planLines(plan(input(devices.toReversed())).plan)]).toEqual(once);
});

test.each([
  ['on a device that shows its target', AT_TARGET],
  ['on a device with a change', {}],
])(
  'N86 a task in flight %s ends, so that its wave and its budgets let others start',
  (_, shown) => {
    const [all] = A_ROLLOUT.waves;
    const canary = { slice: { is: 'size', devices: 1 }, stratify: [], soak: 0 } as const;
    const waves = [{ ...canary, name: 'canary' }, ...(all ? [all] : [])];
    // One may be down, and be at work: what runs on the canary keeps the others by both as well.
    const documents = {
      rollouts: entries({ one: { ...A_ROLLOUT, waves, maxInFlight: 1 } }),
      budgets: entries({
        'default-site': {
          per: 'site',
          maxUnavailable: { count: 1 },
          treatPartialAs: 'available',
          treatUnknownAs: 'available',
        } as const,
      }),
    };
    const base = ['z', 'a', 'b'];
    const started = {
      targetDigest: policyDigest(LTS),
      seq: 1,
      startedAt: NOW - 120_000,
      base,
      devices: new Set(base),
      waves: [
        { name: 'canary', devices: 1 },
        { name: 'all', devices: 2 },
      ],
    };
    const memory = aMemory([anOpenIntent('z', { rollout: 1 })], {
      rollouts: new Map([['firmware.lts', started]]),
    });
    const devices = [aDevice('a'), aDevice('b'), aDevice('z', shown)];
    const [dates] = plan({ ...input(devices, documents), memory }).plan.dates ?? [];
    expect(dates?.blocked).toBeUndefined();
    expect(dates?.ends).toMatch(/^2026-11-20T/);
  },
);
