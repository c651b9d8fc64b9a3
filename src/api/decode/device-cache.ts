import type { Device } from '../../model/fleet/device.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import { decodeInstant, UNREADABLE } from './dates.ts';
import type { Decoder } from './decode.ts';
import type { JsonRow } from './fields.ts';

export interface DeviceCache {
  /** The last row of each device, and what it said. */
  readonly rows: Map<unknown, { readonly row: JsonRow; readonly device: Device }>;
  /** Equal probes and tasks as one object, by their text: a table compares them by identity. */
  readonly shared: Map<string, Pick<Device, 'probe' | 'available'>>;
}

export function createDeviceCache(): DeviceCache {
  return { rows: new Map(), shared: new Map() };
}

/**
 * Reads a row again only if it differs from the last row of its device in more than `lastSeen`. The simulator of a
 * rehearsal repeats the objects of a row that did not change; rows from JSON always differ.
 */
export function cacheDevices(
  decode: Decoder<Device>,
  cache: DeviceCache,
  { dateForm }: Pick<Dialect, 'dateForm'>,
): Decoder<Device> {
  return (row, fail) => {
    const last = cache.rows.get(row['id']);
    if (last?.row === row) return last.device;
    const seenAt = decodeInstant(row['lastSeen'], dateForm);
    const isKnown = seenAt !== UNREADABLE && seenAt !== undefined;
    const device =
      isKnown && last?.device.lastSeen !== undefined && isSeenAlone(last.row, row)
        ? { ...last.device, lastSeen: seenAt }
        : sharing(decode(row, fail), cache);
    cache.rows.set(row['id'], { row, device });
    return device;
  };
}

/** Whether two rows have the same members with the same values, `lastSeen` aside. */
function isSeenAlone(a: JsonRow, b: JsonRow): boolean {
  let left = 0;
  for (const name in a) {
    if (a[name] !== b[name] && name !== 'lastSeen') return false;
    left += 1;
  }
  for (const name in b) if (Object.hasOwn(a, name)) left -= 1;
  return left === 0;
}

function sharing(device: Device, { shared }: DeviceCache): Device {
  const { probe, available } = device;
  const text = JSON.stringify([probe, available]);
  const known = shared.get(text) ?? { probe, available };
  shared.set(text, known);
  return { ...device, ...known };
}
