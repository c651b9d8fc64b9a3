import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import type { Device } from '../../../../src/model/fleet/device.ts';
import type { IntentState } from '../../../../src/model/ledger/memory.ts';
import type { Budget } from '../../../../src/model/documents/policy.ts';
import type { BudgetInput, BudgetRefusal } from '../../../../src/rollout/budgets/budget-tracker.ts';
import { openBudgetTracker } from '../../../../src/rollout/budgets/budgets.ts';
import {
  A_ROLLOUT,
  NOW,
  aDevice,
  aFirmwarePolicy,
  aMemory,
  aSnapshot,
  anOpenIntent,
  entries,
  someDocuments,
} from '../../../support/plan-fleet.ts';

const HALF: Budget = {
  per: 'site',
  maxUnavailable: { percent: 50 },
  treatPartialAs: 'unavailable',
  treatUnknownAs: 'unavailable',
};
const POLICY = aFirmwarePolicy('lts', { rollout: 'standard' });

/** How many of the devices get a share, in order, and what refuses the first that does not. */
function handOut(
  devices: readonly Device[],
  input: Partial<BudgetInput> & {
    budgets?: Record<string, Budget>;
    intents?: readonly IntentState[];
  } = {},
): { readonly taken: readonly string[]; readonly refusal?: BudgetRefusal | undefined } {
  const book = openBudgetTracker({
    documents: someDocuments({ budgets: entries(input.budgets ?? {}) }),
    snapshot: aSnapshot(devices),
    memory: aMemory(input.intents),
    now: NOW,
    members: (selector) => (row) => devices[row]?.deviceType === selector.deviceType?.[0],
    ...input,
  });
  const wanted = { task: 'upgradeFirmware', policy: POLICY, disruptive: true } as const;
  const answers = devices.map(({ id }) => ({
    id,
    refusal: book.take({ ...wanted, deviceId: id, rollout: { maxInFlight: Infinity } }),
  }));
  return {
    taken: answers.filter(({ refusal }) => !refusal).map(({ id }) => id),
    refusal: answers.find(({ refusal }) => refusal)?.refusal,
  };
}

const cameras = (count: number, fields: Partial<Device> = {}): Device[] =>
  Array.from({ length: count }, (_, n) => aDevice(`dev-${String(n).padStart(4, '0')}`, fields));

test.each([
  [1, 1],
  [9, 1],
  [10, 1],
  [19, 1],
  [20, 2],
  [99, 9],
])(
  'the built-in site budget lets 10 %% of %i devices be down, rounded down, at least 1: %i',
  (count, down) => {
    const { taken, refusal } = handOut(cameras(count));
    expect(taken).toHaveLength(down);
    const full = { budget: 'default-site', scope: 'site' };
    if (count > down)
      expect(refusal).toMatchObject({ ...full, headroom: { limit: down, given: down } });
    else expect(refusal).toBeUndefined();
  },
);

test('the built-in fleet budget lets 50 actions be in flight', () => {
  const eachItsSite = cameras(60).map((device) => ({ ...device, sites: [{ id: device.id }] }));
  const { taken, refusal } = handOut(eachItsSite);
  expect(taken).toHaveLength(50);
  expect(refusal).toEqual({ budget: 'default-fleet', scope: 'fleet', headroom: { atOnce: 50 } });
});

test('B14 an entry of the same name replaces a built-in budget', () => {
  expect(handOut(cameras(10), { budgets: { 'default-site': HALF } }).taken).toHaveLength(5);
});

test('of several budgets the strictest wins', () => {
  const { taken, refusal } = handOut(cameras(40), { budgets: { half: HALF } });
  expect(taken).toHaveLength(4);
  expect(refusal?.budget).toBe('default-site');
});

test.each([
  ['before', 'a-never'],
  ['behind', 'z-never'],
])('what waiting does not mend is said first: a budget of none, %s a full one', (_, name) => {
  const full = { ...HALF, maxUnavailable: { count: 1 } };
  const none = {
    per: 'site',
    maxInFlight: 0,
    treatPartialAs: 'unavailable',
    treatUnknownAs: 'unavailable',
  } as const;
  const devices = cameras(3, { status: 'offline' });
  const up = aDevice('up');
  const { refusal } = handOut([up, ...devices], { budgets: { 'm-full': full, [name]: none } });
  expect(refusal).toEqual({ budget: name, scope: 'site', blocked: 'never' });
});

test('B12 a percent written 0 means none, at a site too', () => {
  expect(
    handOut(cameras(10), { budgets: { none: { ...HALF, maxUnavailable: { percent: 0 } } } }).taken,
  ).toEqual([]);
});

