import type { Device } from '../../model/fleet/device.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { findDialectKeys } from '../../model/fleet/dialect-keys.ts';
import { compareTexts, listFirst } from '../../lib/text-order.ts';
import { addTo } from '../../lib/maps.ts';
import type { PlannerInput } from '../input.ts';

/** The maximum number of devices that a warning lists. */
const NAMED = 3;

/**
 * Reports fields of rows that could not be parsed: one warning per field, whichever policy selects
 * the devices.
 */
export function unreadableRows({ snapshot }: PlannerInput): readonly Diagnostic[] {
  const { devices, discovered } = snapshot;
  const managed = new Map<string, string[]>();
  for (const [row, code] of devices.unreadable.codes.entries())
    if (code > 0) collect(managed, devices.at(row));
  const others = new Map<string, string[]>();
  for (const device of discovered) collect(others, device);
  const found = [
    ...[...managed].map((one) => finding(one, 'devices')),
    ...[...others].map((one) => finding(one, 'discoveredDevices')),
  ];
  const fieldOf = ({ params }: Diagnostic) => String(params['field']);
  return found.sort((a, b) => compareTexts(fieldOf(a), fieldOf(b)));
}

function collect(
  found: Map<string, string[]>,
  { id, unreadable = [] }: Pick<Device, 'id' | 'unreadable'>,
): void {
  for (const field of unreadable) {
    addTo(found, field, id);
  }
}

function finding(
  [field, ids]: readonly [string, readonly string[]],
  list: 'devices' | 'discoveredDevices',
): Diagnostic {
  const key = findDialectKeys(field, list);
  return {
    code: 'valueUnreadable',
    severity: 'warning',
    params: {
      field,
      count: ids.length,
      devices: listFirst(ids, NAMED),
      ...(key !== undefined && { key }),
      ...(field === 'id' && { problem: 'address' }),
    },
  };
}
