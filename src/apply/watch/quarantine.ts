import type { IntentState } from '../../model/ledger/memory.ts';
import { READ_DELAY_MS } from '../../model/fleet/read-delay.ts';
import type { Milliseconds } from '../../lib/time.ts';
import { flightOf } from './flight.ts';
import type { Run } from '../run/run.ts';
import { timeoutsOf } from './timeouts.ts';

/**
 * Q: a POST may land so late, a paused process may send so late, and reads may be so old, one after
 * the other: D_post, D_gap and V (protocol A2, A4, A3).
 */
export const QUARANTINE_MS: Milliseconds = 15 * 60_000 + 5 * 60_000 + READ_DELAY_MS;

/** Reads that must show a device as it was before; one alone may be a stale copy. */
const READS = 3;

/**
 * How long this process has had an intent in doubt, on its own monotonic clock: what another process
 * saw, or wrote as a time, counts for nothing. A task that was accepted and can no longer be read is
 * not in quarantine before it should have ended (protocol Q4, Q12).
 */
export function doubtedFor(run: Run, intent: IntentState): Milliseconds {
  const flight = flightOf(run, intent);
  const now = run.clock.monotonic();
  flight.doubtFrom ??= now + untilDeadline(run, intent);
  return now - flight.doubtFrom;
}

function untilDeadline(run: Run, intent: IntentState): Milliseconds {
  if (intent.taskId === undefined) return 0;
  const { pending, running } = timeoutsOf(run.documents, intent);
  const startedBy = flightOf(run, intent).runningSince ?? intent.attemptedAt + pending;
  return Math.max(0, startedBy + running[intent.task] - run.clock.now());
}

/**
 * Whether enough reads, far enough apart, have shown the device as it was before, the last of them
 * after the quarantine. Counts this one; one that shows anything else begins anew.
 */
export function stayedAsItWas(run: Run, intent: IntentState, isBefore: boolean): boolean {
  const flight = flightOf(run, intent);
  if (!isBefore) {
    delete flight.unchanged;
    return false;
  }
  const now = run.clock.monotonic();
  const { reads, at } = flight.unchanged ?? { reads: 0, at: -Infinity };
  const counts = now - at >= READ_DELAY_MS / 3;
  if (counts) flight.unchanged = { reads: reads + 1, at: now };
  return counts && reads + 1 >= READS && doubtedFor(run, intent) >= QUARANTINE_MS;
}
