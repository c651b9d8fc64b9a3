import type { Matcher } from './matcher.ts';

/** The rows that the very same selectors select. */
export interface RowSet {
  /** Numbers of the selectors, ascending. */
  readonly indexes: readonly number[];
  readonly firstRow: number;
  readonly count: number;
}

/** Sorts rows by what selects them: `sets[codes[row]]` is the set of a row. */
export function groupRows(
  match: Matcher,
  length: number,
): { readonly codes: Uint32Array; readonly sets: readonly RowSet[] } {
  const codes = new Uint32Array(length);
  const sets: { indexes: readonly number[]; firstRow: number; count: number }[] = [];
  const codeOf = new Map<string, number>();
  for (let row = 0; row < length; row++) {
    const indexes = match(row);
    const key = indexes.join(' ');
    const code = codeOf.get(key) ?? sets.push({ indexes, firstRow: row, count: 0 }) - 1;
    codeOf.set(key, code);
    codes[row] = code;
    const set = sets[code];
    if (set) set.count++;
  }
  return { codes, sets };
}
