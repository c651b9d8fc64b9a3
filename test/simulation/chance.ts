/** Chance of a seed. Streams of different names never disturb each other. */
export interface Chance {
  /** Uniform in [0, 1). */
  next(): number;
  /** Whether something of this probability happens. */
  is(probability: number): boolean;
  /** A whole number from `from` to `to`, both included. */
  int(from: number, to: number): number;
  /** The same, with small numbers as likely as large ones by their magnitude. */
  magnitude(from: number, to: number): number;
  /** One of a list that is not empty. */
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T;
  /** So many of a list, or all of it where it is shorter. */
  some<T>(list: readonly T[], count: number): readonly T[];
}

/** The stream of a name under a seed: the same two give the same stream. */
export function chanceOf(seed: number, name: string): Chance {
  let state = mixed(seed ^ hashOf(name));
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    return mixed(state) / 2 ** 32;
  };
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const pick = <T>(list: readonly T[]): T => {
    const [item] = list.slice(int(0, list.length - 1));
    if (item === undefined) throw new RangeError(`${name}: nothing to pick from`);
    return item;
  };
  return {
    next,
    is: (probability) => next() < probability,
    int,
    magnitude: (from, to) =>
      Math.min(to, Math.floor(from * Math.exp(next() * Math.log((to + 1) / from)))),
    pick,
    some: (list, count) => {
      const left = [...list];
      const taken = Math.min(count, left.length);
      return Array.from({ length: taken }, () => left.splice(int(0, left.length - 1), 1)).flat();
    },
  };
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

function mixed(state: number): number {
  let mix = Math.imul(state ^ (state >>> 15), state | 1);
  mix ^= mix + Math.imul(mix ^ (mix >>> 7), mix | 61);
  return (mix ^ (mix >>> 14)) >>> 0;
}