test('a percent of the fleet rounds down to none', () => {
  const budgets = { wide: { ...HALF, per: 'fleet', maxUnavailable: { percent: 10 } } } as const;
  expect(handOut(cameras(9), { budgets }).taken).toEqual([]);
});

test('minAvailable keeps that many up', () => {
  const budgets = {
    'default-site': {
      per: 'site',
      minAvailable: 7,
      treatPartialAs: 'unavailable',
      treatUnknownAs: 'unavailable',
    },
  } as const;
  expect(handOut(cameras(10), { budgets }).taken).toHaveLength(3);
});

test('a budget with a selector counts only what it selects', () => {
  const devices = [
    ...cameras(4),
    ...cameras(4, { deviceType: 'intercom' }).map((d, n) => ({ ...d, id: `x${n}` })),
  ];
  const budgets = {
    'default-site': { ...HALF, maxUnavailable: { percent: 100 } },
    intercoms: { ...HALF, select: { deviceType: ['intercom'] }, maxUnavailable: { count: 1 } },
  };
  expect(handOut(devices, { budgets }).taken).toEqual([...cameras(4).map(({ id }) => id), 'x0']);
});

test('B11 devices without a readable site form one set with at most one down', () => {
  const budgets = { 'default-site': { ...HALF, maxUnavailable: { percent: 100 } } };
  expect(handOut(cameras(20, { sites: [] }), { budgets }).taken).toHaveLength(1);
});

test('a device of two sites counts in both', () => {
  const both = aDevice('a', { sites: [{ id: 's1' }, { id: 's2' }] });
  const devices = [
    both,
    aDevice('b', { sites: [{ id: 's1' }] }),
    aDevice('c', { sites: [{ id: 's2' }] }),
  ];
  expect(handOut(devices).taken).toEqual(['a']);
});

test('a device that is down, by its reading or by the ledger, leaves no room for another', () => {
  const devices = [...cameras(9), aDevice('z', { status: 'offline' })];
  expect(handOut(devices).taken).toEqual(['z']);
  const held = [...cameras(9), aDevice('z')];
  expect(handOut(held, { intents: [anOpenIntent('z')] }).taken).toEqual(['z']);
});

test('B13 partial and unknown are up where the budget says so', () => {
  const up = { treatPartialAs: 'available', treatUnknownAs: 'available' } as const;
  const budgets = { 'default-site': { ...HALF, maxUnavailable: { count: 1 }, ...up } };
  const sick = [aDevice('y', { status: 'partial' }), aDevice('z', { status: 'unknown' })];
  expect(handOut([...cameras(2), ...sick], { budgets }).taken).toEqual(['dev-0000']);
});

test.each(['partial', 'unknown'])(
  'B13 %s counts as down unless the budget says otherwise',
  (status) => {
    const budgets = { 'default-site': { ...HALF, maxUnavailable: { count: 1 } } };
    expect(handOut([...cameras(2), aDevice('z', { status })], { budgets }).taken).toEqual(['z']);
  },
);

test('B7 a device that is down already is not counted twice', () => {
  const devices = [aDevice('a', { status: 'offline' }), ...cameras(9)];
  expect(handOut(devices).taken).toEqual(['a']);
});

test.each([
  ['offline and in maintenance mode', { status: 'offline', maintenanceMode: true }, []],
  ['offline and at work', { status: 'offline' }, [anOpenIntent('z')]],
  ['in maintenance mode and at work', { maintenanceMode: true }, [anOpenIntent('z')]],
])('B7 B13 a device that is down for two reasons, %s, counts once', (_, fields, intents) => {
  const budgets = { 'default-site': { ...HALF, maxUnavailable: { count: 2 } } };
  const devices = [aDevice('z', fields), ...cameras(3)];
  expect(handOut(devices, { budgets, intents }).taken).toEqual(['z', 'dev-0000']);
});

test('B6 two policies in parallel share a budget', () => {
  const devices = cameras(10);
  const book = openBudgetTracker({
    documents: someDocuments({ budgets: entries({ 'default-site': HALF }) }),
    snapshot: aSnapshot(devices),
    memory: aMemory(),
    now: NOW,
    members: () => () => true,
  });
  const policies = [POLICY, aFirmwarePolicy('other')];
  const taken = devices.filter(({ id }, n) => {
    const policy = policies[n % 2] ?? POLICY;
    const wanted = { task: 'upgradeFirmware', deviceId: id, policy, disruptive: true } as const;
    return book.take({ ...wanted, rollout: { maxInFlight: Infinity } }) === undefined;
  });
  expect(taken).toHaveLength(5);
});

