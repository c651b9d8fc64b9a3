/** Gives each entry of a section a name that no other has. */
export interface EntryNames {
  /** The name for these words: lower-case letters, digits and dashes, with a number if it is taken. */
  claim(...words: readonly string[]): string;
}

/** The most characters of an entry's name, with room for a number. */
const MOST = 58;

/** Words that no document takes as a key. */
const REFUSED = ['constructor', 'prototype'];

/**
 * Names for one section. The same words in the same order give the same names.
 * @param used names that other entries have
 */
export function createNames(used: Iterable<string>): EntryNames {
  const taken = new Set([...REFUSED, ...used]);
  return {
    claim(...words) {
      const base = joinWords(words);
      let name = base;
      for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
      taken.add(name);
      return name;
    },
  };
}

function joinWords(words: readonly string[]): string {
  const parts = words.flatMap((word) => word.toLowerCase().match(/[a-z0-9]+/g) ?? []);
  const name = parts.join('-').slice(0, MOST).replace(/-+$/, '');
  return name === '' ? 'unnamed' : name;
}
