import type { GuardrailVerdict } from '../model/plan/plan.ts';
import type { Sighted } from '../model/plan/coverage.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { Allowance } from './allowances.ts';
import type { CountedChange } from './counted.ts';
import type { Recount } from './recount.ts';

/** One limit, the changes that count, and the exceptions that raise it. */
export interface LimitInput {
  readonly limit: number;
  readonly allowances: readonly Allowance[];
  readonly counted: readonly CountedChange[];
  readonly snapshot: Snapshot;
  /** The devices of the reading against those that the ledger knows. */
  readonly sighted: Sighted;
}

export type LimitResult = Omit<GuardrailVerdict, 'guardrail' | 'limit' | 'at'>;

/**
 * What a limit counts: a further one is a file with a value of this type, a line in `LIMITS`, its schema and its words.
 */
export interface Limit {
  /** The verdict of the limit; a limit of sites may have several. */
  judge(input: LimitInput): readonly LimitResult[];
  /** Whether a verdict of a saved plan follows from the changes of the plan, and from its own numbers (protocol X18). */
  follows(verdict: GuardrailVerdict, plan: Recount): boolean;
}
