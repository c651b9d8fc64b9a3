import { DIP_MS, mayDip } from '../../kinds/restart-device.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import type { Timeouts } from '../../model/documents/rollout.ts';
import type { Instant } from '../../lib/time.ts';
import type { Flight, Run } from '../run/run.ts';

/** What this run knows of an intent; a fresh sheet where it meets it for the first time. */
export function flightOf(run: Run, intent: Pick<IntentState, 'id'>): Flight {
  const known = run.flights.get(intent.id);
  if (known) return known;
  const flight: Flight = { absences: 0, overdue: false };
  run.flights.set(intent.id, flight);
  return flight;
}

/** Open intents whose service task is known and can be polled. */
export function running(run: Run): readonly IntentState[] {
  return run.journal.memory.open().filter(({ phase }) => phase === 'running');
}

/** Open intents of which nobody knows whether they ran. */
export function inDoubt(run: Run): readonly IntentState[] {
  return run.journal.memory.open().filter(({ phase }) => phase === 'inDoubt' || phase === 'open');
}

/**
 * How much this run still waits for: devices whose task is accepted, and neither settled nor past its
 * deadline; devices in doubt, as long as this run watches for evidence; and what the ledger is owed.
 */
export function waitedFor(run: Run): number {
  const atWork = running(run).filter((intent) => !flightOf(run, intent).overdue).length;
  return atWork + inDoubt(run).filter((intent) => isWatched(run, intent)).length + run.owed.size;
}

/** A restart shows itself soon or never; anything else is watched as long as the run was asked to. */
function isWatched(run: Run, { task, marker, attemptedAt }: IntentState): boolean {
  if (run.clock.monotonic() < run.watchesUntil) return true;
  const mayShow = task === 'restartDevice' && mayDip(marker);
  return mayShow && run.clock.now() <= attemptedAt + DIP_MS;
}

/**
 * The instant after which a task that is not `completed` is waited for no longer (protocol X10).
 */
export function deadlineOf(intent: IntentState, flight: Flight, timeouts: Timeouts): Instant {
  const { runningSince } = flight;
  if (runningSince === undefined) return intent.attemptedAt + timeouts.pending;
  return runningSince + timeouts.running[intent.task];
}
