import type { Milliseconds } from '../../lib/time.ts';

/** An absolute number, or a share in percent (10 means 10 %). */
export type BudgetLimit = { readonly count: number } | { readonly percent: number };

/**
 * A target version: an exact string, a range or x-range, or the newest that is approved. A floor is
 * none: no lower version is right, and nothing starts (semantics F12).
 */
export type VersionSpec =
  | { readonly is: 'exact' | 'floor'; readonly version: string }
  | { readonly is: 'range'; readonly text: string }
  | { readonly is: 'approved' };

/** A firmware policy whose devices come first: those at the site of a device, or all (semantics K28). */
export interface After {
  readonly policy: string;
  readonly per: 'site' | 'fleet';
  /** How long one of them may be offline before it is left out; absent: it is waited for. */
  readonly ignoreOffline?: Milliseconds;
}
