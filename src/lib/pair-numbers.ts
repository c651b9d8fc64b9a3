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
 */
export function numberTuples(length: number, columns: readonly CodeAt[]): Uint32Array {
  const numbers = new Uint32Array(length);
  const codes = new Uint32Array(length);
  let count = 1;
  for (const codeAt of columns) {
    let most = 0;
    for (let index = 0; index < length; index += 1) {
      const code = codeAt(index);
      codes[index] = code;
      if (code > most) most = code;
    }
    if (most > 0) count = joinColumn(numbers, codes, [count, most + 1]);
  }
  return numbers;
}

/** A table of pairs may have so many places for each row; more are in a map. */
const PLACES = 8;

/** Numbers the pairs of a number and a code, in place of the numbers. Returns how many there are. */
function joinColumn(
  numbers: Uint32Array,
  codes: Uint32Array,
  [count, width]: readonly [number, number],
): number {
  const numberPair = numberPairs();
  const isSmall = count * width <= PLACES * numbers.length;
  const table = new Uint32Array(isSmall ? count * width : 0);
  let last = 0;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    const number = numbers[index] ?? 0;
    const place = number * width + code;
    const known = isSmall ? (table[place] ?? 0) : numberPair(number, code);
    const joined = known || last + 1;
    if (isSmall) table[place] = joined;
    if (joined > last) last = joined;
    numbers[index] = joined - 1;
  }
  return last;
}
