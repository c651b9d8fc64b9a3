import type { Selector, SelectorKeys } from '../model/policy.ts';
import { addBit, bitsIn, dropBits, keepBits, noBits, type Bits } from './bits.ts';
import { clausesOf, NAMING_KEYS, type Clause, type Facets } from './clauses.ts';
import { indexNames } from './name-index.ts';

/** Many selectors against one fleet: the numbers of those that select a row, ascending. */
export type Matcher = (row: number) => readonly number[];

/** The selectors that pass one key for a row; the set is valid until the next call. */
type Passing = (row: number) => Bits;

/**
 * Compiles selectors so that the cost per row does not grow with their number. Each key keeps, for
 * every distinct value of its column, the set of selectors that this value satisfies; a row is the
 * intersection of the sets of its values, less the intersection of those under `not`: a device is
 * excluded only by a `not` that matches it. A set is made when its value is first met.
 */
export function createMatcher(selectors: readonly Selector[], facets: Facets): Matcher {
  const wanted = intersection(selectors, facets);
  const unwanted = intersection(
    selectors.map((selector) => selector.not),
    facets,
  );
  const found = noBits(selectors.length);
  const refused = noBits(selectors.length);
  return (row) => {
    wanted(row, found);
    unwanted(row, refused);
    dropBits(found, refused);
    return bitsIn(found);
  };
}

/** Fills a set with the selectors that pass every key; one that is absent selects nothing. */
function intersection(
  all: readonly (SelectorKeys | undefined)[],
  facets: Facets,
): (row: number, into: Bits) => void {
  const present = noBits(all.length);
  const byKey = new Map<Clause['key'], Asking[]>();
  for (const [index, keys] of all.entries()) {
    if (!keys) continue;
    addBit(present, index);
    for (const clause of clausesOf(keys, facets)) {
      const asking = byKey.get(clause.key) ?? [];
      byKey.set(clause.key, asking);
      asking.push({ index, clause, globs: globsOf(keys, clause.key) });
    }
  }
  const steps = [...byKey].map(([key, asking]) =>
    key === 'device' || key === 'name'
      ? byName(facets.rows.text[NAMING_KEYS[key]], asking, all.length)
      : byValue(asking, all.length),
  );
  return (row, into) => {
    into.set(present);
    for (const passing of steps) keepBits(into, passing(row));
  };
}

/** A selector that uses a key, by its number. */
interface Asking {
  readonly index: number;
  readonly clause: Clause;
  readonly globs: readonly string[];
}

function globsOf(keys: SelectorKeys, key: Clause['key']): readonly string[] {
  return key === 'device' || key === 'name' ? (keys[key] ?? []) : [];
}

function byValue(asking: readonly Asking[], size: number): Passing {
  const open = openTo(asking, size);
  const made: Bits[] = [];
  const passingFor = (code: number): Bits => {
    const passing = open.slice();
    for (const { index, clause } of asking) if (clause.holds(code)) addBit(passing, index);
    return passing;
  };
  const codes = asking[0]?.clause.codes;
  return (row) => {
    const code = codes?.[row] ?? 0;
    return (made[code] ??= passingFor(code));
  };
}

function byName(
  { values, codes }: { readonly values: readonly string[]; readonly codes: Uint32Array },
  asking: readonly Asking[],
  size: number,
): Passing {
  const passing = indexNames(asking, openTo(asking, size));
  return (row) => {
    const code = codes[row] ?? 0;
    return passing(code === 0 ? undefined : values[code]);
  };
}

/** The selectors that do not use the key, and so pass it with any value. */
function openTo(asking: readonly Asking[], size: number): Bits {
  const open = noBits(size).fill(0xffff_ffff);
  for (const { index } of asking)
    open[index >>> 5] = (open[index >>> 5] ?? 0) & ~(1 << (index & 31));
  return open;
}
