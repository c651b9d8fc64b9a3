import type { RecordBody } from '../../model/ledger/record.ts';
import { sightingOf } from '../../model/ledger/sightings.ts';
import { formatInstant, type Milliseconds } from '../../lib/time.ts';
import type { Followed } from '../../rollout/progress/followed.ts';
import { rolloutKey } from '../../rollout/progress/tally.ts';
import type { Run } from './run.ts';

/** Not online for so long after our action is down, whatever the soak. */
const DOWN_MS: Milliseconds = 30 * 60_000;

/**
 * SEEN `deviceDown` of a rollout (semantics H6): for each device that it attempted and that is not
 * online at the end of its soak, or for half an hour; and again when it is back.
 */
export function downRecords(
  { survey, journal, clock }: Run,
  { input, started, progress, states }: Followed,
): readonly RecordBody[] {
  if (!started || !survey) return [];
  const { devices, takenAt } = survey.snapshot;
  const now = clock.now();
  return progress.tallies.flatMap(({ device, wave, isRunning, lastAttemptAt }): RecordBody[] => {
    const row = devices.rowOf(device);
    if (row === undefined || isRunning) return [];
    const { status, lastSeen } = devices.at(row);
    const subject = `${rolloutKey(input.policy, started)}/${device}`;
    const isKnown = sightingOf(journal.memory, 'deviceDown', subject)?.value === 'down';
    const seen = { type: 'SEEN', what: 'deviceDown', subject, seenAt: formatInstant(now) } as const;
    if (status === 'online') return isKnown ? [{ ...seen, value: 'up' }] : [];
    if (isKnown || status !== 'offline') return [];
    const since = Math.max(lastSeen ?? takenAt, lastAttemptAt);
    const is = states[wave]?.is;
    const isOver = is === 'passed' || is === 'gated';
    return isOver || takenAt - since >= DOWN_MS ? [{ ...seen, value: 'down' }] : [];
  });
}
