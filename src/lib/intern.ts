/** The distinct values of a column. A code is an index into `values`; code 0 means "absent". */
export interface Interned<T> {
  readonly values: readonly T[];
  /** The code of a value; 0 for `undefined`. */
  codeOf(value: T | undefined): number;
}

/** Interns texts. `values[0]` is the empty text and means only "absent". */
export function internTexts(): Interned<string> {
  return internBy('', (text) => text);
}

/**
 * Interns values of any type; values with the same `keyOf` are the same. `absent` becomes
 * `values[0]`, so that `values[code]` is always defined.
 */
export function internBy<T>(absent: T, keyOf: (value: T) => string): Interned<T> {
  const values: T[] = [absent];
  const codes = new Map<string, number>();
  return {
    values,
    codeOf(value) {
      if (value === undefined) return 0;
      const key = keyOf(value);
      const known = codes.get(key);
      if (known !== undefined) return known;
      codes.set(key, values.length);
      return values.push(value) - 1;
    },
  };
}

/**
 * A text that differs where flat objects do: each name and value has its length before it, as a value may hold any
 * character. Members in another order are another object, as for `JSON.stringify`, which costs three times as much.
 */
export function flatKey<T extends object>(members: T): string {
  let key = '';
  for (const name in members) {
    const value = String(members[name]);
    key += `${name.length}:${name}${typeof members[name]}${value.length}:${value}`;
  }
  return key;
}
