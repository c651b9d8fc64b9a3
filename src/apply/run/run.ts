import { type Instant, type Milliseconds, parseInstant } from '../../lib/time.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { Service } from '../../model/ports.ts';
import { harmless, type OnProgress } from '../../model/progress.ts';
import type { Approval } from '../../plan/input.ts';
import { Health } from '../health.ts';
import { InFlight } from '../in-flight.ts';
import { Outbox } from '../outbox/outbox.ts';
import { Outcomes } from '../outcomes.ts';
import type { Ports } from '../ports.ts';
import { Reading, type Survey } from '../reading.ts';
import { keepLease } from './heartbeat.ts';

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
export interface Run extends Ports {
  readonly reading: Reading;
  readonly inFlight: InFlight;
  readonly outbox: Outbox;
  readonly outcomes: Outcomes;
  readonly health: Health;
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
