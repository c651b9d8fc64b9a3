import type { InstantField, SharedField } from '../../model/fleet/rows.ts';
import { UNREADABLE, usualInstantAt } from '../decode/dates.ts';
import type { DeviceField } from '../decode/device-fields.ts';
import { isSafeId } from '../wire.ts';
import {
  BACKSLASH,
  type Bytes,
  CLOSE_OBJECT,
  COMMA,
  NOT_READ,
  OPEN_OBJECT,
  QUOTE,
  hasByte,
  skipRest,
  skipSpace,
  skipValue,
} from './json-bytes.ts';
import type { ObjectKey, ObjectKeys } from './object-keys.ts';
import { type InstantColumn, PageColumns, type SharedColumn } from './page-columns.ts';
import { type SharedValues, parseAt, utf8At } from './shared-values.ts';

/** A member of a row that is, or leads to, fields of a device. */
export type RowMember = RowObject | RowField;

export interface RowObject {
  readonly is: 'inner';
  readonly keys: ObjectKeys<RowMember>;
  /** The row that had it last: the same member twice is not read here. */
  row: number;
}

export type RowField = { readonly field: DeviceField<unknown>; row: number } & (
  | { readonly is: 'id' | 'name' }
  | { readonly is: 'instant'; readonly name: InstantField; column: InstantColumn }
  | {
      readonly is: 'shared';
      readonly name: SharedField;
      readonly values: SharedValues;
      column: SharedColumn;
    }
);

/** The columns before the first page. */
export const NO_PAGE = new PageColumns(0);

export class RowScan {
  readonly #root: RowObject;
  readonly #leaves: readonly RowField[];
  #columns = NO_PAGE;
  #id: unknown;
  #name: unknown;
  #row = 0;
  #page = 0;

  constructor(root: RowObject, leaves: readonly RowField[]) {
    this.#root = root;
    this.#leaves = leaves;
  }

  /** The columns of the next page, which rows are read into. */
  begin(): PageColumns {
    this.#page += 1;
    this.#columns = new PageColumns(this.#page);
    const { shared, instants } = this.#columns;
    for (const leaf of this.#leaves) {
      if (leaf.is === 'shared') leaf.column = shared[leaf.name];
      else if (leaf.is === 'instant') leaf.column = instants[leaf.name];
    }
    return this.#columns;
  }

  /** Adds the row at an index; returns the index behind it, or `NOT_READ` where it has to be parsed. */
  read(bytes: Bytes, from: number): number {
    this.#row += 1;
    this.#id = undefined;
    this.#name = undefined;
    const end = this.#members(bytes, from, this.#root);
    const [id, name] = [this.#id, this.#name];
    if (end === NOT_READ || typeof id !== 'string' || !isSafeId(id)) return NOT_READ;
    if (name !== undefined && typeof name !== 'string') return NOT_READ;
    this.#columns.add(id, name);
    return end;
  }

  /**
   * Adds the row at an index by its ID alone if it is not asked for; returns the index behind it. `NOT_READ` for one
   * that is, and for one whose ID is not plain.
   */
  passUnasked(bytes: Bytes, from: number, only: ReadonlySet<string>): number {
    const { keys } = this.#root;
    let at = from;
    let key: ObjectKey<RowMember> | undefined = keys.start;
    do {
      key = keys.at(bytes, skipSpace(bytes, at + 1), key);
      at = key ? skipValue(bytes, keys.end) : NOT_READ;
      if (!key || at === NOT_READ) return NOT_READ;
      if (key.meaning?.is === 'id') {
        const id = bytes[keys.end] === QUOTE ? utf8At(bytes, keys.end + 1, at - 1) : '';
        const end =
          isSafeId(id) && !only.has(id) && !id.includes('\\') ? skipRest(bytes, at) : NOT_READ;
        if (end !== NOT_READ) this.#columns.addUnasked(id);
        return end;
      }
      at = skipSpace(bytes, at);
    } while (bytes[at] === COMMA);
    return NOT_READ;
  }

  #members(bytes: Bytes, from: number, { keys }: RowObject): number {
    let at = skipSpace(bytes, from + 1);
    if (bytes[at] === CLOSE_OBJECT) return at + 1;
    let key: ObjectKey<RowMember> | undefined = keys.start;
    for (;;) {
      key = keys.at(bytes, at, key);
      if (!key) return NOT_READ;
      const { meaning } = key;
      at = meaning ? this.#member(bytes, keys.end, meaning) : skipValue(bytes, keys.end);
      if (at === NOT_READ) return NOT_READ;
      at = skipSpace(bytes, at);
      if (bytes[at] === CLOSE_OBJECT) return at + 1;
      if (bytes[at] !== COMMA) return NOT_READ;
      at = skipSpace(bytes, at + 1);
    }
  }

  /** Reads a value; returns the index behind it. */
  #member(bytes: Bytes, from: number, member: RowMember): number {
    if (member.row === this.#row) return NOT_READ;
    member.row = this.#row;
    if (member.is === 'inner')
      return bytes[from] === OPEN_OBJECT ? this.#members(bytes, from, member) : NOT_READ;
    if (member.is === 'shared') {
      const shared = member.values.at(bytes, from);
      if (!shared || shared.isOdd) return NOT_READ;
      member.column.put(this.#columns.length, shared);
      return member.values.end;
    }
    const end = skipValue(bytes, from);
    return end === NOT_READ || !this.#unique(bytes, { from, end, leaf: member }) ? NOT_READ : end;
  }

  /** Keeps a value that no other device has; false where it was not understood. */
  #unique(bytes: Bytes, value: UniqueValue): boolean {
    const { leaf } = value;
    const read = readUnique(bytes, value);
    if (leaf.is === 'id') this.#id = read;
    else if (leaf.is === 'name') this.#name = read;
    else if (leaf.is === 'instant' && typeof read === 'number')
      leaf.column.instants[this.#columns.length] = read;
    return read !== UNREADABLE;
  }
}

/** Most of these are plain texts, or dates in one form. */
function readUnique(bytes: Bytes, { from, end, leaf }: UniqueValue): unknown {
  const isText = bytes[from] === QUOTE;
  if (isText && leaf.is === 'instant') {
    const instant = usualInstantAt(bytes, from + 1, end - 1);
    if (instant !== undefined) return instant;
  } else if (isText && !hasByte(bytes, BACKSLASH, { from, end })) {
    return leaf.field.read(utf8At(bytes, from + 1, end - 1));
  }
  return leaf.field.read(parseAt(bytes, from, end));
}

interface UniqueValue {
  readonly from: number;
  readonly end: number;
  readonly leaf: Exclude<RowField, { readonly is: 'shared' }>;
}
