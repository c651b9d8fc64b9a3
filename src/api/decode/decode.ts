import { isObject } from '../../lib/objects.ts';
import {
  DEVICE,
  type Device,
  type DeviceSource,
  DISCOVERED,
  type DiscoveredDevice,
  type Ref,
  type RowFields,
  type Site,
  SITE,
  SOURCE,
  DEVICE_FIELD_NAMES,
  type DeviceField,
  type DeviceFieldName,
  isOwn,
  PROBES,
  type RowField,
} from '../../model/fleet/device.ts';
import { absentOf, type DeviceColumns, DevicePage } from '../../model/fleet/device-rows.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import type { Collection, Collections, PageRows } from '../../model/ports.ts';
import { UNREADABLE, type Unreadable, decodeInstant } from './dates.ts';
import {
  type Fail,
  field,
  isAbsent,
  part,
  shownId,
  shownName,
  type JsonRow,
  type Shown,
  known,
  member,
  plainFlag,
  shownFlag,
  shownText,
} from './fields.ts';
import { isSafeId } from '../wire.ts';
import { numberValues } from '../../lib/pair-numbers.ts';
import type { Instant } from '../../lib/time.ts';
import { cellOf, type CodedColumn, type Column } from '../../lib/columns.ts';
import { AVAILABLE_TASKS } from '../../model/fleet/task.ts';

export type Decoder<T> = (row: JsonRow, fail: Fail) => T;

export type Decoders = { readonly [C in Collection]: Decoder<Collections[C]> } & {
  pageOf<C extends Collection>(
    collection: C,
    rows: readonly JsonRow[],
    failOf: (row: JsonRow) => Fail,
  ): PageRows<Collections[C]>;
};

/**
 * Creates decoders for the rows of the four collections, with the field names of a dialect. Null
 * and empty values are absent, and unknown words are kept. Values that are not understood are
 * listed in `unreadable`. Only the ID must be readable. An ID that no URL can contain is also
 * listed there, so that it does not block other devices. `pageOf` reads all rows of a page; devices
 * come in columns.
 */
export function createDecoders(dialect: Dialect): Decoders {
  const names: Names = { sites: new Map(), sources: new Map() };
  const { onboardSecondField, onboardSecondSource: second } = dialect;
  const siteOf = refReader(dialect.siteIdField, dialect.siteNameField, names.sites);
  const sourceOf = refReader(dialect.sourceIdField, dialect.sourceNameField, names.sources);
  const refs: Readers['refs'] = {
    sites: (value) => decodeRefs(value, dialect.deviceSitesForm, siteOf),
    sources: (value) => decodeRefs(value, dialect.deviceSourcesForm, sourceOf),
  };
  const devices = devicesDecoder(dialect, refs);
  const one: { readonly [C in Collection]: Decoder<Collections[C]> } = {
    devices: rowDecoder<Device>(DEVICE, dialect, refs),
    sites: remembering(rowDecoder<Site>(SITE, dialect, {}), names.sites),
    deviceSources: remembering(rowDecoder<DeviceSource>(SOURCE, dialect, {}), names.sources),
    discoveredDevices: rowDecoder<DiscoveredDevice>(
      DISCOVERED,
      { ...dialect, onboardSecondSource: onboardSecondField === '' ? '' : second },
      {
        site: siteOf,
        sources: (value) => decodeRefs(value, dialect.discoveredSourceForm, sourceOf),
      },
    ),
  };
  return {
    ...one,
    pageOf: (collection, rows, failOf) =>
      (collection === 'devices'
        ? devices(rows, failOf)
        : rows.map((row) => one[collection](row, failOf(row)))) as PageRows<never>,
  };
}

/** The names from the last lists of sites and sources, by ID. */
interface Names {
  readonly sites: Map<string, string>;
  readonly sources: Map<string, string>;
}

function remembering<T extends Ref>(decode: Decoder<T>, names: Map<string, string>): Decoder<T> {
  return (row, fail) => {
    const decoded = decode(row, fail);
    const { id, name } = decoded;
    if (name !== undefined) names.set(id, name);
    return decoded;
  };
}

/** A decoder of rows that stay objects: the table says where each field is and how it is read. */
function rowDecoder<T>(fields: RowFields, dialect: Dialect, refs: Readers['refs']): Decoder<T> {
  const readers = Object.entries(fields).flatMap(([name, one]) => {
    const path = one.key === undefined ? one.at : String(dialect[one.key]);
    if (path === undefined) return [];
    const read = readerOf(name, one, { ...dialect, refs });
    const absent = one.isAlways ? absentOf(one) : undefined;
    return [{ name, path, valueOf: field(path), read, isId: one.type === 'id', absent }];
  });
  // No request names a site or a source.
  const isNamed = fields === DEVICE || fields === DISCOVERED;
  return (row, fail) => {
    const members: [name: string, value: unknown][] = [];
    const unreadable: string[] = [];
    for (const { name, path, valueOf, read, isId, absent } of readers) {
      const { value, unreadable: odd = [] } = read(valueOf(row));
      if (isId && value === undefined) fail(path);
      if (isId && isNamed && !isSafeId(String(value))) unreadable.push(name);
      unreadable.push(...odd);
      const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
      const shown = isEmpty ? absent : value;
      if (shown !== undefined) members.push([name, shown]);
    }
    if (unreadable.length > 0) members.push(['unreadable', unreadable.sort()]);
    return Object.fromEntries(members) as T;
  };
}

/**
 * Reads a list of references or a single reference: an object in any dialect, a bare ID only if the
 * dialect allows it. If one entry is unreadable, the whole field is, because the device may belong
 * to that site or source.
 */
function decodeRefs(
  value: unknown,
  form: 'list' | 'one',
  refOf: (value: unknown) => Shown<Ref>,
): readonly Ref[] | Unreadable {
  if (isAbsent(value)) return [];
  const isOne = isObject(value) || (form === 'one' && !Array.isArray(value));
  if (!isOne && !Array.isArray(value)) return UNREADABLE;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const refs: Ref[] = [];
  for (const entry of list) {
    const ref = refOf(entry);
    if (ref === UNREADABLE) return UNREADABLE;
    if (ref !== undefined) refs.push(ref);
  }
  return refs;
}

/**
 * Reads a reference: an object with an ID, or the ID itself. A reference without an ID is
 * identified by its name. The name is that of the list; a row may still show an earlier one (semantics D7).
 */
function refReader(
  idPath: string,
  namePath: string,
  names: ReadonlyMap<string, string>,
): (value: unknown) => Shown<Ref> {
  const readId = part(idPath);
  const readName = field(namePath);
  return (value) => {
    if (isAbsent(value)) return undefined;
    const nameGiven = isObject(value) ? shownName(readName(value)) : undefined;
    const id = shownId(isObject(value) ? readId(value) : value) ?? nameGiven;
    if (id === undefined || id === UNREADABLE || nameGiven === UNREADABLE) return UNREADABLE;
    const name = names.get(id) ?? nameGiven;
    return name === undefined ? { id } : { id, name };
  };
}

/** What the fields of a row are read with. */
interface Readers extends Pick<Dialect, 'dateForm'> {
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
function devicesDecoder(dialect: Dialect, refs: Readers['refs']): DevicesDecoder {
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
function readerOf(
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
