import type { Dialect } from '../model/fleet/dialect.ts';
import type { Clock, Journal, ResultSpool, Random, Service } from '../model/ports.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { OnProgress } from '../model/progress.ts';
import type { ApprovedBy } from '../model/ledger/record.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import type { Stop } from './stop.ts';

/** What a run of apply is given, and does not change: the world it acts on and what it was asked to do. */
export interface Ports {
  readonly documents: Documents;
  /** `apply FILE`: only what was approved there and still holds is run. */
  readonly approved?: Plan;
  /** How what is run came to be approved, for the record; a plan that is given was a file otherwise. */
  readonly approval?: { readonly by: ApprovedBy; readonly named: boolean };
  readonly service: Service;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly dialect: Dialect;
  readonly pollEvery: Milliseconds;
  /** Until when evidence about doubts is waited for, on the monotonic clock. */
  readonly watchesUntil: Milliseconds;
  /** What may start before this is waited for: an approval that has ended lets nothing start. */
  readonly waitsUntil: Instant;
  /** The local spool, for acceptances that the ledger cannot take; none without. */
  readonly kept?: ResultSpool;
  readonly progress: OnProgress;
  readonly stop: Stop;
  /** Renews the lease where it is due: whoever reads much calls it between two reads. */
  keepLease(): Promise<void>;
}
