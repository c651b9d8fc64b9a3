import type { Memory } from '../../model/ledger/memory.ts';
import { findSighting, listSightings } from '../../model/ledger/sightings.ts';
import type { Instant } from '../../lib/time.ts';
import type { Observer } from '../observer.ts';

/** SEEN of a device that cannot be changed, for a state that the service does not date. */
const UNAVAILABLE = 'unavailable';
const ENDED = 'ended';

type Unavailable = 'maintenance' | 'offline';

/** Since when a device is in a state that only the ledger dates; undefined where no run has seen it. */
export function unavailableSince(
  memory: Pick<Memory, 'sightings'>,
  deviceId: string,
  state: Unavailable,
): Instant | undefined {
  const seen = findSighting(memory, UNAVAILABLE, deviceId);
  return seen?.value === state ? seen.since : undefined;
}

/**
 * Devices whose changes wait in maintenance mode, or offline without a date, and those that are out
 * of it (semantics M30, protocol J14).
 */
export const unavailable: Observer = function* ({ snapshot: { devices }, changes, memory, now }) {
  const stateOf = (deviceId: string): Unavailable | undefined => {
    const row = devices.rowOf(deviceId);
    const device = row === undefined ? undefined : devices.at(row);
    if (device?.maintenanceMode === true) return 'maintenance';
    return device?.status === 'offline' && device.lastSeen === undefined ? 'offline' : undefined;
  };
  const seen = new Set<string>();
  for (const { device, reason } of changes) {
    if (reason.why !== 'maintenanceMode' && reason.code !== 'offline') continue;
    const value = stateOf(device.id);
    if (value === undefined || seen.has(device.id)) continue;
    seen.add(device.id);
    if (findSighting(memory, UNAVAILABLE, device.id)?.value !== value)
      yield { what: UNAVAILABLE, subject: device.id, value, seenAt: now };
  }
  for (const [subject, { value }] of listSightings(memory, UNAVAILABLE))
    if (value !== ENDED && devices.rowOf(subject) !== undefined && stateOf(subject) === undefined)
      yield { what: UNAVAILABLE, subject, value: ENDED, seenAt: now };
};
