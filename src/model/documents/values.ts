/** An absolute number, or a share in percent (10 means 10 %). */
export type BudgetLimit = { readonly count: number } | { readonly percent: number };

/** A target version: an exact string, a range or x-range, or the newest that is approved. */
export type VersionSpec =
  | { readonly is: 'exact'; readonly version: string }
  | { readonly is: 'range'; readonly text: string }
  | { readonly is: 'approved' };
