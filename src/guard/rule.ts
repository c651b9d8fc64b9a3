import type { GuardrailVerdict } from '../model/plan/plan.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { Allowance } from './allowances.ts';
import type { CountedChange } from './counted.ts';

/** What a rule judges: one written limit, what counts against it, and what raises it. */
export interface RuleInput {
  readonly limit: number;
  readonly allowances: readonly Allowance[];
  readonly counted: readonly CountedChange[];
  readonly snapshot: Snapshot;
  readonly memory: Pick<Memory, 'lastVisible'>;
  /** Anything is wanted, covered by a running rollout or not. */
  readonly isWanted: boolean;
}

export type LimitResult = Omit<GuardrailVerdict, 'guardrail' | 'limit' | 'at'>;

/** One rule judges one limit; a rule that looks at sites may find several. */
export type LimitRule = (input: RuleInput) => readonly LimitResult[];
