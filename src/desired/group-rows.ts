import type { Selector } from '../model/documents/policy.ts';
import { bitsIn, hashBits, sameBits, type Bits } from './bit-set.ts';
import type { DeviceFacets } from './clauses.ts';
import { matchBits } from './matcher.ts';

/** The rows that exactly the same selectors select. */
export interface RowSet {
  /** The ascending numbers of the selectors. */
  readonly indexes: readonly number[];
  readonly firstRow: number;
  readonly count: number;
}

/** The rows of a fleet by their selectors: `sets[codes[row]]` is the set of a row. */
export interface RowSets {
  readonly codes: Uint32Array;
  readonly sets: readonly RowSet[];
}

/**
 * Groups rows by their selectors. Sets are compared as bits, since a list and a text for each row cost more than
 * the matching itself.
 */
export function groupRows(selectors: readonly Selector[], facets: DeviceFacets): RowSets {
  const last = LAST.get(facets);
  if (last && isSame(last.selectors, selectors)) return last.grouped;
  const grouped = group(selectors, facets);
  LAST.set(facets, { selectors, grouped });
  return grouped;
}

/** The last result for each fleet: the reads of a plan and the plan itself ask for the same one. */
const LAST = new WeakMap<
  DeviceFacets,
  { readonly selectors: readonly Selector[]; readonly grouped: RowSets }
>();

function isSame(some: readonly Selector[], others: readonly Selector[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

function group(selectors: readonly Selector[], facets: DeviceFacets): RowSets {
  const match = matchBits(selectors, facets);
  const codes = new Uint32Array(facets.rows.length);
  const sets: { indexes: readonly number[]; firstRow: number; count: number }[] = [];
  const known = new Map<number, { readonly bits: Bits; readonly code: number }[]>();
  for (let row = 0; row < codes.length; row++) {
    const found = match(row);
    const hash = hashBits(found);
    const alike = known.get(hash) ?? [];
    let same = alike.find(({ bits }) => sameBits(bits, found));
    if (!same) {
      const code = sets.push({ indexes: bitsIn(found), firstRow: row, count: 0 }) - 1;
      same = { bits: found.slice(), code };
      known.set(hash, [...alike, same]);
    }
    codes[row] = same.code;
    const set = sets[same.code];
    if (set) set.count++;
  }
  return { codes, sets };
}
