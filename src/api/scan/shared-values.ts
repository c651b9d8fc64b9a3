import { type Bytes, NOT_READ, isEnd, skipValue, startsWith } from './json-bytes.ts';
import type { CodedValue } from './page-columns.ts';

/** A value that was read, and the bytes it was read from. */
export interface SharedValue extends CodedValue {
  readonly bytes: Bytes;
  /** Whether the row has to be parsed: the value was not understood. */
  readonly isOdd: boolean;
}

/** What a device has of a value; `isOdd` where it was not understood. */
export type ReadValue = Pick<SharedValue, 'value' | 'isOdd'>;

/** The values that are kept for a field, and those of them whose bytes have one hash. */
const MOST = 4_096;
const MOST_ALIKE = 8;

/**
 * The values of a field that many devices share, each read once: what a field holds is known again by its bytes. The
 * values before it are tried first, since they save looking for its end.
 */
export class SharedValues {
  readonly #read: (value: unknown) => ReadValue;
  readonly #entries = new Map<number, SharedValue[]>();
  #size = 0;
  #last: SharedValue | undefined;
  /** The index behind the last value that was read. */
  end = 0;

  /** @param read reads a parsed value; it is called once for the same bytes */
  constructor(read: (value: unknown) => ReadValue) {
    this.#read = read;
  }

  /** The value that starts at an index; undefined, with `end` as `NOT_READ`, where it is no JSON that is accepted. */
  at(bytes: Bytes, from: number): SharedValue | undefined {
    const last = this.#last;
    if (last && startsWith(bytes, from, last.bytes) && isEnd(bytes[from + last.bytes.length])) {
      this.end = from + last.bytes.length;
      return last;
    }
    this.end = skipValue(bytes, from);
    if (this.end === NOT_READ) return undefined;
    this.#last = this.#find(bytes, from, this.end);
    return this.#last;
  }

  forget(): void {
    this.#entries.clear();
    this.#size = 0;
    this.#last = undefined;
  }

  #find(bytes: Bytes, from: number, end: number): SharedValue {
    const key = hash(bytes, from, end);
    const alike = this.#entries.get(key);
    if (alike)
      for (const entry of alike)
        if (entry.bytes.length === end - from && startsWith(bytes, from, entry.bytes)) return entry;
    const { value, isOdd } = this.#read(parseAt(bytes, from, end));
    const entry = { bytes: copyAt(bytes, from, end), value, isOdd, page: 0, code: 0 };
    if (this.#size >= MOST) this.forget();
    if (alike && alike.length >= MOST_ALIKE) return entry;
    this.#entries.set(key, [...(alike ?? []), entry]);
    this.#size += 1;
    return entry;
  }
}

export function hash(bytes: Bytes, from: number, end: number): number {
  let sum = 0;
  for (let at = from; at < end; at += 1) sum = (Math.imul(sum, 31) + (bytes[at] ?? 0)) | 0;
  return sum;
}

/** The JSON value between two indexes. */
export function parseAt(bytes: Bytes, from: number, end: number): unknown {
  return JSON.parse(utf8At(bytes, from, end));
}

/** The text between two indexes; a copy, so that it does not keep its page in memory. */
export function utf8At(bytes: Bytes, from: number, end: number): string {
  return (bytes as Buffer).toString('utf8', from, end);
}

/** The bytes between two indexes; a copy, for the same reason. */
export function copyAt(bytes: Bytes, from: number, end: number): Bytes {
  return new Uint8Array(bytes.subarray(from, end));
}
