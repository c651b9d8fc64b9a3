import { matchesGlob } from '../lib/glob.ts';
import type { Glob } from '../model/documents/policy.ts';
import { addBit, type Bits } from './bits.ts';

/** Globs of one selector, which has the number `index`. */
export interface NamedGlobs {
  readonly index: number;
  readonly globs: readonly Glob[];
}

/** Prefixes longer than this are cut: more would only mean more look-ups per name. */
const PREFIX_LENGTH = 6;

/**
 * Which selectors a name satisfies, for columns where nearly every device has a name of its own.
 * Names without a wildcard are found by look-up, globs by the text before their first wildcard, so
 * that the cost of a name does not grow with the number of selectors. `open` are the selectors that
 * do not ask for a name; the returned set is valid until the next call.
 */
export function indexNames(
  all: readonly NamedGlobs[],
  open: Bits,
): (name: string | undefined) => Bits {
  const exact = new Map<string, number[]>();
  const byPrefix = new Map<string, { readonly index: number; readonly glob: Glob }[]>();
  for (const { index, globs } of all) {
    for (const glob of globs) {
      const prefix = /^[^*?]*/.exec(glob)?.[0] ?? '';
      if (prefix === glob) listAt(exact, glob).push(index);
      else listAt(byPrefix, prefix.slice(0, PREFIX_LENGTH)).push({ index, glob });
    }
  }
  const lengths = [...new Set([...byPrefix.keys()].map((prefix) => prefix.length))];
  const found = open.slice();
  return (name) => {
    found.set(open);
    if (name === undefined) return found;
    for (const index of exact.get(name) ?? []) addBit(found, index);
    for (const length of lengths) {
      for (const { index, glob } of byPrefix.get(name.slice(0, length)) ?? [])
        if (matchesGlob(glob, name)) addBit(found, index);
    }
    return found;
  };
}

function listAt<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
