import type { Snapshot } from '../../model/fleet/snapshot.ts';
import { STALE_AFTER } from './down.ts';

/** Fewer online devices than this may be stale by chance. */
const ENOUGH = 3;

const KNOWN = new WeakMap<Snapshot['devices'], boolean>();

/**
 * Whether the online devices show that `lastSeen` does not follow the clock of the read: none of at least three was
 * seen within 15 minutes of it (semantics S3). A zone that is mistaken for UTC moves every date by hours, and an
 * outage of minutes would look like one of hours. Each reading is looked through once, and ends at the first device
 * that agrees.
 */
export function isLastSeenOff({
  devices,
  takenAt,
}: Pick<Snapshot, 'devices' | 'takenAt'>): boolean {
  const known = KNOWN.get(devices);
  if (known !== undefined) return known;
  const isOff = !agrees(devices, takenAt);
  KNOWN.set(devices, isOff);
  return isOff;
}

function agrees(devices: Snapshot['devices'], takenAt: number): boolean {
  let stale = 0;
  for (let row = 0; row < devices.length; row += 1) {
    const { status, lastSeen } = devices.at(row);
    if (status !== 'online' || lastSeen === undefined) continue;
    if (Math.abs(takenAt - lastSeen) <= STALE_AFTER) return true;
    stale += 1;
  }
  return stale < ENOUGH;
}
