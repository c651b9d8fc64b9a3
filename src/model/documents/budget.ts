import type { MeantBudget } from './meant.gen.ts';

export interface Budget extends Omit<MeantBudget, 'treatPartialAs' | 'treatUnknownAs'> {
  readonly partialIsDown: boolean;
  readonly unknownIsDown: boolean;
}

/** The set that a budget counts separately: each site, each redundancy group, and so on. */
export type BudgetScope = Budget['per'];
