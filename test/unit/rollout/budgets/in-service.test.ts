import { expect, test } from 'vitest';
import type { Device } from '../../../../src/model/fleet/device.ts';
import type { Budget, Policy } from '../../../../src/model/documents/policy.ts';
import type { IntentState } from '../../../../src/model/ledger/memory.ts';
import { openBudgetTracker } from '../../../../src/rollout/budgets/budgets.ts';
import { leavesInService } from '../../../../src/rollout/budgets/in-service.ts';
import {
  NOW,
  aDevice,
  aFirmwarePolicy,
  aMemory,
  aRotationPolicy,
  aSnapshot,
  anIntent,
  anOpenIntent,
  entries,
  someDocuments,
} from '../../../support/plan-fleet.ts';

const UPGRADE = aFirmwarePolicy('lts');
const PASSWORDS = aRotationPolicy('passwords');
const SITE: Budget = { per: 'site', treatPartialAs: 'unavailable', treatUnknownAs: 'unavailable' };

interface Fleet {
  readonly devices: readonly Device[];
  readonly budget: Omit<Budget, 'per' | 'treatPartialAs' | 'treatUnknownAs'> & Partial<Budget>;
  readonly intents?: readonly IntentState[];
}

/** Asks for a start on a device, after these were given theirs. */
function ask({ devices, budget, intents }: Fleet) {
  const tracker = openBudgetTracker({
    documents: someDocuments({ budgets: entries({ 'default-site': { ...SITE, ...budget } }) }),
    snapshot: aSnapshot(devices),
    memory: aMemory(intents),
    now: NOW,
    members: () => () => true,
  });
  return (policy: Policy, deviceId: string) =>
    tracker.take({
      task: policy.task,
      policy,
      deviceId,
      rollout: { maxInFlight: Infinity },
      disruptive: true,
    });
}

const cameras = (count: number, fields: Partial<Device> = {}): Device[] =>
  Array.from({ length: count }, (_, n) => aDevice(`cam-${n + 1}`, fields));
const dark = (count: number): Device[] =>
  Array.from({ length: count }, (_, n) => aDevice(`dark-${n + 1}`, { status: 'offline' }));
const TWO = { maxUnavailable: { count: 2 } } as const;

test.each([
  ['camera', undefined, true],
  ['PTZ Camera', undefined, true],
  ['intercom', undefined, false],
  ['access control panel', undefined, false],
  [undefined, undefined, false],
  ['camera', false, false],
  ['intercom', true, true],
] as const)(
  'N43 A5 a rotation on a %s, written %s, leaves it in service: %s',
  (type, written, is) => {
    const policy = aRotationPolicy('p', written === undefined ? {} : { leavesInService: written });
    expect(leavesInService(policy, type)).toBe(is);
    expect(leavesInService(UPGRADE, 'camera')).toBe(false);
  },
);

test('N44 A1 with more down than the limit, passwords start and firmware does not', () => {
  const take = ask({ devices: [...cameras(3), ...dark(5)], budget: TWO });
  expect(take(UPGRADE, 'cam-1')).toMatchObject({ headroom: { limit: 2, down: 5 } });
  expect(take(PASSWORDS, 'cam-1')).toBeUndefined();
  expect(take(PASSWORDS, 'cam-2')).toBeUndefined();
  expect(take(PASSWORDS, 'cam-3')).toMatchObject({ headroom: { mostInHands: 2, inHands: 0 } });
});

test('N44 A2 what takes devices down waits for passwords in flight', () => {
  const intents = [
    anOpenIntent('cam-1', { task: 'rotatePassword' }),
    anOpenIntent('cam-2', { task: 'rotatePassword' }),
  ];
  const take = ask({ devices: cameras(4), budget: TWO, intents });
  expect(take(UPGRADE, 'cam-3')).toMatchObject({ headroom: { limit: 2, down: 2 } });
});

test('N44 A2 the passwords of the same plan count as down for the firmware behind them', () => {
  const take = ask({ devices: cameras(4), budget: TWO });
  take(PASSWORDS, 'cam-1');
  take(PASSWORDS, 'cam-2');
  expect(take(UPGRADE, 'cam-3')).toMatchObject({ headroom: { limit: 2, down: 0, given: 2 } });
});

test('N44 minAvailable counts what is up, for passwords too', () => {
  const take = ask({ devices: [...cameras(3), ...dark(5)], budget: { minAvailable: 3 } });
  expect(take(PASSWORDS, 'cam-1')).toMatchObject({ headroom: { limit: 5, down: 5 } });
});

test('N44 A6 ten percent of six rotates one at a time', () => {
  const fleet = { per: 'fleet', maxUnavailable: { percent: 10 } } as const;
  const take = ask({ devices: cameras(6), budget: fleet });
  expect(take(UPGRADE, 'cam-1')).toMatchObject({ blocked: 'never' });
  expect(take(PASSWORDS, 'cam-1')).toBeUndefined();
  expect(take(PASSWORDS, 'cam-2')).toMatchObject({ headroom: { mostInHands: 1 } });
});

test.each([{ count: 0 }, { percent: 0 }])('N44 A6 %o written starts nothing', (maxUnavailable) => {
  const take = ask({ devices: cameras(6), budget: { maxUnavailable } });
  expect(take(PASSWORDS, 'cam-1')).toMatchObject({ blocked: 'never' });
});

const LATER = NOW + 1;
test.each<[string, Partial<IntentState>, Partial<Device>, number]>([
  ['in doubt', { phase: 'inDoubt' }, {}, 1],
  ['unverified', { verdict: 'unverified' }, {}, 1],
  ['failed and offline since', { verdict: 'failed' }, { status: 'offline' }, 1],
  ['failed and in maintenance', { verdict: 'aborted' }, { maintenanceMode: true }, 1],
  ['failed after it was read', { verdict: 'failed', settledAt: LATER }, {}, 1],
  ['failed and online again', { verdict: 'failed' }, {}, 0],
  ['of unknown end and offline', { verdict: 'unknown' }, { status: 'offline' }, 1],
  ['done and offline', { verdict: 'done' }, { status: 'offline' }, 0],
  ['not done and offline', { verdict: 'notDone' }, { status: 'offline' }, 0],
])('N45 A3 a device that is %s is in our hands: %o %o %i', (_, intent, fields, held) => {
  const { verdict: _verdict, settledAt: _at, ...open } = anIntent('cam-1', intent);
  const past = intent.phase === undefined ? anIntent('cam-1', intent) : open;
  const devices = [...cameras(1, fields), ...cameras(3).slice(1)];
  const one = { maxUnavailable: { count: 1 } };
  const refusal = ask({ devices, budget: one, intents: [past] })(PASSWORDS, 'cam-2');
  if (held === 0) expect(refusal).toBeUndefined();
  else expect(refusal).toMatchObject({ headroom: { mostInHands: 1, inHands: 1 } });
});
