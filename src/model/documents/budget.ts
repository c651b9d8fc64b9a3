import type { MeantBudget } from './meant.gen.ts';

export interface Budget extends Omit<MeantBudget, 'treatPartialAs' | 'treatUnknownAs'> {
  readonly partialIsDown: boolean;
  readonly unknownIsDown: boolean;
}

/** The set that a budget counts separately: each site, each redundancy group, and so on. */
export type BudgetScope = Budget['per'];

/** The rule for a set of one device (semantics B10). Absent: a camera needs no approval, every other type does. */
export type SingletonRule = NonNullable<Budget['singletons']>;
