import { type Instant, type Milliseconds, parseInstant } from '../../lib/time.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { Service } from '../../model/ports.ts';
import { harmless, type OnProgress, type ProgressEvent } from '../../model/progress.ts';
import type { Approval } from '../../plan/input.ts';
import { Health } from '../health.ts';
import { InFlight } from '../in-flight.ts';
import { Outbox, isStoreFailure } from '../outbox/outbox.ts';
import { Outcomes } from '../outcomes.ts';
import type { Ports } from '../ports.ts';
import { Reading, type Survey } from '../reading.ts';
import { isPassing } from '../../model/error.ts';
import type { Command } from './command.ts';
import { OVER, sleepUntilStopped } from '../stop.ts';

/** The interfaces of a run of apply. The caller has taken the lease; the run releases it. */
export interface ExecuteInput extends Omit<
  Ports,
  'progress' | 'watchesUntil' | 'waitsUntil' | 'keepLease'
> {
  /**
   * Plans within the approval, if there is one. Throws where the plan of the documents must not be
   * applied.
   * @param lists the lists of the last reading with the rows read since; absent: the fleet is read
   */
  survey(approved: Approval | undefined, lists?: Snapshot): Promise<Survey>;
  /** How long to look for evidence about doubts; no longer than the other work takes if absent. */
  readonly watchDoubts?: Milliseconds;
  /** How long to wait for changes that cannot start yet; absent: not at all. */
  readonly wait?: Milliseconds;
  readonly onProgress?: OnProgress;
  /** Makes reads that no change waits for while the run does; none may last longer than `until` (semantics N21). */
  readonly renew?: (until: Instant) => Promise<void>;
}

/**
 * One run: its ports, and one object for each lifetime of the observations that the ledger does not
 * have. Functions outside this folder take only the objects that they need.
 */
export interface Run extends Ports, Leased {
  readonly reading: Reading;
  readonly outcomes: Outcomes;
  /** What needed a person by the last record before this run, as IDs of changes. */
  readonly personBefore: ReadonlySet<string>;
  /** Gates that were sampled since the run began or restarted: one sample of each. */
  readonly sampled: Set<string>;
}

/** A run without any observations. */
export function createRun(input: ExecuteInput, service: Service): Run {
  const {
    survey: _,
    renew: __,
    onProgress = () => undefined,
    watchDoubts = 0,
    wait = 0,
    ...ports
  } = input;
  const expiresAt = parseInstant(input.approved?.expiresAt ?? '') ?? Infinity;
  return runOn({
    ...ports,
    service,
    progress: harmless(onProgress),
    watchesUntil: input.clock.monotonic() + watchDoubts,
    waitsUntil: Math.min(input.clock.now() + wait, expiresAt),
  });
}

/** Creates the objects of a run with its ports. */
export function runOn(ports: Omit<Ports, 'keepLease'>): Run {
  const health = new Health(ports.clock);
  const run: Run = {
    ...ports,
    keepLease: () => keepLease(run),
    health,
    reading: new Reading(ports),
    inFlight: new InFlight(ports),
    outbox: new Outbox(ports, health),
    outcomes: new Outcomes(ports.progress),
    personBefore: new Set(ports.journal.memory.coverage.at(-1)?.person),
    sampled: new Set(),
  };
  return run;
}

/** The interval between two records of this run, well within a third of the shortest lease. */
const BEAT_MS: Milliseconds = 15_000;

/** After a sleep that was this much too long, by either clock, another run may have taken over. */
const OVERSLEPT_MS: Milliseconds = 5_000;

/** The part of a run that its lease and its sleep need. */
export interface Leased extends Omit<Ports, 'keepLease'> {
  readonly inFlight: InFlight;
  readonly outbox: Outbox;
  readonly health: Health;
}

/**
 * Renews the lease where it is due (protocol U2). After a long sleep it reads the ledger first: a
 * lease that was taken over meanwhile is `leaseLost`. A permanent failure of the store ends the run
 * only if it waits for nothing, or if its lease has ended.
 */
