import type { IntentState } from '../../model/ledger/memory.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import { sightingOf } from '../../model/ledger/sightings.ts';
import { formatInstant } from '../../lib/time.ts';
import { changeIdOf } from '../run/accounting.ts';
import { changeOf, say } from './settlement.ts';
import { deadlineOf, flightOf, running } from './flight.ts';
import { record, type Run } from '../run/run.ts';
import { isLost, timeoutsOf } from './timeouts.ts';

/** Detail of what has been `timedOut` for so long that a person has to look. */
export const LOST = 'lost';

/**
 * Says of every task past its deadline that it is late, and records that, once each: but for tasks that
 * are not among those just read, which may have ended where nobody could see it.
 */
export async function recordLate(run: Run, read: ReadonlySet<string>): Promise<void> {
  const late = running(run)
    .filter((intent) => isNewlyLate(run, intent))
    .filter(({ taskId = '' }) => read.has(taskId));
  await record(
    run,
    late.map((intent) => lateRecord(run, intent)),
  );
}

/** Past its deadline an intent stays open and is polled on, but nobody waits for it any longer. */
function isNewlyLate(run: Run, intent: IntentState): boolean {
  const flight = flightOf(run, intent);
  if (flight.overdue || flight.completedAt !== undefined) return false;
  const timeouts = timeoutsOf(run.documents, intent);
  if (run.clock.now() < deadlineOf(intent, flight, timeouts)) return false;
  flight.overdue = true;
  const { id: intentId, taskId } = intent;
  const known = {
    intentId,
    ...(taskId !== undefined && { taskId }),
    ...(isLost(run.documents, intent, run.clock.now()) && { detail: LOST }),
  };
  if (run.said.get(changeIdOf(intent))?.outcome !== 'timedOut')
    say(run, changeOf(intent), { outcome: 'timedOut', ...known });
  return !sightingOf(run.journal.memory, 'timedOut', lateSubject(intent));
}

/** Stop rules count what is late from then on, whatever becomes of it. */
function lateRecord(run: Run, intent: IntentState): RecordBody {
  const seenAt = formatInstant(run.clock.now());
  return { type: 'SEEN', what: 'timedOut', subject: lateSubject(intent), seenAt };
}

function lateSubject({ attemptId, device }: IntentState): string {
  return `${attemptId}/${device}`;
}
