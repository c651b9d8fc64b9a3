import { type Bytes, NOT_READ, QUOTE, skipColon, skipText, startsWith } from './json-bytes.ts';
import { copyAt, hash, parseAt } from './shared-values.ts';

/** A name of a member with its quotes, and its meaning. */
export interface ObjectKey<T> {
  readonly bytes: Bytes;
  readonly meaning: T | undefined;
  /** The name that came behind it the last time. */
  next: ObjectKey<T> | undefined;
}

/** More names than this are no form that rows share. */
const MOST = 1_024;

/** The names of the members of one kind of object, known again by their bytes; most rows have them in one order. */
export class ObjectKeys<T> {
  readonly #meanings: ReadonlyMap<string, T>;
  readonly #known = new Map<number, ObjectKey<T>>();
  /** Stands before the first name of an object. */
  readonly start: ObjectKey<T>;
  /** The index of the value behind the last name that was read. */
  end = 0;

  constructor(meanings: ReadonlyMap<string, T>) {
    this.#meanings = meanings;
    this.start = { bytes: new Uint8Array(), meaning: undefined, next: undefined };
  }

  /** The name at an index; undefined where there is none that is accepted. */
  at(bytes: Bytes, from: number, previous: ObjectKey<T>): ObjectKey<T> | undefined {
    const { next } = previous;
    const key = next && startsWith(bytes, from, next.bytes) ? next : this.#find(bytes, from);
    if (!key) return undefined;
    previous.next = key;
    this.end = skipColon(bytes, from + key.bytes.length);
    return this.end === NOT_READ ? undefined : key;
  }

  #find(bytes: Bytes, from: number): ObjectKey<T> | undefined {
    const end = bytes[from] === QUOTE ? skipText(bytes, from) : NOT_READ;
    if (end === NOT_READ) return undefined;
    const sum = hash(bytes, from, end);
    const known = this.#known.get(sum);
    if (known && known.bytes.length === end - from && startsWith(bytes, from, known.bytes))
      return known;
    const name = parseAt(bytes, from, end) as string;
    const meaning = this.#meanings.get(name);
    const key = { bytes: copyAt(bytes, from, end), meaning, next: undefined };
    if (this.#known.size < MOST) this.#known.set(sum, key);
    return key;
  }
}
