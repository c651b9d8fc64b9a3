import { isPassing } from '../../model/error.ts';
import type { Progress } from '../../model/progress.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { givenUpAt } from './service-absence.ts';
import type { Command } from './command.ts';
import { waitedFor } from '../watch/flight.ts';
import { isStoreFailure, pay } from '../outbox/outbox.ts';
import type { Run } from './run.ts';
import { OVER, sleepUntilStopped } from './stop.ts';

/** Between two records of ours, well within a third of the shortest lease. */
const BEAT_MS: Milliseconds = 15_000;

/** A process that slept for so much longer than it meant to, by either clock, may have been followed. */
const OVERSLEPT_MS: Milliseconds = 5_000;

/**
 * Renews the lease where it is due (protocol U2). After a long sleep the ledger is read first: a
 * lease that was taken over meanwhile is `leaseLost`. A ledger that is out of order ends the run only
 * where it waits for nothing: what is at work is looked after as long as the lease lives.
 */
export async function keepLease(run: Run): Promise<void> {
  try {
    if (run.overslept) await run.journal.refresh();
    run.overslept = false;
    await run.journal.renew();
  } catch (error) {
    if (!isStoreFailure(error)) throw error;
    if (!isPassing(error) && (waitedFor(run) === 0 || !run.journal.isHeld())) throw error;
    run.failure = error;
  }
}

/** Keeps the lease alive while something long goes on. */
export async function beating<T>(run: Run, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const done = work.finally(() => over.abort(OVER));
  done.catch(() => undefined);
  while (!over.signal.aborted) {
    const began = bothClocks(run);
    await run.clock.sleep(BEAT_MS, over.signal).catch(() => undefined);
    if (over.signal.aborted) break;
    noteOversleep(run, began, BEAT_MS);
    await keepLease(run);
  }
  return done;
}

/** The same for work that writes to the ledger: a lost lease ends it only when it has come to its end. */
export async function beatingToTheEnd<T>(run: Run, work: Promise<T>): Promise<T> {
  try {
    return await beating(run, work);
  } catch (error) {
    await work.catch(() => undefined);
    throw error;
  }
}

/**
 * Sleeps in slices, so that the lease lives on and what is owed to the ledger is tried again.
 * @returns early, and true, where this process slept for longer than it meant to: a suspended machine,
 * a clock that was moved
 */
export async function sleepUntil(
  run: Run,
  { until, why = waitedFor(run) > 0 ? 'poll' : 'pace' }: Command & { do: 'sleep' },
): Promise<boolean> {
  run.progress(awaited(run, until) ?? { kind: 'waiting', until, why });
  let overslept = false;
  for (let left = until - run.clock.now(); left > 0; left = until - run.clock.now()) {
    const slice = Math.min(left, BEAT_MS);
    const began = bothClocks(run);
    await sleepUntilStopped(run.clock, slice, run.stop);
    overslept = noteOversleep(run, began, slice);
    await keepLease(run);
    await pay(run);
    if (overslept) break;
  }
  return overslept;
}

/** A service that is away is what is waited for then, whatever else is. */
function awaited(run: Run, until: Instant): Progress | undefined {
  const { absence } = run;
  if (!absence) return undefined;
  const { code, params } = absence.why;
  return { kind: 'away', failure: { code, params }, until, givenUpAt: givenUpAt(run, absence) };
}

interface Clocks {
  readonly wall: number;
  readonly monotonic: Milliseconds;
}

function bothClocks({ clock }: Run): Clocks {
  return { wall: clock.now(), monotonic: clock.monotonic() };
}

/**
 * Whether a sleep took far longer than asked, or the clocks have moved apart: while a machine is
 * suspended the monotonic one may stand still (protocol U2).
 */
function noteOversleep(run: Run, before: Clocks, asked: Milliseconds): boolean {
  const after = bothClocks(run);
  const slept = after.monotonic - before.monotonic;
  const apart = Math.abs(after.wall - before.wall - slept);
  const isLong = slept - asked > OVERSLEPT_MS || apart > OVERSLEPT_MS;
  run.overslept ||= isLong;
  return isLong;
}
