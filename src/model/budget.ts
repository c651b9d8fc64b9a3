import type { Selector } from './selector.ts';

/** An absolute number, or a share in percent (10 means 10 %). */
export type Limit = { readonly count: number } | { readonly percent: number };

export interface Budget {
  readonly select?: Selector;
  readonly per: 'site' | 'fleet';
  readonly maxUnavailable?: Limit;
  readonly minAvailable?: number;
  readonly maxInFlight?: number;
  readonly partialIsDown: boolean;
  readonly unknownIsDown: boolean;
}
