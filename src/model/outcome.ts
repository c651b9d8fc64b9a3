import type { Change } from './change.ts';
import type { Reason } from './reason.ts';

/** The classes of the report: every change ends in exactly one (apply protocol 3.6.2). */
export const OUTCOMES = [
  'verified',
  'unverified',
  'failed',
  'rolledBack',
  'aborted',
  'timedOut',
  'inDoubt',
  'skipped',
  'notStarted',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Where one change ended, and why, as far as there is more to say than the class. */
export interface Ending {
  readonly change: Change;
  readonly outcome: Outcome;
  readonly reason?: Reason;
  readonly intentId?: string;
  readonly taskId?: string;
  /** The POST outcome row or the step that failed: a code or the service's word. */
  readonly detail?: string;
  /** The service does not show the effect: verified by the task's result alone. */
  readonly resultOnly?: boolean;
}

/**
 * What one run of apply did. `endings` has one entry per change of the plan; `noted` are devices
 * in note classes.
 */
export interface RunReport {
  readonly planId: string;
  readonly endings: readonly Ending[];
  readonly noted: number;
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Why the run ended before its work did, if it did. */
  readonly ended?: 'interrupted' | 'guardrail' | 'unfit' | 'locked' | 'stale' | 'error';
  readonly anomalies: readonly string[];
  readonly attempts: number;
}
