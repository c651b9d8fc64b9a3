import { expect, test } from 'vitest';
import type { Device } from '../../../../src/model/fleet/device.ts';
import type { IntentState, ObservedFact } from '../../../../src/model/ledger/memory.ts';
import { sightingKey } from '../../../../src/model/ledger/sightings.ts';
import { onlineAgain } from '../../../../src/plan/observe/observers.ts';
import {
  NOW,
  aDevice,
  aMemory,
  anIntent,
  aSnapshot,
  someDocuments,
} from '../../../support/plan-fleet.ts';

const MINUTE = 60_000;
const UNVERIFIED = anIntent('z', { verdict: 'unverified', settledAt: NOW - 60 * MINUTE });

/** What apply records of device `z` at this reading. */
function recorded(
  device: Partial<Device> = {},
  past: { intents?: readonly IntentState[]; seen?: Partial<ObservedFact> } = {},
) {
  const { intents = [UNVERIFIED], seen } = past;
  const at = { firstAt: NOW, lastAt: NOW, since: NOW, times: 1, value: 'once', ...seen };
  const key = sightingKey('onlineAgain', UNVERIFIED.id);
  const found = onlineAgain({
    documents: someDocuments(),
    snapshot: aSnapshot([aDevice('z', device)]),
    memory: aMemory(intents, seen ? { sightings: new Map([[key, at]]) } : {}),
    changes: { length: 0, [Symbol.iterator]: () => [][Symbol.iterator]() },
    now: NOW + MINUTE,
  });
  return [...found].map(({ subject, value, seenAt }) => [subject, value, seenAt]);
}

test('B8 the first reading online is recorded, dated by the reading', () => {
  expect(recorded()).toEqual([[UNVERIFIED.id, 'once', NOW]]);
});

test('B8 a second one is recorded ten minutes later, and not before', () => {
  expect(recorded({}, { seen: { firstAt: NOW - 10 * MINUTE } })).toEqual([
    [UNVERIFIED.id, 'twice', NOW],
  ]);
  expect(recorded({}, { seen: { firstAt: NOW - 10 * MINUTE + 1 } })).toEqual([]);
});

test('after two there is nothing more to record', () => {
  expect(recorded({}, { seen: { value: 'twice', firstAt: NOW - 60 * MINUTE } })).toEqual([]);
});

test.each([
  ['offline', { status: 'offline' }],
  ['partial', { status: 'partial' }],
  ['in maintenance', { maintenanceMode: true }],
  ['online, and not seen for an hour', { lastSeen: NOW - 60 * MINUTE }],
])('a device that reads %s is not up again', (_, device) => {
  expect(recorded(device)).toEqual([]);
});

const LATER = { settledAt: NOW - MINUTE, id: 'later' };
test.each([
  ['ended well', [anIntent('z')]],
  ['ended well later', [UNVERIFIED, anIntent('z', { ...LATER, verdict: 'done' })]],
  ['ended after the reading', [anIntent('z', { verdict: 'unverified', settledAt: NOW + 1 })]],
  ['is about a device that is gone', [anIntent('y', { verdict: 'unverified' })]],
])('nothing is recorded where the intent %s', (_, intents) => {
  expect(recorded({}, { intents })).toEqual([]);
});
