import type { Confidence } from '../fleet/snapshot.ts';
import type { TaskType } from '../fleet/task.ts';
import type { ReasonCode } from '../plan/reason.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';

/** Where the duration of a task type comes from. */
export type TaskDuration =
  | { readonly task: TaskType; readonly from: 'simulator' }
  | {
      readonly task: TaskType;
      readonly from: 'ledger';
      /** How many ended tasks the ledger has. */
      readonly samples: number;
      readonly medianSeconds: number;
    };

/** What the clone has that was never read: values made up so that the simulator can answer. */
export interface Assumed {
  /** Devices whose password dates were assumed. */
  readonly passwords: number;
  readonly certificates: number;
  /** Models and versions whose approved firmware was assumed from the documents. */
  readonly targets: number;
}

/**
 * An instant over several courses: in half of them it was no later than `p50`. Absent where that many
 * courses did not get there.
 */
export interface Finish {
  readonly p50?: Instant;
  readonly p95?: Instant;
}

export interface WaveForecast {
  readonly name: string;
  /** The most devices of the wave in any course. */
  readonly devices: number;
  readonly finish: Finish;
}

/** How often a reason holds changes at the end, in the course with the most. */
export interface HeldBy {
  readonly code: ReasonCode;
  readonly count: number;
}

/** One policy in a rehearsal; counts are the medians of its courses. */
export interface PolicyForecast {
  /** Its address. */
  readonly policy: string;
  readonly task: TaskType;
  /** Devices with work until the end of the rehearsal; each is one of the four that follow. */
  readonly devices: number;
  readonly done: number;
  /** Their task ends badly. */
  readonly failed: number;
  /** They need more time. */
  readonly late: number;
  /** They need a person. */
  readonly blocked: number;
  readonly finish: Finish;
  readonly waves: readonly WaveForecast[];
  /** Why changes were left, the most frequent reason first. */
  readonly heldBy: readonly HeldBy[];
}

/** One use of windows that closed before the work in them was done. */
export interface WindowForecast {
  readonly window: string;
  readonly policy: string;
  /** How many times the window closed with work left; the median of the courses. */
  readonly closedWithWork: number;
  /** The most changes that were left then. */
  readonly mostLeft: number;
}

/** The devices that tasks keep down at one site, the worst of the courses at each step. */
export interface SiteOutages {
  readonly site: string;
  readonly most: number;
  readonly mostAt: Instant;
  /** The most devices down at once in each step. */
  readonly counts: readonly number[];
}

/** The requests of one course. */
export interface RequestForecast {
  readonly p50: number;
  readonly p95: number;
  /** The most in one day. */
  readonly busiestDay: number;
}

/** A run that a guardrail or a failure ended; `runs` is how many, in the course with the most. */
export interface EndedRuns {
  readonly why: string;
  readonly runs: number;
}

/** What several courses have in common: those with faults, or those without. */
export interface CoursesReport {
  readonly policies: readonly PolicyForecast[];
  readonly windows: readonly WindowForecast[];
  readonly requests: RequestForecast;
  readonly outages: readonly SiteOutages[];
  /** Runs of apply in a course, and its tasks; medians. */
  readonly runs: number;
  readonly tasks: number;
  readonly inDoubt: number;
  /** Stop rules that tripped, by scope, in how many courses. */
  readonly stops: readonly { readonly scope: string; readonly courses: number }[];
  readonly ended: readonly EndedRuns[];
}

/** The report of `fleetform rehearse`. */
export interface RehearsalReport extends CoursesReport {
  readonly from: Instant;
  readonly until: Instant;
  readonly courses: number;
  readonly seed: number;
  readonly fleet: {
    readonly devices: number;
    readonly sites: number;
    readonly takenAt: Instant;
    readonly confidence: Confidence;
  };
  /** Records of the ledger that the rehearsal began with, and its work at that moment. */
  readonly ledger: {
    readonly records: number;
    readonly atWork: number;
    readonly inDoubt: number;
  };
  readonly assumed: Assumed;
  readonly durations: readonly TaskDuration[];
  /** How long a step of the outages is. */
  readonly step: Milliseconds;
  /** Work is planned as if it were approved. */
  readonly assumesApproval: boolean;
  /** The same without the faults; absent where there are none. */
  readonly without?: CoursesReport;
}
