import { isObject } from '../../lib/objects.ts';
import {
  DEVICE,
  DEVICE_FIELD_NAMES,
  type DeviceField,
  type DeviceFieldName,
  isOwn,
  PROBES,
  type RowField,
} from '../../model/fleet/device.ts';
import { type DeviceColumns, DevicePage } from '../../model/fleet/device-rows.ts';
import { numberValues } from '../../lib/pair-numbers.ts';
import type { Instant } from '../../lib/time.ts';
import { cellOf, type CodedColumn, type Column } from '../../lib/columns.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import { AVAILABLE_TASKS } from '../../model/fleet/task.ts';
import { isSafeId } from '../wire.ts';
import { decodeInstant, UNREADABLE } from './dates.ts';
import {
  field,
  known,
  member,
  plainFlag,
  shownFlag,
  shownId,
  type Fail,
  type JsonRow,
  type Shown,
  shownName,
  shownText,
} from './fields.ts';

/** What the fields of a row are read with. */
export interface Readers extends Pick<Dialect, 'dateForm'> {
  /** Of the fields that refer to sites or sources; an absent list is empty. */
  readonly refs: Readonly<Record<string, (value: unknown) => Shown<unknown>>>;
}

export interface Found {
  readonly value: unknown;
  /** The names of what was not understood. */
  readonly unreadable?: readonly string[];
}

interface FieldReader {
  readonly name: DeviceFieldName;
  readonly field: DeviceField;
  valueOf(row: JsonRow): unknown;
  read(raw: unknown): Found;
}

type Mark = (row: number, names: readonly string[]) => void;

/** Reads rows of devices into columns. It fails for a row without an ID, and for no other value. */
export type DevicesDecoder = (
  rows: readonly JsonRow[],
  failOf: (row: JsonRow) => Fail,
) => DevicePage;

/** The decoder of devices in a dialect: `DEVICE` says where each field is and how it is read. */
export function devicesDecoder(dialect: Dialect, refs: Readers['refs']): DevicesDecoder {
  const readers = DEVICE_FIELD_NAMES.flatMap((name): readonly FieldReader[] => {
    const { at, key }: DeviceField = DEVICE[name];
    const path = key === undefined ? at : dialect[key];
    if (path === undefined) return [];
    const read = readerOf(name, DEVICE[name], { ...dialect, refs });
    return [{ name, field: DEVICE[name], valueOf: field(path), read }];
  });
  return (rows, failOf) => {
    const unreadable: string[][] = [];
    const mark: Mark = (row, names) => void (unreadable[row] ??= []).push(...names);
    const columns = new Map<DeviceFieldName, Column<unknown>>();
    for (const reader of readers) columns.set(reader.name, readColumn(reader, rows, mark));
    for (const [row, json] of rows.entries()) {
      const id = cellOf(columns.get('id') ?? ABSENT, row);
      if (id === undefined) failOf(json)('id');
      if (!isSafeId(String(id))) mark(row, ['id']);
    }
    unreadable.forEach((names) => names.sort());
    columns.set('unreadable', ownValues(rows.map((_, row) => unreadable[row])));
    const none = { values: [undefined], codes: new Uint8Array(rows.length) };
    const all = DEVICE_FIELD_NAMES.map((name) => [name, columns.get(name) ?? none]);
    return new DevicePage(rows.length, Object.fromEntries(all) as DeviceColumns);
  };
}

function readColumn(reader: FieldReader, rows: readonly JsonRow[], mark: Mark): Column<unknown> {
  const { field: one, valueOf, read } = reader;
  if (!isOwn(one)) return sharedValues(reader, rows, mark);
  const values: unknown[] = [];
  for (let row = 0; row < rows.length; row += 1) {
    const { value, unreadable } = read(valueOf(rows[row] ?? {}));
    values.push(value);
    if (unreadable) mark(row, unreadable);
  }
  if (one.type !== 'instant') return ownValues(values);
  return Float64Array.from(values, (instant) => (instant as Instant | undefined) ?? Number.NaN);
}

/** What rows of a page share is read once: it is known again by what was sent. */
function sharedValues(
  { valueOf, read }: FieldReader,
  rows: readonly JsonRow[],
  mark: Mark,
): CodedColumn<unknown> {
  const values: unknown[] = [undefined];
  const odd: (readonly string[] | undefined)[] = [];
  const numberOf = numberValues();
  const codeOf: number[] = [];
  const codes = new Uint32Array(rows.length);
  const firstCode = (raw: unknown): number => {
    const { value, unreadable } = read(raw);
    if (value === undefined && !unreadable) return 0;
    odd[values.length] = unreadable;
    return values.push(value) - 1;
  };
  for (let row = 0; row < rows.length; row += 1) {
    const raw = valueOf(rows[row] ?? {});
    const code = (codeOf[numberOf(raw)] ??= firstCode(raw));
    codes[row] = code;
    const unreadable = odd[code];
    if (unreadable) mark(row, unreadable);
  }
  return { values, codes };
}

function ownValues(values: readonly unknown[]): CodedColumn<unknown> {
  const codes = Uint32Array.from(values, (value, row) => (value === undefined ? 0 : row + 1));
  return { values: [undefined, ...values], codes };
}

const ABSENT: CodedColumn<unknown> = { values: [], codes: new Uint8Array() };

/** The reader of a field: of its type, and where it refers to sites or sources, of these. */
export function readerOf(
  name: string,
  { type }: Pick<RowField, 'type'>,
  { dateForm, refs }: Readers,
): (raw: unknown) => Found {
  const one =
    <T>(read: (raw: unknown) => Shown<T>) =>
    (raw: unknown): Found => {
      const value = read(raw);
      return value === UNREADABLE ? { value: undefined, unreadable: [name] } : { value };
    };
  switch (type) {
    case 'id':
      // An empty ID identifies no device and fits no URL. It does not affect the other rows.
      return (raw) => ({ value: raw === '' ? raw : known(shownId(raw)) });
    case 'ownText':
      return one(shownName);
    case 'flag':
      return one(shownFlag);
    case 'instant':
      return one((raw) => decodeInstant(raw, dateForm));
    case 'ref':
    case 'refs':
      return one(refs[name] ?? shownText);
    case 'code':
      return one(shownId);
    case 'kept':
      return one((value) => (typeof value === 'number' ? value : shownText(value)));
    case 'probes':
      return (raw) => pick(raw, name, PROBES, shownText);
    case 'tasks':
      return (raw) => pick(raw, name, AVAILABLE_TASKS, plainFlag);
    case 'text':
    case 'names':
      return one(shownText);
  }
}

/** The known members. A member that is not understood is listed by its name. */
function pick(
  raw: unknown,
  name: string,
  members: readonly string[],
  read: (value: unknown) => Shown<unknown>,
): Found {
  const value: Record<string, unknown> = {};
  const unreadable: string[] = [];
  if (raw === undefined || raw === null) return { value };
  if (!isObject(raw)) unreadable.push(name);
  for (const each of members) {
    const found = isObject(raw) ? read(member(raw, each)) : undefined;
    if (found === UNREADABLE) unreadable.push(`${name}.${each}`);
    else if (found !== undefined) value[each] = found;
  }
  return { value, ...(unreadable.length > 0 && { unreadable }) };
}
