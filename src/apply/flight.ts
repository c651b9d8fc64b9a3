import type { IntentState } from '../model/memory.ts';
import type { Timeouts } from '../model/rollout.ts';
import type { Instant } from '../model/time.ts';
import type { Flight, Run } from './run.ts';

/** What this run knows of an intent; a fresh sheet where it meets it for the first time. */
export function flightOf(run: Run, intent: Pick<IntentState, 'id'>): Flight {
  const known = run.flights.get(intent.id);
  if (known) return known;
  const flight: Flight = { absences: 0, overdue: false, seenSince: run.clock.monotonic() };
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
 * How many devices this run still waits for: accepted, and neither settled nor past their deadline.
 */
export function waitedFor(run: Run): number {
  return running(run).filter((intent) => !flightOf(run, intent).overdue).length;
}

/**
 * The instant after which a task that is not `completed` is waited for no longer (apply protocol
 * 3.2).
 */
export function deadlineOf(intent: IntentState, flight: Flight, timeouts: Timeouts): Instant {
  const { runningSince } = flight;
  if (runningSince === undefined) return intent.attemptedAt + timeouts.pending;
  return runningSince + timeouts.running[intent.task];
}
