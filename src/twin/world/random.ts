/** A seeded generator. The same state gives the same future; `state` is all that a world saves. */
export interface SeededRandom {
  readonly state: number;
  /** Uniform in [0, 1). */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  /** An item of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** Lower-case hexadecimal digits. */
  hex(digits: number): string;
}

/** A generator (mulberry32) that continues from a state: a 32-bit number, such as a seed. */
export function randomFrom(initial: number): SeededRandom {
  let state = initial >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    get state() {
      return state;
    },
    next,
    between,
    pick: (list) => chosen(list, between(0, list.length - 1)),
    hex: (digits) => Array.from({ length: digits }, () => between(0, 15).toString(16)).join(''),
  };
}

/** An ID in the format of a random UUID, from the seed. */
export function uuidFrom(random: SeededRandom): string {
  const variant = random.pick(['8', '9', 'a', 'b']);
  return [
    random.hex(8),
    random.hex(4),
    `4${random.hex(3)}`,
    `${variant}${random.hex(3)}`,
    random.hex(12),
  ].join('-');
}

function chosen<T>(list: readonly T[], index: number): T {
  const [item] = list.slice(index, index + 1);
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}
