/** Both numbers of a pair are below this, so that a pair is one exact number. */
const LIMIT = 2 ** 26;

/** Numbers pairs of numbers in the order of their first use, from 1: equal pairs have one number. */
export function numberPairs(): (a: number, b: number) => number {
  const numbers = new Map<number, number>();
  return (a, b) => {
    const pair = a * LIMIT + b;
    const known = numbers.get(pair);
    if (known !== undefined) return known;
    numbers.set(pair, numbers.size + 1);
    return numbers.size;
  };
}

const LIST = Symbol('list');
const OBJECT = Symbol('object');

/**
 * Numbers JSON values in the order of their first use: equal ones have one number, and no two others do. Members in
 * another order are another value.
 */
export function numberValues(): (value: unknown) => number {
  const leaves = new Map<unknown, number>();
  const numberPair = numberPairs();
  // Leaves are odd and all else is even, so that no list has the number of a text.
  const leafNumber = (leaf: unknown): number => {
    const known = leaves.get(leaf);
    if (known !== undefined) return known;
    const number = 2 * leaves.size + 1;
    leaves.set(leaf, number);
    return number;
  };
  const joined = (a: number, b: number): number => 2 * numberPair(a, b);
  const numberOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return leafNumber(value);
    let number = leafNumber(Array.isArray(value) ? LIST : OBJECT);
    for (const name in value) {
      number = joined(number, leafNumber(name));
      number = joined(number, numberOf((value as Readonly<Record<string, unknown>>)[name]));
    }
    return number;
  };
  return numberOf;
}

/** The code of a value in a column, by the index of its row. */
type CodeAt = (index: number) => number;

/**
 * Numbers rows in the order of their first index, from 0: those with the same codes in all columns have one number.
 * Codes are compared, so that two rows with one hash stay two.
 */
export function numberTuples(length: number, columns: readonly CodeAt[]): Uint32Array {
  const numbers = new Uint32Array(length);
  const firsts: number[] = [];
  const known = new Map<number, number[]>();
  const isSame = (one: number, other: number): boolean =>
    columns.every((codeAt) => codeAt(one) === codeAt(other));
  for (let index = 0; index < length; index += 1) {
    let hash = 0;
    for (const codeAt of columns) hash = (Math.imul(hash, 0x01000193) + codeAt(index)) | 0;
    const alike = known.get(hash) ?? [];
    let number = alike.find((each) => isSame(firsts[each] ?? 0, index));
    if (number === undefined) {
      number = firsts.push(index) - 1;
      known.set(hash, [...alike, number]);
    }
    numbers[index] = number;
  }
  return numbers;
}
