import type { MeantBudget } from './meant.gen.ts';

/** A budget. Without a rule for single devices, the device type decides. */
export type Budget = MeantBudget;

/** The set that a budget counts separately: each site, each redundancy group, and so on. */
export type BudgetScope = Budget['per'];
