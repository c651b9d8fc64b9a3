import type { IntentState } from '../../model/ledger/memory.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import { sightingOf } from '../../model/ledger/sightings.ts';
import { formatInstant } from '../../lib/time.ts';
import { record } from '../outbox/outbox.ts';
import { changeIdOf, changeOf } from '../outcomes.ts';
import type { Settling } from './settlement.ts';
import { deadlineOf, isLost } from './timeouts.ts';

/** Detail of what has been `timedOut` for so long that a person has to look. */
export const LOST = 'lost';

/**
 * Says of every task past its deadline that it is late, and records that, once each: but for tasks that
 * are not among those just read, which may have ended where nobody could see it.
 */
export async function recordLate(run: Settling, read: ReadonlySet<string>): Promise<void> {
  const late = run.inFlight
    .running()
    .filter((intent) => isNewlyLate(run, intent))
    .filter(({ taskId = '' }) => read.has(taskId));
  await record(
    run,
    late.map((intent) => lateRecord(run, intent)),
  );
}

/** Past its deadline an intent stays open and is polled on, but nobody waits for it any longer. */
function isNewlyLate(run: Settling, intent: IntentState): boolean {
  const flight = run.inFlight.of(intent);
  if (flight.isOverdue || flight.completion) return false;
  if (run.clock.now() < deadlineOf(run.documents, intent, flight.runningSince)) return false;
  flight.passDeadline();
  const { id: intentId, taskId } = intent;
  const known = {
    intentId,
    ...(taskId !== undefined && { taskId }),
    ...(isLost(run.documents, intent, run.clock.now()) && { detail: LOST }),
  };
  if (run.outcomes.said.get(changeIdOf(intent))?.outcome !== 'timedOut')
    run.outcomes.end(changeOf(intent), { outcome: 'timedOut', ...known });
  return !sightingOf(run.journal.memory, 'timedOut', lateSubject(intent));
}

/** Stop rules count what is late from then on, whatever becomes of it. */
function lateRecord(run: Settling, intent: IntentState): RecordBody {
  const seenAt = formatInstant(run.clock.now());
  return { type: 'SEEN', what: 'timedOut', subject: lateSubject(intent), seenAt };
}

function lateSubject({ attemptId, device }: IntentState): string {
  return `${attemptId}/${device}`;
}
