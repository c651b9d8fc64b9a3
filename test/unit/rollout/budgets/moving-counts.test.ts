import { array, assert, constantFrom, nat, option, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { Layered } from '../../../../src/lib/layered.ts';
import type { Device } from '../../../../src/model/fleet/device.ts';
import type { ReadDevice } from '../../../../src/model/fleet/snapshot.ts';
import type { IntentState, Memory, ObservedFact } from '../../../../src/model/ledger/memory.ts';
import { sightingKey } from '../../../../src/model/ledger/sightings.ts';
import type { BudgetTracker } from '../../../../src/rollout/budgets/budget-tracker.ts';
import { openBudgetBook } from '../../../../src/rollout/budgets/budgets.ts';
import {
  NOW,
  aDevice,
  aFirmwarePolicy,
  aMemory,
  aSnapshot,
  anIntent,
} from '../../../support/plan-fleet.ts';
import { anAllow, documentsIn, membersOf } from '../../../support/rollout-book.ts';

const DEVICES = Array.from({ length: 12 }, (_, n) =>
  aDevice(`dev-${String(n).padStart(2, '0')}`, {
    deviceType: n % 4 === 0 ? 'intercom' : 'camera',
    sites: [{ id: `s${n % 3}` }],
    ...(n === 5 && { unreadable: ['sites'] }),
    ...(n % 5 === 0 && { status: 'offline' as const }),
  }),
);
const POLICY = aFirmwarePolicy('lts');
const FLEET = {
  documents: documentsIn({
    devices: DEVICES,
    budgets: {
      sites: {
        per: 'site',
        maxUnavailable: { percent: 40 },
        treatPartialAs: 'unavailable',
        treatUnknownAs: 'available',
      },
      cameras: {
        per: 'fleet',
        select: { deviceType: ['camera'] },
        maxUnavailable: { count: 4 },
        maxInFlight: 3,
        treatPartialAs: 'available',
        treatUnknownAs: 'unavailable',
      },
    },
    groups: { pair: { is: 'devices', devices: ['dev-01', 'dev-02'], redundancy: true } },
    exceptions: {
      more: anAllow(
        { allow: 'budget', budget: 'cameras', value: { count: 6 } },
        { deviceType: ['camera'] },
      ),
    },
  }),
  snapshot: aSnapshot(DEVICES),
  members: membersOf(DEVICES),
};

const device = constantFrom(0, 1, 2, 3, 4, 12).map((n) => `dev-${String(n).padStart(2, '0')}`);
const step = record({
  device,
  intent: option(
    constantFrom<Partial<IntentState>>(
      { phase: 'open' },
      { phase: 'running' },
      { phase: 'inDoubt' },
      { phase: 'none' },
      { phase: 'closed', verdict: 'done' },
      { phase: 'closed', verdict: 'failed' },
      { phase: 'closed', verdict: 'unverified' },
    ),
    { freq: 1 },
  ),
  policy: constantFrom('firmware.lts', 'firmware.other'),
  read: option(
    constantFrom<Partial<Device> | 'gone'>(
      { status: 'online' },
      { status: 'offline' },
      { status: 'partial' },
      { status: 'unknown' },
      { maintenanceMode: true },
      'gone',
    ),
  ),
  sighting: option(constantFrom('once', 'twice')),
  minutes: nat(50),
  taken: array(device, { maxLength: 4 }),
});

/** What a tracker says of every device, and of the fleet once some have taken their share. */
function answers(tracker: BudgetTracker, taken: readonly string[]): unknown {
  const request = (deviceId: string) =>
    ({
      task: 'upgradeFirmware',
      deviceId,
      policy: POLICY,
      rollout: { maxInFlight: 5 },
      disruptive: true,
    }) as const;
  const all = () =>
    [...DEVICES.map(({ id }) => id), 'dev-new'].map((id) => tracker.refuses(request(id)));
  return [all(), taken.map((id) => tracker.take(request(id))), all()];
}

test('budgets that moved with the ledger and the reads are those that are built anew', () => {
  assert(
    property(array(step, { minLength: 1, maxLength: 14 }), (steps) => {
      const book = openBudgetBook(FLEET);
      let intents = new Layered<IntentState>();
      let sightings = new Layered<ObservedFact>();
      const reads = new Map<string, ReadDevice>();
      let now = NOW;
      for (const { device, intent, policy, read, sighting, minutes, taken } of steps) {
        now += minutes * 60_000;
        if (intent) {
          const made = anIntent(device, { policy, settledAt: now, attemptedAt: now, ...intent });
          intents = intents.with(new Map([[made.id, made]]));
        }
        if (sighting !== null) {
          const subject = anIntent(device).id;
          const seen = { value: sighting, firstAt: NOW, lastAt: now, since: NOW, times: 2 };
          sightings = sightings.with(new Map([[sightingKey('onlineAgain', subject), seen]]));
        }
        if (read === 'gone') reads.delete(device);
        else if (read)
          reads.set(device, {
            device: aDevice(device, { sites: [{ id: 's1' }], lastSeen: now, ...read }),
            readAt: now,
          });
        const memory: Memory = aMemory([...intents.values()], { intents, sightings });
        const moment = { memory, now, reads };
        const moved = book.at({ ...moment, readAgain: read ? [device] : [] });
        expect(answers(moved, taken)).toEqual(answers(openBudgetBook(FLEET).at(moment), taken));
      }
    }),
    { numRuns: 150 },
  );
});

test('what one tracker has given out is not counted in the next', () => {
  const book = openBudgetBook(FLEET);
  const moment = { memory: aMemory(), now: NOW };
  const first = answers(book.at(moment), ['dev-01', 'dev-03', 'dev-06']);
  expect(answers(book.at(moment), ['dev-01', 'dev-03', 'dev-06'])).toEqual(first);
});

test('an exception ends while the book is in use', () => {
  const memory = aMemory();
  const taken = ['dev-01', 'dev-03', 'dev-06', 'dev-07', 'dev-09'];
  const book = openBudgetBook(FLEET);
  book.at({ memory, now: NOW });
  const later = { memory, now: NOW + 2 * 3_600_000 };
  expect(answers(book.at(later), taken)).toEqual(answers(openBudgetBook(FLEET).at(later), taken));
});

test('a sighting alone brings a device back that the ledger kept down', () => {
  const kept = anIntent('dev-01', { verdict: 'unverified', settledAt: NOW - 3_600_000 });
  const intents = new Layered<IntentState>(new Map([[kept.id, kept]]));
  const twice = { value: 'twice', firstAt: NOW - 1_800_000, lastAt: NOW, since: NOW, times: 2 };
  const before = aMemory([kept], { intents, sightings: new Layered() });
  const sightings = new Layered(new Map([[sightingKey('onlineAgain', kept.id), twice]]));
  const after = aMemory([kept], { intents, sightings });
  // The other member of a pair with redundancy may go down only while this one is up.
  const other = {
    task: 'upgradeFirmware',
    deviceId: 'dev-02',
    policy: POLICY,
    rollout: { maxInFlight: 5 },
    disruptive: true,
  } as const;
  const groups = {
    pair: { is: 'devices', devices: ['dev-01', 'dev-02'], redundancy: true },
  } as const;
  const book = openBudgetBook({ ...FLEET, documents: documentsIn({ devices: DEVICES, groups }) });
  const refused = (memory: Memory) => book.at({ memory, now: NOW }).refuses(other)?.scope;
  expect([refused(before), refused(after)]).toEqual(['redundancyGroup', undefined]);
});
