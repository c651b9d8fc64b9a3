import { isObject } from '../../lib/objects.ts';
import type { DeviceSource, DiscoveredDevice } from '../../model/fleet/device.ts';
import type { Ref, Site } from '../../model/fleet/device.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import type { Collection, Collections, PageRows } from '../../model/ports.ts';
import { decodeInstant, UNREADABLE, type Unreadable } from './dates.ts';
import { devicesDecoder, type RefsReader } from './device-decoder.ts';
import {
  type Fail,
  field,
  shownId,
  isAbsent,
  known,
  markUnreadable,
  member,
  part,
} from './fields.ts';
import {
  putShown,
  shownName,
  shownText,
  type PartialRow,
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
  const devices = devicesDecoder(dialect, deviceRefs(dialect, names));
  const one: { readonly [C in Collection]: Decoder<Collections[C]> } = {
    devices: (row, fail) => {
      const [device] = devices([row], () => fail);
      return device ?? fail('id');
    },
    sites: remembering(decodeSite, names.sites),
    deviceSources: remembering(decodeSource, names.sources),
    discoveredDevices: discoveredDecoder(dialect, names),
  };
  return {
    ...one,
    pageOf: (collection, rows, failOf) =>
      (collection === 'devices'
        ? devices(rows, failOf)
        : rows.map((row) => one[collection](row, failOf(row)))) as PageRows<never>,
  };
}

/**
 * The names from the last lists of sites and sources, by ID, because a device may refer to them by
 * ID alone.
 */
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

function deviceRefs(
  dialect: Dialect,
  names: Names,
): { readonly sites: RefsReader; readonly sources: RefsReader } {
  const siteOf = refReader(dialect.siteIdField, dialect.siteNameField, names.sites);
  const sourceOf = refReader(dialect.sourceIdField, dialect.sourceNameField, names.sources);
  return {
    sites: (value) => decodeRefs(value, dialect.deviceSitesForm, siteOf),
    sources: (value) => decodeRefs(value, dialect.deviceSourcesForm, sourceOf),
  };
}

function decodeSite(row: JsonRow, fail: Fail): Site {
  const site: PartialRow<Site> = { id: requiredId(member(row, 'id'), 'id', fail) };
  putShown(site, 'name', shownName(member(row, 'name')));
  putShown(site, 'description', shownText(member(row, 'description')));
  putShown(site, 'status', shownText(member(row, 'status')));
  return site;
}

function decodeSource(row: JsonRow, fail: Fail): DeviceSource {
  const source: PartialRow<DeviceSource> = { id: requiredId(member(row, 'id'), 'id', fail) };
  putShown(source, 'name', shownName(member(row, 'name')));
  putShown(source, 'type', shownText(member(row, 'type')));
  putShown(source, 'version', shownText(member(row, 'version')));
  return source;
}

function discoveredDecoder(dialect: Dialect, names: Names): Decoder<DiscoveredDevice> {
  const idOfRow = field(dialect.discoveredIdField);
  const name = field(dialect.discoveredNameField);
  const model = field(dialect.discoveredModelField);
  const second = field(dialect.onboardSecondField === '' ? '' : dialect.onboardSecondSource);
  const serial = field(dialect.discoveredSerialField);
  const discoveredAt = field(dialect.discoveredTimeField);
  const source = field(dialect.discoveredSourceField);
  const site = field(dialect.discoveredSiteField);
  const siteOf = refReader(dialect.siteIdField, dialect.siteNameField, names.sites);
  const sourceOf = refReader(dialect.sourceIdField, dialect.sourceNameField, names.sources);
  return (row, fail) => {
    const device: PartialRow<DiscoveredDevice> = {
      id: requiredId(idOfRow(row), dialect.discoveredIdField, fail),
    };
    if (!isSafeId(device.id)) markUnreadable(device, 'id');
    const sources = decodeRefs(source(row), dialect.discoveredSourceForm, sourceOf);
    if (sources === UNREADABLE || sources.length > 0) putShown(device, 'sources', sources);
    putShown(device, 'name', shownName(name(row)));
    putShown(device, 'vendor', shownText(member(row, 'vendor')));
    putShown(device, 'model', shownText(model(row)));
    putShown(device, 'deviceType', shownText(member(row, 'deviceType')));
    putShown(device, 'serial', shownId(serial(row)));
    putShown(device, 'onboardingStatus', shownText(member(row, 'onboardingStatus')));
    putShown(device, 'discoveredAt', decodeInstant(discoveredAt(row), dialect.dateForm));
    putShown(device, 'site', siteOf(site(row)));
    putShown(device, 'second', decodeSecondId(second(row)));
    return device;
  };
}

/** An empty ID identifies no device and fits no URL. It does not affect the other rows. */
function requiredId(value: unknown, name: string, fail: Fail): string {
  return value === '' ? value : (known(shownId(value)) ?? fail(name));
}

/** A value that fleetform sends back unchanged. */
function decodeSecondId(value: unknown): Shown<string | number> {
  if (isAbsent(value)) return undefined;
  return typeof value === 'number' || typeof value === 'string' ? value : UNREADABLE;
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
 * identified by its name. A missing name comes from the list.
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
    const name = nameGiven ?? names.get(id);
    return name === undefined ? { id } : { id, name };
  };
}
