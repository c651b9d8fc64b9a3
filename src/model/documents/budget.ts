import type { Selector } from './selector.ts';

/** An absolute number, or a share in percent (10 means 10 %). */
export type BudgetLimit = { readonly count: number } | { readonly percent: number };

/** The set that a budget counts separately: each site, each redundancy group, and so on. */
export type BudgetScope = 'site' | 'redundancyGroup' | 'deviceSource' | 'storageServer' | 'fleet';

/** The rule for a set of one device (semantics B10). */
export type SingletonRule = 'allow' | 'requireApproval' | 'block';

export interface Budget {
  readonly select?: Selector;
  readonly per: BudgetScope;
  readonly maxUnavailable?: BudgetLimit;
  readonly minAvailable?: number;
  readonly maxInFlight?: number;
  /** Absent: a camera needs no approval, every other type does. */
  readonly singletons?: SingletonRule;
  readonly partialIsDown: boolean;
  readonly unknownIsDown: boolean;
}
