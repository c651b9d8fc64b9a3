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

/** Numbers values in the order of their first use, from 1; equal texts and the same object have one number. */
export function numberValues(): (value: unknown) => number {
  const numbers = new Map<unknown, number>();
  return (value) => {
    const known = numbers.get(value);
    if (known !== undefined) return known;
    numbers.set(value, numbers.size + 1);
    return numbers.size;
  };
}
