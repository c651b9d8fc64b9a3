import type { GuardrailVerdict } from '../model/plan/plan.ts';
import type { Sighted } from '../model/plan/coverage.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { Allowance } from './allowances.ts';
import type { CountedChange } from './counted.ts';

/** The input of a rule: one limit, the changes that count, and the exceptions that raise it. */
export interface RuleInput {
  readonly limit: number;
  readonly allowances: readonly Allowance[];
  readonly counted: readonly CountedChange[];
  readonly snapshot: Snapshot;
  /** The devices of the reading against those that the ledger knows. */
  readonly sighted: Sighted;
}

export type LimitResult = Omit<GuardrailVerdict, 'guardrail' | 'limit' | 'at'>;

/** A rule evaluates one limit; a rule about sites may return several results. */
export type LimitRule = (input: RuleInput) => readonly LimitResult[];
