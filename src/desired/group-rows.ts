import type { Selector } from '../model/documents/policy.ts';
import { once } from '../lib/compute-once.ts';
import { getOrAdd } from '../lib/maps.ts';
import { bitsIn, hashBits, holdsExactly } from './bit-set.ts';
import type { DeviceFacets, KnownSets, MatchedSet } from './clauses.ts';
import { type MatchedBits, matchBits } from './matcher.ts';

/** The rows that exactly the same selectors select, or may select. */
export interface RowSet extends MatchedSet {
  readonly firstRow: number;
  readonly count: number;
}

/** The rows of a fleet by their selectors: `sets[codes[row]]` is the set of a row. */
export interface RowSets {
  readonly codes: Uint32Array;
  readonly sets: readonly RowSet[];
}

/** The reads of a plan and the plan itself ask for the same lists: of its groups, its policies, and those without an exception. */
const MOST_KNOWN = 4;

/**
 * Groups rows by their selectors. A row that was grouped before is not matched again, were it with other rows of its
 * reading. Of the sets only the numbers are kept: a bit for each selector and row would need hundreds of megabytes
 * where each device has a policy of its own.
 */
export function groupRows(selectors: readonly Selector[], facets: DeviceFacets): RowSets {
  const { values, codes: ids } = facets.rows.text.id;
  const known = knownSets(selectors, facets.known, values.length);
  const matcher = once(() => matchBits(selectors, facets));
  const codes = new Uint32Array(ids.length);
  const sets: (RowSet & { count: number })[] = [];
  const codeOf = new Map<MatchedSet, number>();
  for (const [row, id] of ids.entries()) {
    const matched = (known.ofId[id] ??= enterSet(known, matcher()(row)));
    const code = getOrAdd(
      codeOf,
      matched,
      () => sets.push({ ...matched, firstRow: row, count: 0 }) - 1,
    );
    codes[row] = code;
    const set = sets[code];
    if (set) set.count++;
  }
  return { codes, sets };
}

function knownSets(selectors: readonly Selector[], known: KnownSets[], length: number): KnownSets {
  const isSame = (others: KnownSets['selectors']): boolean =>
    others.length === selectors.length && others.every((one, index) => one === selectors[index]);
  const before = known.find((each) => isSame(each.selectors));
  if (before) return before;
  const made = { selectors, ofId: Array.from<undefined>({ length }), byHash: new Map() };
  known.push(made);
  if (known.length > MOST_KNOWN) known.shift();
  return made;
}

function enterSet({ byHash }: KnownSets, { sure, unclear }: MatchedBits): MatchedSet {
  const alike = getOrAdd(byHash, hashBits(sure) + hashBits(unclear), () => []);
  const equal = alike.find(
    (set) => holdsExactly(sure, set.indexes) && holdsExactly(unclear, set.unclear),
  );
  if (equal) return equal;
  const made = { indexes: bitsIn(sure), unclear: bitsIn(unclear) };
  alike.push(made);
  return made;
}
