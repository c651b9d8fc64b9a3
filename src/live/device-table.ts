import type { Device, Ref } from '../model/fleet/device.ts';
import type { CodedColumn, DeviceTable, TextField } from '../model/fleet/snapshot.ts';
import { type Interned, internBy, internTexts } from '../lib/intern.ts';
import { growingCodes, growingInstants } from '../lib/growing-array.ts';
import { compareTexts } from '../lib/text-order.ts';
import { cellInstant, cellValue, rowJson } from './device-json.ts';
import { computeOnce } from '../lib/compute-once.ts';
import { internTraits, refsKey, type Traits } from './device-traits.ts';

/** Builds a table from devices in any order; the rows are sorted by ID. */
export interface TableBuilder {
  /** Adds a device. Of devices with the same ID the first wins. */
  add(device: Device): void;
  has(id: string): boolean;
  readonly size: number;
  table(): DeviceTable;
}

/**
 * A table of devices, sorted by ID in code-unit order. Of devices with the same ID the first wins.
 */
export function createTable(devices: Iterable<Device>): DeviceTable {
  const builder = buildTable();
  for (const device of devices) builder.add(device);
  return builder.table();
}

/** The devices of a table as objects, one at a time. */
export function* eachDevice(table: DeviceTable): Generator<Device> {
  for (let row = 0; row < table.length; row++) yield table.at(row);
}

/** Starts an empty table that stores columns from the start, never objects. */
export function buildTable(): TableBuilder {
  const fields = startFields();
  const all: readonly Field<unknown>[] = Object.values(fields);
  const ids: string[] = [];
  const seen = new Set<string>();
  return {
    add(device) {
      if (seen.has(device.id)) return;
      seen.add(device.id);
      ids.push(device.id);
      for (const field of all) field.add(device);
    },
    has: (id) => seen.has(id),
    get size() {
      return ids.length;
    },
    table: () => finish(fields, sortedOrder(ids)),
  };
}

type Fields = ReturnType<typeof startFields>;
type Columns = { readonly [K in keyof Fields]: ReturnType<Fields[K]['column']> };

function startFields() {
  const text = (name: TextField | 'storageServer') =>
    codedField(internTexts(), (device) => device[name]);
  const refs = (name: 'sites' | 'sources') =>
    codedField(internBy<readonly Ref[]>([], computeOnce(refsKey)), (device) =>
      device[name].length === 0 ? undefined : device[name],
    );
  return {
    id: idField(),
    name: text('name'),
    vendor: text('vendor'),
    model: text('model'),
    deviceType: text('deviceType'),
    firmwareVersion: text('firmwareVersion'),
    status: text('status'),
    storageServer: text('storageServer'),
    sites: refs('sites'),
    sources: refs('sources'),
    unreadable: codedField(internBy<readonly string[]>([], JSON.stringify), (device) =>
      device.unreadable?.length === 0 ? undefined : device.unreadable,
    ),
    traits: traitsField(),
    lastSeen: instantField((device) => device.lastSeen),
    passwordExpiresAt: instantField((device) => device.passwordExpiresAt),
    passwordChangedAt: instantField((device) => device.passwordChangedAt),
    sslCertificateExpiresAt: instantField((device) => device.sslCertificateExpiresAt),
    dot1xCertificateExpiresAt: instantField((device) => device.dot1xCertificateExpiresAt),
    lastHardenedAt: instantField((device) => device.lastHardenedAt),
  };
}

function finish(fields: Fields, order: Uint32Array): DeviceTable {
  const columns: Columns = {
    id: fields.id.column(order),
    name: fields.name.column(order),
    vendor: fields.vendor.column(order),
    model: fields.model.column(order),
    deviceType: fields.deviceType.column(order),
    firmwareVersion: fields.firmwareVersion.column(order),
    status: fields.status.column(order),
    storageServer: fields.storageServer.column(order),
    sites: fields.sites.column(order),
    sources: fields.sources.column(order),
    unreadable: fields.unreadable.column(order),
    traits: fields.traits.column(order),
    lastSeen: fields.lastSeen.column(order),
    passwordExpiresAt: fields.passwordExpiresAt.column(order),
    passwordChangedAt: fields.passwordChangedAt.column(order),
    sslCertificateExpiresAt: fields.sslCertificateExpiresAt.column(order),
    dot1xCertificateExpiresAt: fields.dot1xCertificateExpiresAt.column(order),
    lastHardenedAt: fields.lastHardenedAt.column(order),
  };
  return {
    length: order.length,
    text: columns,
    sites: columns.sites,
    sources: columns.sources,
    storageServers: columns.storageServer,
    unreadable: columns.unreadable,
    traits: columns.traits,
    at: deviceReader(columns, order.length),
    jsonAt: rowJson(columns),
    rowOf: rowFinder(order.length, (row) => cellValue(columns.id, row) ?? ''),
  };
}

