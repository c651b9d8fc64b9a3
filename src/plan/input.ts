import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { Dialect } from '../model/fleet/dialect.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { PendingDevice } from '../model/plan/counting.ts';
import type { FleetPart } from '../model/plan/part.ts';
import type { Plan, PlanInputs } from '../model/plan/plan.ts';
import type { Documents, Selector } from '../model/documents/policy.ts';
import type { Membership } from '../model/documents/selector.ts';
import type { ReasonCode } from '../model/plan/reason.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { TaskType } from '../model/fleet/task.ts';
import type { FollowInput } from '../rollout/progress/follow.ts';
import type { Followed } from '../rollout/progress/followed.ts';
import type { Moment, Predecessors } from '../rollout/progress/predecessor.ts';
import type { DebtStatus } from '../model/report/status.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import type { ApprovalRules, UnwantedOutcome } from '../model/plan/approval-rules.ts';

/** The part of an approved plan that a later plan needs. */
export type Approval = Pick<Plan, 'changes' | 'part'>;

/** All inputs of a plan, the time included; the planner uses nothing else. */
export interface PlannerInput {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  readonly memory: Memory;
  /**
   * The limit of this run of apply: a rollout that starts in it starts with these devices, and
   * later devices join later. Absent before an approval.
   */
  readonly approved?: Approval;
  /** How changes are approved; absent: by the documents alone. */
  readonly approvals?: ApprovalRules;
  /** The part of the fleet to plan; absent: the whole (semantics N36). */
  readonly part?: FleetPart;
  readonly now: Instant;
  readonly dialect: Dialect;
  /** The sources of all this, for the plan. */
  readonly inputs: PlanInputs;
  readonly expiresAfter: Milliseconds;
}

/** What there is to judge: the fleet as it is read, documents and ledger, and the instant. */
export type Judged = Pick<PlannerInput, 'documents' | 'snapshot' | 'memory' | 'now'>;

/** When a change starts and ends by the forecast; without an instant where something keeps it from that. */
export interface Course {
  readonly startedAt: Instant | undefined;
  readonly endedAt: Instant | undefined;
}

/** A plan, with the other results that its caller needs. */
export interface Planned {
  /** Its `verdicts` are empty, because guardrails judge a finished plan. */
  readonly plan: Plan;
  /**
   * All problems of the plan. With one of severity error, such as `conflict`, the plan must not be
   * applied.
   */
  readonly diagnostics: readonly Diagnostic[];
  /** The reason of a device in a note class of a task; undefined where it is in none. */
  readonly noted: (task: TaskType, deviceId: string) => ReasonCode | undefined;
  /** Devices that guardrails count, now or within a month, without a change of the plan. */
  readonly pending: readonly PendingDevice[];
  /** How its changes were approved, for the last look; absent: as the documents say. */
  readonly approvals?: ApprovalRules;
  /** Approved outcomes that the documents no longer require; absent: none. */
  readonly unwanted?: readonly UnwantedOutcome[];
  /** When the plan says that a task of a device starts and ends; absent: it has no dates. */
  readonly courseOf?: (task: TaskType, deviceId: string) => Course | undefined;
  /** Overdue work by the address of its policy. */
  readonly debts: ReadonlyMap<string, DebtStatus>;
  /** The state of its rollouts, by the address of their policies. */
  readonly followed?: ReadonlyMap<string, Followed>;
  /** The same after changes of the ledger. */
  readonly follow?: (past: FollowInput) => ReadonlyMap<string, Followed>;
  /** How the devices stand that come before others; absent: no policy has `after`. */
  readonly predecessors?: Predecessors;
  /** The same after changes of the ledger. */
  readonly precede?: (moment: Moment) => Predecessors;
}

/** The input of a check: also whether a selector selects the device of a row. */
export interface FindingInput extends PlannerInput {
  readonly members: (selector: Selector) => (row: number) => Membership;
}
