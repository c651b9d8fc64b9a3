import type { CodedColumn } from '../lib/columns.ts';
import type { Selector, SelectorKeys } from '../model/documents/policy.ts';
import { type Clause, type DeviceFacets, NAMING_KEYS, TEXT_OF, compileClauses } from './clauses.ts';
import { compileGlob } from '../lib/glob.ts';
import { addTo, getOrAdd } from '../lib/maps.ts';
import { addBit, bitsIn, dropBits, hasBit, keepBits, noBits, type Bits } from './bit-set.ts';

/** Evaluates many selectors on one fleet: returns the ascending numbers of those that select a row, or may (semantics M20). */
export type Matcher = (row: number) => {
  readonly sure: readonly number[];
  readonly unclear: readonly number[];
};

/** The selectors that a row satisfies, and those of which it is unclear. The sets are valid until the next call. */
export interface MatchedBits {
  readonly sure: Bits;
  readonly unclear: Bits;
}

/** Selectors that a row surely satisfies, and those that it satisfies or may satisfy; one set where that is the same. */
interface Passed {
  readonly sure: Bits;
  readonly possible: Bits;
}

/**
 * The selectors that a row satisfies for one key, at least those of `open`, which other keys leave.
 * The sets are valid until the next call.
 */
type Passing = (row: number, open: Bits) => Passed;

/**
 * Compiles selectors so that the cost per row does not grow with their number. Each key stores, per
 * distinct value of its column, the set of selectors that the value satisfies, computed on first
 * use. A row's result is the intersection of its sets minus the intersection of the sets under
 * `not`.
 */
export function createMatcher(selectors: readonly Selector[], facets: DeviceFacets): Matcher {
  const match = matchBits(selectors, facets);
  return (row) => {
    const { sure, unclear } = match(row);
    return { sure: bitsIn(sure), unclear: bitsIn(unclear) };
  };
}

/** The same as sets of numbers. */
export function matchBits(
  selectors: readonly Selector[],
  facets: DeviceFacets,
): (row: number) => MatchedBits {
  const wanted = intersection(selectors, facets);
  const unwanted = intersection(
    selectors.map((selector) => selector.not),
    facets,
  );
  const none = noBits(selectors.length);
  return (row) => {
    const [found, refused] = [wanted(row), unwanted(row)];
    const { sure, possible } = found;
    const isClear = possible === sure && refused.possible === refused.sure;
    const unclear = isClear ? none : possible.slice();
    dropBits(sure, refused.possible);
    if (!isClear) {
      dropBits(unclear, refused.sure);
      dropBits(unclear, sure);
    }
    return { sure, unclear };
  };
}

/** The selectors of which a row satisfies every key, surely or perhaps; an absent selector selects nothing. */
function intersection(
  all: readonly (SelectorKeys | undefined)[],
  facets: DeviceFacets,
): (row: number) => Passed {
  const present = noBits(all.length);
  const byKey = new Map<Clause['key'], Map<string, KeyUsers>>();
  for (const [index, keys] of all.entries()) {
    if (!keys) continue;
    addBit(present, index);
    for (const clause of compileClauses(keys, facets)) addKeyUser(byKey, { index, keys, clause });
  }
  // Globs over names cost most, and are evaluated only for selectors that all other keys leave.
  const steps = [...byKey]
    .sort(([a], [b]) => Number(a in NAMING_KEYS) - Number(b in NAMING_KEYS))
    .map(([key, byWords]) => {
      const users = [...byWords.values()];
      return isText(key)
        ? byText(facets.rows.text[TEXT_OF[key]], users, all.length)
        : byValue(users, all.length);
    });
  const sure = noBits(all.length);
  return (row) => {
    sure.set(present);
    let possible = sure;
    for (const passing of steps) {
      const passed = passing(row, possible);
      if (possible === sure && passed.possible !== passed.sure) possible = sure.slice();
      keepBits(sure, passed.sure);
      if (possible !== sure) keepBits(possible, passed.possible);
    }
    return { sure, possible };
  };
}

function isText(key: Clause['key']): key is keyof typeof TEXT_OF {
  return key in TEXT_OF;
}

/** The selectors with exactly the same value for a key, which is evaluated once for all of them. */
interface KeyUsers {
  readonly indexes: number[];
  readonly clause: Clause;
  readonly globs: readonly string[];
}

function addKeyUser(
  byKey: Map<Clause['key'], Map<string, KeyUsers>>,
  { index, keys, clause }: { index: number; keys: SelectorKeys; clause: Clause },
): void {
  const { key } = clause;
  const words = JSON.stringify(keys[key]);
  const byWords = getOrAdd(byKey, key, () => new Map<string, KeyUsers>());
  const known = byWords.get(words);
  if (known) known.indexes.push(index);
  else
    byWords.set(words, { indexes: [index], clause, globs: isText(key) ? (keys[key] ?? []) : [] });
}

