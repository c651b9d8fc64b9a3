import type { Milliseconds } from '../../lib/time.ts';
import { parseInstant } from '../../lib/time.ts';
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

/**
 * What a run of apply needs of the world. The caller has taken the lease; the run gives it back.
 */
export interface ExecuteInput extends Omit<
  Ports,
  'progress' | 'watchesUntil' | 'waitsUntil' | 'keepLease'
> {
  /**
   * Plans with what was approved so far, if anything was. Throws where the documents make a plan
   * that must not be applied.
   */
  survey(approved: Approval | undefined): Promise<Survey>;
  /** How long to go on looking for evidence about what is in doubt; no longer than the rest takes without. */
  readonly watchDoubts?: Milliseconds;
  /** What may start within this time is waited for; nothing without. */
  readonly wait?: Milliseconds;
  readonly onProgress?: OnProgress;
}

/**
 * One run while it lives: its ports, and an object for each lifetime of what it has seen that the ledger
 * does not say. Outside of this room functions take the few of these objects that they need.
 */
export interface Run extends Ports {
  readonly reading: Reading;
  readonly inFlight: InFlight;
  readonly outbox: Outbox;
  readonly outcomes: Outcomes;
  readonly health: Health;
  /** Gates that were looked at since the run began, or began anew: one look at each. */
  readonly sampled: Set<string>;
}

/** A run that has seen nothing yet. */
export function createRun(input: ExecuteInput, service: Service): Run {
  const { survey: _, onProgress = () => undefined, watchDoubts = 0, wait = 0, ...ports } = input;
  const expiresAt = parseInstant(input.approved?.expiresAt ?? '') ?? Infinity;
  return runOn({
    ...ports,
    service,
    progress: harmless(onProgress),
    watchesUntil: input.clock.monotonic() + watchDoubts,
    waitsUntil: Math.min(input.clock.now() + wait, expiresAt),
  });
}

/** The objects of a run over its ports. */
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
    sampled: new Set(),
  };
  return run;
}