test('B3 a later read replaces what the list said', () => {
  const devices = cameras(10);
  const device = aDevice('dev-0009', { status: 'offline' });
  const reads = new Map([[device.id, { device, readAt: NOW }]]);
  expect(handOut(devices, { reads }).taken).toEqual(['dev-0009']);
});

test('B6 who was up when it was read is up, however long ago that was', () => {
  const now = NOW + 3_600_000;
  expect(handOut(cameras(10), { now }).taken).toEqual(['dev-0000']);
  const device = aDevice('dev-0009', { lastSeen: NOW + 1_800_000 });
  const at = (readAt: number) => new Map([[device.id, { device, readAt }]]);
  expect(handOut(cameras(10), { now, reads: at(NOW + 1_860_000) }).taken).toEqual(['dev-0000']);
  expect(handOut(cameras(10), { now, reads: at(now) }).refusal?.headroom).toMatchObject({
    kinds: { unseen: 1 },
  });
});

test('the device tasks of a rollout that are not final count against its maxInFlight', () => {
  const devices = cameras(6).map((device) => ({ ...device, sites: [{ id: device.id }] }));
  const intents = [
    anOpenIntent('dev-0000'),
    anOpenIntent('dev-0001', { policy: 'firmware.other' }),
  ];
  const book = openBudgetTracker({
    documents: someDocuments(),
    snapshot: aSnapshot(devices),
    memory: aMemory(intents),
    now: NOW,
    members: () => () => true,
  });
  const rollout = { ...A_ROLLOUT, maxInFlight: 3 };
  const take = (deviceId: string) =>
    book.take({ task: 'upgradeFirmware', deviceId, policy: POLICY, rollout, disruptive: true });
  expect([take('dev-0002'), take('dev-0003')]).toEqual([undefined, undefined]);
  expect(take('dev-0004')).toMatchObject({ budget: 'standard', scope: 'rollout' });
});

test('onboarding takes nothing down and counts in flight in the fleet', () => {
  const budgets = {
    'default-fleet': {
      per: 'fleet',
      maxInFlight: 2,
      treatPartialAs: 'unavailable',
      treatUnknownAs: 'unavailable',
    },
  } as const;
  const book = openBudgetTracker({
    documents: someDocuments({ budgets: entries(budgets) }),
    snapshot: aSnapshot([]),
    memory: aMemory(),
    now: NOW,
    members: () => () => true,
  });
  const take = (deviceId: string) =>
    book.take({
      task: 'onboardDevice',
      deviceId,
      policy: POLICY,
      rollout: { maxInFlight: Infinity },
      disruptive: false,
    });
  expect([take('disc-1'), take('disc-2')]).toEqual([undefined, undefined]);
  expect(take('disc-3')).toMatchObject({ budget: 'default-fleet', scope: 'fleet' });
});

test('law: whatever the fleet, a budget is never exceeded by what was given out', () => {
  const device = record({
    site: integer({ min: 0, max: 4 }),
    status: constantFrom('online', 'online', 'online', 'offline', 'partial', 'unknown'),
    maintenanceMode: boolean(),
  });
  const percent = integer({ min: 0, max: 100 });
  assert(
    property(array(device, { maxLength: 60 }), percent, (rows, share) => {
      const devices = rows.map(({ site, status, maintenanceMode }, n) =>
        aDevice(`dev-${n}`, {
          sites: site === 0 ? [] : [{ id: `s${site}` }],
          status,
          maintenanceMode,
        }),
      );
      const budgets = { 'default-site': { ...HALF, maxUnavailable: { percent: share } } };
      const taken = new Set(handOut(devices, { budgets }).taken);
      for (const site of ['s1', 's2', 's3', 's4', undefined]) {
        const members = devices.filter(({ sites }) => sites[0]?.id === site);
        const isUp = ({ status, maintenanceMode }: Device) =>
          status === 'online' && maintenanceMode === false;
        const fellDown = members.filter((member) => isUp(member) && taken.has(member.id)).length;
        const wasDown = members.filter((member) => !isUp(member)).length;
        const allowed = share === 0 ? 0 : Math.max(1, Math.floor((members.length * share) / 100));
        const limit = site === undefined ? Math.min(1, allowed) : allowed;
        expect(fellDown === 0 || fellDown + wasDown <= limit).toBe(true);
      }
    }),
  );
});