function byValue(users: readonly KeyUsers[], size: number): Passing {
  const open = withoutKey(users, size);
  const made: Passed[] = [];
  const passingFor = (code: number): Passed => {
    const sure = open.slice();
    const unclear: number[] = [];
    for (const { indexes, clause } of users) {
      const holds = clause.holds(code);
      if (holds === true) for (const index of indexes) addBit(sure, index);
      else if (holds === 'maybe') unclear.push(...indexes);
    }
    if (unclear.length === 0) return { sure, possible: sure };
    const possible = sure.slice();
    for (const index of unclear) addBit(possible, index);
    return { sure, possible };
  };
  const codes = users[0]?.clause.codes;
  return orUnread(users, open, (row) => {
    const code = codes?.[row] ?? 0;
    return (made[code] ??= passingFor(code));
  });
}

/** A field that could not be read may satisfy every selector with its key. */
function orUnread(users: readonly KeyUsers[], open: Bits, passing: Passing): Passing {
  const unread = { sure: open, possible: noBits(open.length * 32).fill(0xffff_ffff) };
  const isUnread = users[0]?.clause.isUnread ?? (() => false);
  return (row, left) => (isUnread(row) ? unread : passing(row, left));
}

function byText(
  { values, codes }: CodedColumn<string>,
  users: readonly KeyUsers[],
  size: number,
): Passing {
  const unnamed = withoutKey(users, size);
  const passing = indexTexts(users, unnamed);
  const every = withoutKey([], size);
  // Sets are kept where they take less memory than the rows; not of names, of which each device has its own.
  const isKept = values.length * size <= 8 * codes.length;
  const made: Bits[] = [];
  return orUnread(users, unnamed, (row, open) => {
    const code = codes[row] ?? 0;
    const find = (among: Bits): Bits => passing(code === 0 ? undefined : values[code], among);
    const sure = isKept ? (made[code] ??= find(every).slice()) : find(open);
    return { sure, possible: sure };
  });
}

/** The selectors without the key, which any value satisfies. */
function withoutKey(users: readonly KeyUsers[], size: number): Bits {
  const open = noBits(size).fill(0xffff_ffff);
  for (const index of users.flatMap(({ indexes }) => indexes))
    open[index >>> 5] = (open[index >>> 5] ?? 0) & ~(1 << (index & 31));
  return open;
}

/** Longer ends are truncated: they would only add look-ups per name. */
const END_LENGTH = 16;

interface IndexedGlob extends Pick<KeyUsers, 'indexes'> {
  matches(name: string): boolean;
}

/**
 * Matches the texts of a column. Those without a wildcard use a map, globs the longer one of their two ends, so that the
 * cost per text does not grow with the number of selectors. `unnamed` are the selectors without the key; globs of
 * selectors that are not `open` are not evaluated. The returned set is valid until the next call.
 */
function indexTexts(
  all: readonly KeyUsers[],
  unnamed: Bits,
): (name: string | undefined, open: Bits) => Bits {
  const exact = new Map<string, number[][]>();
  const [byHead, byTail] = [new Map<string, IndexedGlob[]>(), new Map<string, IndexedGlob[]>()];
  for (const { indexes, globs } of all)
    for (const glob of globs) {
      const [head = '', ...others] = glob.split(/[*?]/);
      const tail = others.at(-1) ?? '';
      const indexed = { indexes, matches: compileGlob(glob) };
      if (others.length === 0) addTo(exact, glob, indexes);
      else if (tail.length > head.length) addTo(byTail, tail.slice(-END_LENGTH), indexed);
      else addTo(byHead, head.slice(0, END_LENGTH), indexed);
    }
  const [heads = [], tails = []] = [byHead, byTail].map(
    (globs) => new Set([...globs.keys()].map(({ length }) => length)),
  );
  const found = unnamed.slice();
  return (name, open) => {
    found.set(unnamed);
    if (name === undefined) return found;
    for (const index of exact.get(name)?.flat() ?? []) addBit(found, index);
    const tryAll = (globs: readonly IndexedGlob[] = []): void => {
      for (const { indexes, matches } of globs)
        if (indexes.some((index) => hasBit(open, index)) && matches(name))
          for (const index of indexes) addBit(found, index);
    };
    for (const length of heads) tryAll(byHead.get(name.slice(0, length)));
    for (const length of tails) tryAll(byTail.get(name.slice(-length)));
    return found;
  };
}
