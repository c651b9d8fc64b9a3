import { cellOf, type CodedColumn } from '../lib/columns.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { Device } from '../model/fleet/device.ts';
import {
  deviceAt,
  type DeviceColumns,
  deviceJson,
  DeviceRows,
} from '../model/fleet/device-rows.ts';
import type { DeviceTable } from '../model/fleet/snapshot.ts';

/**
 * A table of devices, sorted by ID in code-unit order. Of devices with the same ID the first wins.
 */
export function createTable(devices: Iterable<Device>): DeviceTable {
  const rows = new DeviceRows();
  const seen = new Set<string>();
  for (const device of devices) {
    if (seen.has(device.id)) continue;
    seen.add(device.id);
    rows.add(device);
  }
  return sortedTable(rows);
}

/** The devices of a table as objects, one at a time. */
export function* eachDevice(table: DeviceTable): Generator<Device> {
  for (let row = 0; row < table.length; row++) yield table.at(row);
}

/** The table of rows that have each ID once. */
export function sortedTable(rows: DeviceRows): DeviceTable {
  const { columns } = rows.page(sortedOrder(rows.page().ids()));
  const { name, vendor, model, deviceType, firmwareVersion, status } = columns;
  return {
    length: rows.length,
    text: { id: columns.id, name, vendor, model, deviceType, firmwareVersion, status },
    sites: columns.sites,
    sources: columns.sources,
    storageServers: columns.storageServer,
    unreadable: columns.unreadable,
    codesOf: (field) => (columns[field] as CodedColumn<unknown>).codes,
    lastSeen: columns.lastSeen as Float64Array,
    at: deviceReader(columns, rows.length),
    jsonAt: deviceJson(columns),
    rowOf: rowFinder(rows.length, (row) => cellOf(columns.id, row) ?? ''),
  };
}

/** The most rows of a table that caches its devices as objects. */
const MOST_CACHED = 16_384;

/** The device of a row. Each decision asks for it, so a small table caches it. */
function deviceReader(columns: DeviceColumns, rows: number): (row: number) => Device {
  if (rows > MOST_CACHED) return (row) => deviceAt(columns, row);
  const cached: (Device | undefined)[] = [];
  return (row) => (cached[row] ??= deviceAt(columns, row));
}

/** The order of texts by code unit, which is the same on every machine. */
function sortedOrder(texts: readonly string[]): Uint32Array {
  return Uint32Array.from({ length: texts.length }, (_, row) => row).sort((a, b) =>
    compareTexts(texts[a] ?? '', texts[b] ?? ''),
  );
}

function rowFinder(
  length: number,
  idOf: (row: number) => string,
): (id: string) => number | undefined {
  let rows: Map<string, number> | undefined;
  return (id) => {
    if (!rows) {
      rows = new Map();
      for (let row = 0; row < length; row += 1) rows.set(idOf(row), row);
    }
    return rows.get(id);
  };
}
