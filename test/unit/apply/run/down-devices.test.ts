import { expect, it } from 'vitest';
import { downRecords } from '../../../../src/apply/run/rollouts.ts';
import type { Survey } from '../../../../src/apply/reading.ts';
import type { Followed } from '../../../../src/rollout/progress/followed.ts';
import { aRun } from '../../../support/apply-run.ts';
import { NOW, aDevice, aMemory, aSnapshot } from '../../../support/plan-fleet.ts';

const MINUTE = 60_000;

/** What is recorded of a device that went dark before a reading, at the end of so long a reading. */
function recorded(wentDark: number, readFor: number) {
  const device = aDevice('d', { status: 'offline', lastSeen: NOW - wentDark });
  const run = aRun({ journal: { memory: aMemory() }, clock: { now: () => NOW + readFor } });
  run.reading.replace({ snapshot: aSnapshot([device]) } as unknown as Survey);
  const tally = { device: 'd', wave: 0, isRunning: false, lastAttemptAt: NOW - 60 * MINUTE };
  const followed = {
    input: { policy: 'firmware.lts' },
    started: { startedAt: NOW - 90 * MINUTE },
    progress: { tallies: [tally] },
    states: [{ is: 'open' }],
  };
  return downRecords(run, followed as unknown as Followed);
}

it.each([
  ['half an hour before it was read', 30, 0, 1],
  ['a minute less before it was read', 29, 0, 0],
  ['shortly before a reading that took an hour', 5, 60, 0],
])('H6 a device that went dark %s', (_, wentDark, readFor, count) => {
  expect(recorded(wentDark * MINUTE, readFor * MINUTE)).toHaveLength(count);
});
