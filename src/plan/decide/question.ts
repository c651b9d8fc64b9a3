import type { Judgement } from '../../kinds/kind.ts';
import type { Action } from '../../model/plan/change.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { Reason, ReasonCode } from '../../model/plan/reason.ts';
import type { DecisionInput } from './decision-input.ts';
import type { Timing } from './schedule.ts';

/** What is asked at each step. */
export interface Evaluation extends DecisionInput {
  readonly judgement: Judgement;
  readonly memory: Memory;
  /** What windows and freezes say; absent where nobody asked them. */
  readonly timing?: Timing;
}

/** A step that bites ends the decision: what happens, and why. */
export interface RuleResult {
  readonly action: Action;
  readonly reason: Reason;
}

export interface DecisionStep {
  readonly code: ReasonCode;
  readonly check: (evaluation: Evaluation) => RuleResult | undefined;
}
