import { expect, test } from 'vitest';
import type { IntentState } from '../../../../src/model/ledger/memory.ts';
import { learnDurations } from '../../../../src/plan/decide/durations.ts';
import { aDevice, aMemory, anIntent, aSnapshot } from '../../../support/plan-fleet.ts';

const { model: _model, ...BARE } = aDevice('bare');
const SNAPSHOT = aSnapshot(
  [...Array.from({ length: 100 }, (_, n) => aDevice(`a-${n}`, { model: 'A' })), BARE],
  { discovered: [{ id: 'found', onboardingStatus: 'readyToOnboard', model: 'F' }] },
);

function durations(...intents: readonly IntentState[]) {
  return learnDurations({ memory: aMemory(intents), snapshot: SNAPSHOT });
}

const took = (device: string, seconds: number, more: Partial<IntentState> = {}) =>
  anIntent(device, { seconds, ...more });

test('W27 a learned duration is the one of 95 in 100, by task and by the model that the device has now', () => {
  const durationOf = durations(
    ...Array.from({ length: 100 }, (_, n) => took(`a-${n}`, n + 1)),
    took('bare', 7),
    took('gone', 9_000),
    took('found', 60, { task: 'onboardDevice' }),
  );
  expect(durationOf('upgradeFirmware', 'A')).toBe(95_000);
  expect(durationOf('upgradeFirmware', undefined)).toBe(7_000);
  expect(durationOf('onboardDevice', 'F')).toBe(60_000);
});

test('what is recorded of an attempt counts before what its device is now', () => {
  const durationOf = durations(took('a-1', 60, { model: 'B' }), took('gone', 70, { model: 'C' }));
  const times = ['A', 'B', 'C'].map((model) => durationOf('upgradeFirmware', model));
  expect(times).toEqual([undefined, 60_000, 70_000]);
});

test('nothing is known of another task, of another model, or by who is no longer there', () => {
  const durationOf = durations(took('a-1', 60), took('gone', 9_000), anIntent('bare'));
  expect(durationOf('restartDevice', 'A')).toBeUndefined();
  expect(durationOf('upgradeFirmware', 'B')).toBeUndefined();
  expect(durationOf('upgradeFirmware', undefined)).toBeUndefined();
});

test('every attempt counts that was settled, not the last one of an intent alone', () => {
  const earlier = [{ attemptId: 'run.0', attemptedAt: 0, seconds: 600 }];
  expect(durations(took('a-1', 60, { earlier }))('upgradeFirmware', 'A')).toBe(600_000);
});