/** The most rows of a table that caches its devices as objects. */
const MOST_CACHED = 16_384;

/** The device of a row. Each decision asks for it, so a small table caches it. */
function deviceReader(columns: Columns, rows: number): (row: number) => Device {
  if (rows > MOST_CACHED) return (row) => deviceAt(columns, row);
  const cached: (Device | undefined)[] = [];
  return (row) => (cached[row] ??= deviceAt(columns, row));
}

function deviceAt(columns: Columns, row: number): Device {
  const device: Writable = {
    id: cellValue(columns.id, row) ?? '',
    sites: cellValue(columns.sites, row) ?? [],
    sources: cellValue(columns.sources, row) ?? [],
    ...(cellValue(columns.traits, row) ?? { probe: {}, available: {} }),
  };
  put(device, 'unreadable', cellValue(columns.unreadable, row));
  put(device, 'name', cellValue(columns.name, row));
  put(device, 'vendor', cellValue(columns.vendor, row));
  put(device, 'model', cellValue(columns.model, row));
  put(device, 'firmwareVersion', cellValue(columns.firmwareVersion, row));
  put(device, 'deviceType', cellValue(columns.deviceType, row));
  put(device, 'status', cellValue(columns.status, row));
  put(device, 'lastSeen', cellInstant(columns.lastSeen, row));
  put(device, 'storageServer', cellValue(columns.storageServer, row));
  put(device, 'passwordExpiresAt', cellInstant(columns.passwordExpiresAt, row));
  put(device, 'passwordChangedAt', cellInstant(columns.passwordChangedAt, row));
  put(device, 'sslCertificateExpiresAt', cellInstant(columns.sslCertificateExpiresAt, row));
  put(device, 'dot1xCertificateExpiresAt', cellInstant(columns.dot1xCertificateExpiresAt, row));
  put(device, 'lastHardenedAt', cellInstant(columns.lastHardenedAt, row));
  return device;
}

type Writable = { -readonly [K in keyof Device]: Device[K] };

function put<K extends keyof Device>(
  device: Writable,
  key: K,
  value: Required<Device>[K] | undefined,
): void {
  if (value !== undefined) device[key] = value;
}

/** One field of all devices while the table is built. */
interface Field<C> {
  add(device: Device): void;
  /** The finished column, its rows in the given order. */
  column(order: Uint32Array): C;
}

/** A field with few distinct values, or whose values are compared by code. */
function codedField<T>(
  interned: Interned<T>,
  read: (device: Device) => T | undefined,
): Field<CodedColumn<T>> {
  const codes = growingCodes();
  return {
    add: (device) => codes.push(interned.codeOf(read(device))),
    column: (order) => ({ values: interned.values, codes: codes.inOrder(order) }),
  };
}

function traitsField(): Field<CodedColumn<Traits>> {
  const { values, codeOf } = internTraits();
  const codes = growingCodes();
  return {
    add: (device) => codes.push(codeOf(device)),
    column: (order) => ({ values, codes: codes.inOrder(order) }),
  };
}

/** IDs: a table has each once, so they are not interned. */
function idField(): Field<CodedColumn<string>> {
  const values = [''];
  return {
    add: ({ id }) => void values.push(id),
    column: (order) => ({ values, codes: order.map((row) => row + 1) }),
  };
}

/** A field with an instant, which few devices share. */
function instantField(read: (device: Device) => number | undefined): Field<Float64Array> {
  const instants = growingInstants();
  return {
    add: (device) => instants.push(read(device) ?? Number.NaN),
    column: (order) => instants.inOrder(order),
  };
}

/** The order of texts by code unit, which is the same on every machine. */
function sortedOrder(texts: readonly string[]): Uint32Array {
  return Uint32Array.from({ length: texts.length }, (_, row) => row).sort((a, b) =>
    compareTexts(texts[a] ?? '', texts[b] ?? ''),
  );
}

/** Finds a row by ID with a binary search. A map would need more memory than the IDs themselves. */
function rowFinder(
  length: number,
  idOf: (row: number) => string,
): (id: string) => number | undefined {
  return (id) => {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (idOf(middle) < id) low = middle + 1;
      else high = middle;
    }
    return low < length && idOf(low) === id ? low : undefined;
  };
}
