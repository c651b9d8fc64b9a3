import { cellOf, type CodedColumn } from '../lib/columns.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { Device } from '../model/fleet/device.ts';
import { deviceJson, type DevicePage, DeviceRows } from '../model/fleet/device-rows.ts';
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

/** The table of rows that have each ID once. */
export function sortedTable(rows: DeviceRows): DeviceTable {
  return tableOf(rows.page(sortedOrder(rows.page().ids())));
}

/** The table of the rows of a page, each ID once, in their order. */
export function tableOf(page: DevicePage, rowOf = rowFinder(page)): DeviceTable {
  const { columns, length } = page;
  const { name, vendor, model, deviceType, firmwareVersion, status } = columns;
  return {
    length,
    text: { id: columns.id, name, vendor, model, deviceType, firmwareVersion, status },
    sites: columns.sites,
    sources: columns.sources,
    storageServers: columns.storageServer,
    unreadable: columns.unreadable,
    codesOf: (field) => (columns[field] as CodedColumn<unknown>).codes,
    lastSeen: columns.lastSeen as Float64Array,
    at: page.at,
    jsonAt: deviceJson(columns),
    idAt: (row) => cellOf(columns.id, row) ?? '',
    rowOf,
    with(newer) {
      const rows = new DeviceRows();
      rows.append(page);
      for (const device of newer) {
        const row = rowOf(device.id);
        if (row !== undefined) rows.set(row, device);
      }
      return tableOf(rows.page(), rowOf);
    },
  };
}

/** The order of texts by code unit, which is the same on every machine. */
function sortedOrder(texts: readonly string[]): Uint32Array {
  return Uint32Array.from({ length: texts.length }, (_, row) => row).sort((a, b) =>
    compareTexts(texts[a] ?? '', texts[b] ?? ''),
  );
}

function rowFinder({ length, columns }: DevicePage): (id: string) => number | undefined {
  let rows: Map<string, number> | undefined;
  return (id) => {
    if (!rows) {
      rows = new Map();
      for (let row = 0; row < length; row += 1) rows.set(cellOf(columns.id, row) ?? '', row);
    }
    return rows.get(id);
  };
}
