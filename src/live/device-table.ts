import type { Device } from '../model/fleet/device.ts';
import type { PageRows } from '../model/fleet/rows.ts';
import type { DeviceTable } from '../model/fleet/snapshot.ts';
import { compareTexts } from '../lib/text-order.ts';
import { cellInstant, cellValue, rowJson } from './device-json.ts';
import { startTableFields, type TableField } from './table-fields.ts';

/** Builds a table from devices in any order; the rows are sorted by ID. */
export interface TableBuilder {
  /** Adds a device. Of devices with the same ID the first wins. */
  add(device: Device): void;
  /** Adds the devices of a page of one pass, which has each once and no device that was added before. */
  addPage(rows: PageRows<Device>): void;
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
  const fields = startTableFields();
  const all: readonly TableField<unknown>[] = Object.values(fields);
  const ids: string[] = [];
  const seen = new Set<string>();
  /** The set of IDs is built where a caller asks for it: one pass has each once. */
  const isSeen = (id: string): boolean => {
    for (let row = seen.size; row < ids.length; row += 1) seen.add(ids[row] ?? '');
    return seen.has(id);
  };
  const add = (device: Device): void => {
    if (isSeen(device.id)) return;
    ids.push(device.id);
    for (const field of all) field.add(device);
  };
  return {
    add,
    addPage(rows) {
      const { columns } = rows;
      if (!columns) for (const device of rows) add(device);
      else {
        for (const id of columns.ids) ids.push(id);
        for (const field of all) field.addPage(columns);
      }
    },
    has: isSeen,
    get size() {
      return ids.length;
    },
    table: () => finish(fields, sortedOrder(ids)),
  };
}

type Fields = ReturnType<typeof startTableFields>;
type Columns = { readonly [K in keyof Fields]: ReturnType<Fields[K]['column']> };

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
    lastSeen: columns.lastSeen,
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

/** The order of texts by code unit, which is the same on every machine. */
function sortedOrder(texts: readonly string[]): Uint32Array {
  return Uint32Array.from({ length: texts.length }, (_, row) => row).sort((a, b) =>
    compareTexts(texts[a] ?? '', texts[b] ?? ''),
  );
}

/**
 * Finds a row by ID with a binary search. A map would need more memory than the IDs themselves. Most questions come in
 * the order of the rows, so the search begins near the row before.
 */
function rowFinder(
  length: number,
  idOf: (row: number) => string,
): (id: string) => number | undefined {
  let last = 0;
  return (id) => {
    let [low, high] = [0, length];
    if (last < length && idOf(last) <= id) {
      low = last;
      for (let step = 1; low + step < high; step *= 2) {
        if (idOf(low + step) > id) high = low + step;
        else low += step;
      }
    } else high = Math.min(last, length);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (idOf(middle) < id) low = middle + 1;
      else high = middle;
    }
    if (low >= length || idOf(low) !== id) return undefined;
    last = low;
    return low;
  };
}
