import type { Action, Cause, DeviceLabel, Passed, Values } from '../plan/change.ts';
import type { Params } from '../error.ts';
import type { IntentState } from '../ledger/memory.ts';
import type { Exception } from '../documents/policy.ts';
import type { Reason, ReasonCode, ReasonWhy } from '../plan/reason.ts';
import type { Need } from '../fleet/snapshot.ts';
import type { At, SourceLocation } from '../documents/source.ts';
import type { TaskType } from '../fleet/task.ts';
import type { Instant } from '../../lib/time.ts';

/** A policy that selects the device for a task, with the number that ranks it. */
export interface PolicyReference {
  readonly at: At;
  readonly priority: number;
}

/** An exception for the device and the task. `effective` is false where a stronger one wins. */
export interface Exempting {
  readonly name: string;
  readonly type: Exception['type'];
  readonly at: SourceLocation;
  readonly until: Instant;
  readonly reason: string;
  readonly owner: string;
  readonly ticket: string;
  readonly effective: boolean;
}

/**
 * One step of the decision order (semantics K20) for this device: it passed the change, it decided
 * and gave the reason, or an earlier step decided.
 */
export interface Step {
  readonly code: ReasonCode;
  readonly verdict: 'passed' | 'bites' | 'notReached';
  readonly why?: ReasonWhy;
  readonly params?: Params;
}

/** The part of a recorded intent that explains a decision. */
export type PastIntent = Pick<
  IntentState,
  | 'id'
  | 'target'
  | 'generation'
  | 'policy'
  | 'phase'
  | 'attempts'
  | 'attemptedAt'
  | 'verdict'
  | 'settledAt'
  | 'taskId'
>;

/**
 * Everything that decided about one task of one device. `winner` is absent where no policy selects
 * it.
 */
export interface TaskWhy {
  readonly task: TaskType;
  readonly winner?: PolicyReference;
  readonly losers: readonly PolicyReference[];
  /**
   * Policies for this task that do not select the device, with the first selector key that does not
   * match.
   */
  readonly others: readonly (PolicyReference & { readonly clause: string })[];
  readonly exemptions: readonly Exempting[];
  /** Fields that the winning policy omits, with their defaults as they are written in YAML. */
  readonly defaults?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly result?: {
    readonly action: Action;
    readonly cause: Cause;
    readonly reason: Reason;
    readonly before: Values;
    readonly after: Values;
    /** What the change passes when it starts (semantics M26). */
    readonly passes?: readonly Passed[];
  };
  readonly past: readonly PastIntent[];
  readonly needs: readonly Need[];
}

/** Why the plan has its decisions about one device. */
export interface Why {
  readonly device: DeviceLabel;
  /**
   * `managed`, `discovered` only, or in neither list: an ID that the service does not return to
   * this user.
   */
  readonly standing: 'managed' | 'discovered' | 'unknown';
  readonly evaluatedAt: Instant;
  readonly readAt: Instant;
  /** The time zone of the device, if its sites share one that the documents know. */
  readonly timeZone?: string;
  /** The observed values: status, firmwareVersion, lastSeen and the like, in display order. */
  readonly observed: Values;
  readonly tasks: readonly TaskWhy[];
}
