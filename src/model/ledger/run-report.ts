import type { Diagnostic } from '../documents/diagnostic.ts';
import type { PlanColumn } from '../plan/actor.ts';
import type { CoverageTerms } from './coverage.ts';
import type { Coverage } from '../plan/coverage.ts';
import { isUsageError } from '../error.ts';
import type {
  ClosedBeside,
  EndedEarly,
  RunRequests,
  StopReport,
  Unrecorded,
} from '../report/output.gen.ts';
import { isWanted, type Change, type NoteClass } from '../plan/change.ts';
import { sumCounts } from '../../lib/group-by.ts';
import type { GuardrailVerdict } from '../plan/plan.ts';
import type { Reason } from '../plan/reason.ts';
import type { Instant } from '../../lib/time.ts';
import { RUN_CLASSES, type RunClass } from './run-sums.ts';

export type { ClosedBeside, Unrecorded } from '../report/output.gen.ts';

/** The classes of the report: every change ends in exactly one (protocol Z1). */
export type Outcome = Exclude<RunClass, 'converged' | 'unreadable' | 'stale'>;
export const OUTCOMES = RUN_CLASSES.filter(
  (each): each is Outcome => each !== 'converged' && each !== 'unreadable' && each !== 'stale',
);

/** The outcome of one change, with a reason where the class alone does not explain it. */
export interface Ending {
  readonly change: Change;
  readonly outcome: Outcome;
  readonly reason?: Reason;
  readonly intentId?: string;
  readonly taskId?: string;
  /** The POST outcome row or the step that failed: a code or the service's word. */
  readonly detail?: string;
  /** The service does not show the effect, so only the task's result verifies it. */
  readonly resultOnly?: boolean;
  /** Of a device that shows something else than its task should have made of it. */
  readonly shown?: ShownInstead;
  /** Where the last plan of the run puts it; absent where only the outcome says that. */
  readonly column?: PlanColumn;
}

/** What was read instead of the result of a task. */
export interface ShownInstead {
  readonly field: string;
  readonly value: string;
  /** What was wanted, where the field can hold it: a version. Of a credential any newer one will do. */
  readonly wanted?: string;
}

/** An intent that is open in the ledger and has no change in the plan any more. */
export interface LeftOpen extends ClosedBeside {
  readonly outcome: 'inDoubt' | 'timedOut' | 'atWork';
  /** When it was attempted. */
  readonly since: Instant;
  readonly taskId?: string;
}

/**
 * What the last reading of a run showed. `beyond` counts changes of its plan that may start and that the report does
 * not have, or has as done or stale: an onboarded device, say, that a policy selects.
 */
export interface Surveyed {
  readonly coverage: Coverage;
  readonly timeZone?: string;
  readonly isTorn: boolean;
  /** The findings that refuse policies (semantics K27). */
  readonly refusing?: readonly Diagnostic[];
  /** Policies with devices past their deadline. */
  readonly overdue?: readonly string[];
  readonly isPart?: boolean;
  readonly beyond: number;
  /** Changes that need a person and that the last record before this run does not have. */
  readonly news: readonly string[];
  /** What its RELEASE says of the fleet; absent where that is nothing to go by. */
  readonly onRecord?: CoverageTerms;
}

/**
 * The result of one run of apply. `endings` has one entry per change of the plan; `notes` are
 * its notes. A task that still runs at the end of the run is `atWork`; one that did not end by its
 * deadline is `timedOut`.
 */
export interface RunReport {
  readonly planId: string;
  /** The plan was approved as a file or on a terminal; otherwise the commit is the approval. */
  readonly approved?: boolean;
  /** It is the plan of a file: a run of it starts nothing else. */
  readonly isFile?: boolean;
  /** The last reading; absent where there was none. */
  readonly surveyed?: Surveyed;
  readonly endings: readonly Ending[];
  readonly notes: readonly NoteClass[];
  /** The changes and notes of the last plan of the run, as the run leaves them; absent where it made none. */
  readonly left?: { readonly endings: readonly Ending[]; readonly notes: readonly NoteClass[] };
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Why the run ended early, if it did. */
  readonly ended?: EndedEarly;
  /**
   * The failure that ended the run early: a `WorldError`, or a `Bug`, which is thrown again after
   * the report.
   */
  readonly failure?: Error;
  /** Guardrails that refused, where `ended` says so. */
  readonly refused?: readonly GuardrailVerdict[];
  /** Open intents outside the plan: they make a run `in doubt` too. */
  readonly leftOpen?: readonly LeftOpen[];
  /**
   * The outcomes of other intents outside the plan: a `failed` there makes the run `failed` too.
   */
  readonly closedBeside?: readonly ClosedBeside[];
  /** Outcomes that the ledger lacks at the end of the run, which is then `unfit` or an `error`. */
  readonly unrecorded?: readonly Unrecorded[];
  readonly anomalies: readonly string[];
  readonly attempts: number;
  /** Approved outcomes that the run has withdrawn, because the documents no longer require them. */
  readonly withdrawn?: number;
  /** The requests of the run, and the fewest that its work takes. */
  readonly requests?: RunRequests;
  /** Stop rules that hold changes of this plan at the end of the run. */
  readonly stops?: readonly StopReport[];
}

/** Whether a later run starts the change, or goes on with the next step of it. */
export function isRemaining({ outcome }: Pick<Ending, 'outcome'>): boolean {
  return outcome === 'notStarted' || outcome === 'betweenSteps';
}

/** Whether nothing was sent for the change, or nothing after an earlier step of it. */
export function isNotSent({ outcome }: Pick<Ending, 'outcome'>): boolean {
  return isRemaining({ outcome }) || outcome === 'skipped';
}

/** Whether the task of the change may still run, or may have run. */
export function isOpen({ outcome }: Pick<Ending, 'outcome'>): boolean {
  return outcome === 'timedOut' || outcome === 'atWork' || outcome === 'inDoubt';
}

/**
 * Whether a failed run has something to report beside its failure. A run without a plan has not,
 * nor one that a wrong flag ended before it started or settled anything: its next step would repeat
 * the flag.
 */
export function hasReport(report: Omit<RunReport, 'counts' | 'notes' | 'anomalies'>): boolean {
  const { planId, attempts, endings, leftOpen = [], closedBeside = [], failure } = report;
  const settled = endings.filter((ending) => !isNotSent(ending) && !isOpen(ending));
  if (attempts + settled.length + closedBeside.length > 0) return true;
  if (isUsageError(failure)) return false;
  return planId !== '' || endings.length + leftOpen.length > 0;
}

/** How many devices of a run are decided about by a later one, since no run has read their value yet. */
export function countUnread({ notes }: Pick<RunReport, 'notes'>): number {
  return sumCounts(notes.filter(({ reason }) => reason.code === 'notRead'));
}

/**
 * The class of an ending in reports. A change that the plan let start, and that was skipped because
 * its device could not be read or understood since, is `unreadable`: whether it is still right is
 * unknown (protocol Z3).
 */
export function classifyEnding({
  change,
  outcome,
  reason,
}: Pick<Ending, 'outcome' | 'reason'> & {
  readonly change: Pick<Change, 'action' | 'at'>;
}): RunClass {
  if (outcome === 'verified' && reason?.code === 'alreadyConverged') return 'converged';
  if (outcome === 'skipped' && reason?.code === 'stale') return 'stale';
  if (outcome === 'skipped' && reason?.why === 'valueUnknown' && isWanted(change))
    return 'unreadable';
  return outcome;
}
