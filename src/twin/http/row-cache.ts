import type { components } from '../../service.gen.ts';
import { lastSeenAt } from '../world/connectivity.ts';
import type { DeviceState, Time } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { deviceOnWire, timestamp } from './wire.ts';

type DeviceRow = components['schemas']['Device'];

/** How a device becomes a row of an answer. */
export type ToRow = (world: World, device: DeviceState, now: Time) => DeviceRow;

interface CachedRow {
  /** A copy of the device. Its members are replaced, never changed in place. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly siteName: string | undefined;
  readonly from: Time;
  /** When the status of a certificate changes by itself. */
  readonly until: Time;
  row: DeviceRow;
  lastSeen: Time;
}

/**
 * Makes a row again only after its device changed. Of 10,000 devices often only `lastSeen` moves from one reading to
 * the next. Parts of a row that did not change are the same objects.
 */
export function cacheRows(): ToRow {
  const cached = new WeakMap<DeviceState, CachedRow>();
  return (world, device, now) => {
    const siteName = world.site(device.siteId)?.name;
    const known = cached.get(device);
    const isSame = known && known.siteName === siteName && isUnchanged(known, device, now);
    if (!isSame) {
      const row = deviceOnWire(world, device, now);
      const lastSeen = lastSeenAt(device, now, world.refreshMs);
      const state = { before: { ...device }, siteName, from: now, until: nextExpiry(device, now) };
      cached.set(device, { ...state, row, lastSeen });
      return row;
    }
    const lastSeen = lastSeenAt(device, now, world.refreshMs);
    if (lastSeen !== known.lastSeen) {
      known.row = { ...known.row, lastSeen: timestamp(lastSeen) };
      known.lastSeen = lastSeen;
    }
    return known.row;
  };
}

function isUnchanged({ before, from, until }: CachedRow, device: DeviceState, now: Time): boolean {
  if (now < from || now >= until) return false;
  const current = device as unknown as Readonly<Record<string, unknown>>;
  for (const name in current) if (current[name] !== before[name]) return false;
  return true;
}

function nextExpiry({ ssl, dot1x }: DeviceState, now: Time): Time {
  const ends = [ssl, dot1x].flatMap((issue) => issue?.notAfter ?? []);
  return Math.min(Infinity, ...ends.filter((end) => end > now));
}
