import { listFirst } from '../../lib/text-order.ts';
import { WorldError } from '../../model/error.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';

/** How many IDs a message names. */
const NAMED = 5;

/**
 * Returns the ID for a text: an exact ID, managed or discovered, else that of the only device with
 * this name. `isInPart` says which devices are meant, by ID; by default all are.
 *
 * Throws `deviceUnknown`, which distinguishes a device that is elsewhere in the fleet (`outside`,
 * `outsideIds`) from one that the service does not return (`missing`).
 */
export function findDevice(
  snapshot: Snapshot,
  text: string,
  isInPart: (deviceId: string) => boolean = () => true,
): string {
  const { devices, discovered } = snapshot;
  const named = discovered.filter(({ name }) => name === text).map(({ id }) => id);
  const isId = devices.rowOf(text) !== undefined || discovered.some(({ id }) => id === text);
  const found = isId ? [text] : [...named, ...idsNamed(devices, text)];
  const inside = found.filter(isInPart);
  const [only] = inside;
  if (only !== undefined && inside.length === 1) return only;
  throw new WorldError('deviceUnknown', { device: text, ...whyNot(text, found, inside) });
}

function whyNot(
  text: string,
  found: readonly string[],
  inside: readonly string[],
): Readonly<Record<string, string | number>> {
  if (inside.length > 0) return { matches: inside.length, ids: listFirst(inside, NAMED) };
  return found.length > 0
    ? { outside: found.length, outsideIds: listFirst(found, NAMED) }
    : { missing: text };
}

/** The IDs of the devices with a name. */
export function idsNamed(devices: Snapshot['devices'], text: string): readonly string[] {
  const ids: string[] = [];
  const { values, codes } = devices.text.name;
  for (let row = 0; row < devices.length; row += 1)
    if (codes[row] !== 0 && values[codes[row] ?? 0] === text) ids.push(devices.at(row).id);
  return ids;
}
