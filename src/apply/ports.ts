import type { Dialect } from '../model/fleet/dialect.ts';
import type { Clock, Journal, ResultSpool, Random, Service, Stop } from '../model/ports.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { OnProgress } from '../model/progress.ts';
import type { ApprovedBy, UnmergedBy } from '../model/ledger/record.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';

/**
 * The inputs of a run of apply, which it does not change: its interfaces and the request of the
 * user.
 */
export interface Ports {
  readonly documents: Documents;
  /** `apply FILE`: only the approved changes that are still valid run. */
  readonly approved?: Plan;
  /** How the plan was approved, for the record; defaults to a file where a plan is given. */
  readonly approval?: {
    readonly by: ApprovedBy;
    readonly named: boolean;
    readonly unmerged?: UnmergedBy;
  };
  readonly service: Service;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly dialect: Dialect;
  readonly pollEvery: Milliseconds;
  /** How long the run watches for evidence about doubts, on the monotonic clock. */
  readonly watchesUntil: Milliseconds;
  /**
   * The run waits for changes that may start before this; after an approval has expired, none may
   * start.
   */
  readonly waitsUntil: Instant;
  /** The local spool for acceptances that the ledger cannot take; absent where there is none. */
  readonly spool?: ResultSpool;
  /** Whether other documents are the newest by now; throws `branchUnclear`. Absent: these stay so (protocol M8). */
  readonly isOvertaken?: () => Promise<boolean>;
  readonly progress: OnProgress;
  readonly stop: Stop;
  /** Renews the lease where it is due; long sequences of reads call it between two reads. */
  keepLease(): Promise<void>;
}
