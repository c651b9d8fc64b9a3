/**
 * Each distinct value of a column once; a code is the value's place in `values`. Code 0 is
 * "absent".
 */
export interface Interned<T> {
  readonly values: readonly T[];
  /** The code of a value; of `undefined`, 0. */
  codeOf(value: T | undefined): number;
}

/** Interns texts. `values[0]` is the empty text, which stands for absence and for nothing else. */
export function internTexts(): Interned<string> {
  return internBy('', (text) => text);
}

/**
 * Interns values of any kind; two values are the same when `keyOf` says so.
 * `absent` fills the place of code 0, so that `values[code]` is total.
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
