import { type Bytes, NOT_READ, isEnd, skipValue, startsWith } from './json-bytes.ts';
import type { CodedValue } from './page-columns.ts';

/** A value that was read, and the bytes it was read from. */
interface SharedValue extends CodedValue {
  readonly bytes: Bytes;
  /** Whether the row has to be parsed: the value was not understood. */
  readonly isOdd: boolean;
}

/** What a device has of a value; `isOdd` where it was not understood. */
export type ReadValue = Pick<SharedValue, 'value' | 'isOdd'>;

/** The values that are kept for a field, and those of them whose bytes have one hash. */
const MOST = 4_096;
const MOST_ALIKE = 8;

/** The values that are tried before the end of one is found; more of them save no time. */
const MOST_RECENT = 8;

/**
 * The values of a field that many devices share, each read once: what a field holds is known again by its bytes. The
 * values before it are tried first, the frequent ones foremost, since they save looking for its end.
 */
export class SharedValues {
  readonly #read: (value: unknown) => ReadValue;
  readonly #entries = new Map<number, SharedValue[]>();
  #size = 0;
  readonly #recent: SharedValue[] = [];
  /** The index behind the last value that was read. */
  end = 0;

  /** @param read reads a parsed value; it is called once for the same bytes */
  constructor(read: (value: unknown) => ReadValue) {
    this.#read = read;
  }

  /** The value that starts at an index; undefined, with `end` as `NOT_READ`, where it is no JSON that is accepted. */
  at(bytes: Bytes, from: number): SharedValue | undefined {
    const recent = this.#recentAt(bytes, from);
    if (recent) return recent;
    this.end = skipValue(bytes, from);
    if (this.end === NOT_READ) return undefined;
    const value = this.#find(bytes, from, this.end);
    this.#recent[Math.min(this.#recent.length, MOST_RECENT - 1)] = value;
    return value;
  }

  /** A value moves one place at a time, so that a rare one does not take the place of a frequent one. */
  #recentAt(bytes: Bytes, from: number): SharedValue | undefined {
    const recent = this.#recent;
    let before: SharedValue | undefined;
    for (let place = 0; place < recent.length; place += 1) {
      const value = recent[place] as SharedValue;
      const end = from + value.bytes.length;
      if (isEnd(bytes[end]) && startsWith(bytes, from, value.bytes)) {
        if (before) [recent[place - 1], recent[place]] = [value, before];
        this.end = end;
        return value;
      }
      before = value;
    }
    return undefined;
  }

  forget(): void {
    this.#entries.clear();
    this.#size = 0;
    this.#recent.length = 0;
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