export async function keepLease(run: Leased): Promise<void> {
  try {
    if (run.health.hasOverslept) await run.journal.refresh();
    run.health.hasOverslept = false;
    await run.journal.renew();
  } catch (error) {
    if (!isStoreFailure(error)) throw error;
    if (!isPassing(error) && (awaited(run) === 0 || !run.journal.isHeld())) throw error;
    run.health.failure = error;
  }
}

/**
 * The number of things that a run still waits for: open intents, and results that are not in the
 * ledger yet.
 */
export function awaited({ inFlight, outbox }: Leased): number {
  return inFlight.awaited() + outbox.size;
}

/** When to poll next: `pollEvery` from now, plus or minus a tenth. */
export function nextPoll({ clock, pollEvery, random }: Leased): Instant {
  return clock.now() + Math.round(pollEvery * (0.9 + 0.2 * random()));
}

/** Keeps the lease valid during long work. */
export async function beating<T>(run: Leased, work: Promise<T>): Promise<T> {
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

/**
 * The same for work that writes to the ledger: a lost lease ends it only after the work has
 * finished.
 */
export async function beatingToTheEnd<T>(run: Leased, work: Promise<T>): Promise<T> {
  try {
    return await beating(run, work);
  } catch (error) {
    await work.catch(() => undefined);
    throw error;
  }
}

/**
 * Sleeps in slices, so that the lease is renewed and the outbox is tried again.
 * @returns early, and true, where the run begins anew: this process slept longer than planned (a suspended machine, a
 * changed clock), or a person has lifted something (protocol N64)
 */
export async function sleepUntil(
  run: Leased,
  { until, why = awaited(run) > 0 ? 'poll' : 'pace' }: Command & { do: 'sleep' },
): Promise<boolean> {
  run.progress(absenceEvent(run, until) ?? { type: 'waiting', until, reason: why });
  const held = heldScopes(run);
  for (let left = until - run.clock.now(); left > 0; left = until - run.clock.now()) {
    const slice = Math.min(left, BEAT_MS);
    const began = bothClocks(run);
    await sleepUntilStopped(run.clock, slice, run.stop);
    const overslept = noteOversleep(run, began, slice);
    await keepLease(run);
    await run.outbox.flush();
    const now = new Set(heldScopes(run));
    if (overslept || held.some((scope) => !now.has(scope))) return true;
  }
  return false;
}

/** What people and rules hold, as far as this run has read the ledger. */
function heldScopes({ journal }: Leased): readonly string[] {
  const { pauses, stops, rollouts } = journal.memory;
  return [...pauses.keys(), ...stops.keys(), ...rollouts.keys()];
}

/** While the service is unavailable, progress reports that and no other reason to wait. */
function absenceEvent(run: Leased, until: Instant): ProgressEvent | undefined {
  const { absence } = run.health;
  if (!absence) return undefined;
  const { why, givenUpAt } = absence;
  const { code, params } = why;
  return { type: 'waiting', reason: 'away', failure: { code, params }, until, givenUpAt };
}

interface Clocks {
  readonly wall: number;
  readonly monotonic: Milliseconds;
}

function bothClocks({ clock }: Leased): Clocks {
  return { wall: clock.now(), monotonic: clock.monotonic() };
}

/**
 * Whether a sleep took far longer than planned, or the clocks have diverged: on a suspended machine
 * the monotonic clock may stop (protocol U2).
 */
function noteOversleep(run: Leased, before: Clocks, planned: Milliseconds): boolean {
  const after = bothClocks(run);
  const slept = after.monotonic - before.monotonic;
  const apart = Math.abs(after.wall - before.wall - slept);
  const isLong = slept - planned > OVERSLEPT_MS || apart > OVERSLEPT_MS;
  if (isLong) run.health.hasOverslept = true;
  return isLong;
}
