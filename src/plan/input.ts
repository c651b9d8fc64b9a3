import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { Dialect } from '../model/fleet/dialect.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { Plan, PlanInputs } from '../model/plan/plan.ts';
import type { Documents, Selector } from '../model/documents/policy.ts';
import type { ReasonCode } from '../model/plan/reason.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { TaskType } from '../model/fleet/task.ts';
import type { FollowInput } from '../rollout/progress/follow.ts';
import type { Followed } from '../rollout/progress/followed.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';

/** A plan that was approved, as far as a later one asks what it covers. */
export type Approval = Pick<Plan, 'changes'>;

/** Everything a plan is made from; the planner knows nothing else, the time included. */
export interface PlannerInput {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  readonly memory: Memory;
  /**
   * What this run of apply may do at most: a rollout that begins in it begins with these devices,
   * and whoever came since joins later. Absent where nothing is approved yet.
   */
  readonly approved?: Approval;
  readonly now: Instant;
  readonly dialect: Dialect;
  /** What the plan says about where all this came from. */
  readonly inputs: PlanInputs;
  readonly expiresAfter: Milliseconds;
}

/** A plan, and what else its maker needs to know. */
export interface Planned {
  /** Its `verdicts` are empty: guardrails judge the plan, they are no part of making it. */
  readonly plan: Plan;
  /**
   * Everything found while planning. One of severity error, such as `conflict`: the plan must not
   * be applied.
   */
  readonly diagnostics: readonly Diagnostic[];
  /** Why a device is in a note class of a task; undefined where it is not in one. */
  readonly noted: (task: TaskType, deviceId: string) => ReasonCode | undefined;
  /** Where the rollouts of this reading stand once the ledger has moved on; absent: there are none. */
  readonly follow?: (past: FollowInput) => ReadonlyMap<string, Followed>;
}

/** What a finding of the plan may ask besides: whether a selector selects the device of a row. */
export interface FindingInput extends PlannerInput {
  readonly members: (selector: Selector) => (row: number) => boolean;
}
