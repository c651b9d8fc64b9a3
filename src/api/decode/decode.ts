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
} from '../../model/fleet/device.ts';
import { absentOf } from '../../model/fleet/device-rows.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import type { Collection, Collections, PageRows } from '../../model/ports.ts';
import { UNREADABLE, type Unreadable } from './dates.ts';
import { devicesDecoder, readerOf, type Readers } from './device-decoder.ts';
import {
  type Fail,
  field,
  isAbsent,
  part,
  shownId,
  shownName,
  type JsonRow,
  type Shown,
} from './fields.ts';
import { isSafeId } from '../wire.ts';

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
