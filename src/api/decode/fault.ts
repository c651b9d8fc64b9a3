import type { DialectKey } from '../../model/fleet/dialect.ts';

/** An answer that was not understood, and where. */
export class Fault {
  /** The place in the answer, as the dialect names it: `passwords[].expiry`. */
  readonly at: string;
  /** The keys that name the field, and how its values are read; none where every service has the name. */
  readonly keys: readonly DialectKey[];
  readonly value: unknown;

  constructor(at: string, keys: readonly DialectKey[], value?: unknown) {
    this.at = at;
    this.keys = keys;
    this.value = value;
  }
}

export function isFault(reading: unknown): reading is Fault {
  return reading instanceof Fault;
}

/** All readings, or the first fault among them. */
export function allRead<T>(values: readonly (T | Fault)[]): readonly T[] | Fault {
  const read: T[] = [];
  for (const value of values) {
    if (isFault(value)) return value;
    read.push(value);
  }
  return read;
}
