import type { Selector } from '../model/documents/policy.ts';
import { bitsIn, hashBits, holdsExactly } from './bit-set.ts';
import type { DeviceFacets } from './clauses.ts';
import { matchBits } from './matcher.ts';

/** The rows that exactly the same selectors select, or may select. */
export interface RowSet {
  /** The ascending numbers of the selectors that surely select them. */
  readonly indexes: readonly number[];
  /** And of those of which it is unclear (semantics M20). */
  readonly unclear: readonly number[];
  readonly firstRow: number;
  readonly count: number;
}

/** The rows of a fleet by their selectors: `sets[codes[row]]` is the set of a row. */
export interface RowSets {
  readonly codes: Uint32Array;
  readonly sets: readonly RowSet[];
}

/**
 * Groups rows by their selectors. Of the sets only the numbers are kept: a bit for each selector and row would need
 * hundreds of megabytes where each device has a policy of its own.
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
  const sets: (RowSet & { count: number })[] = [];
  const byHash = new Map<number, number[]>();
  for (let row = 0; row < codes.length; row++) {
    const { sure, unclear } = match(row);
    const hash = hashBits(sure) + hashBits(unclear);
    const alike = byHash.get(hash);
    let code = alike?.find((each) => {
      const set = sets[each];
      return holdsExactly(sure, set?.indexes ?? []) && holdsExactly(unclear, set?.unclear ?? []);
    });
    if (code === undefined) {
      const [indexes, others] = [bitsIn(sure), bitsIn(unclear)];
      code = sets.push({ indexes, unclear: others, firstRow: row, count: 0 }) - 1;
      if (alike) alike.push(code);
      else byHash.set(hash, [code]);
    }
    codes[row] = code;
    const set = sets[code];
    if (set) set.count++;
  }
  return { codes, sets };
}
