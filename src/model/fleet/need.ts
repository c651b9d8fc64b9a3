import type { Device } from './device.ts';
import type { Dialect } from './dialect.ts';
import type { Need, DeviceRead } from './snapshot.ts';

/**
 * A read that is needed, with the key of its answer. All devices of one vendor, model and version
 * share the answer about approved firmware where the dialect says so; every other answer belongs to
 * one device.
 */
export function toNeed(read: DeviceRead, device: Device, dialect: Dialect): Need {
  const { id, vendor, model, firmwareVersion } = device;
  const shared =
    read === 'targetFirmware' &&
    dialect.targetFirmwareScope === 'model' &&
    vendor !== undefined &&
    model !== undefined &&
    firmwareVersion !== undefined;
  const key = shared ? firmwareKey(vendor, model, firmwareVersion) : `${read} of ${id}`;
  return { read, deviceId: id, key };
}

/** The key of approved firmware that all devices of a vendor, model and version share. */
export function firmwareKey(vendor: string, model: string, version: string): string {
  return `${SHARED}${JSON.stringify([vendor, model, version])}`;
}

/** Whether the answer belongs to a vendor, model and version, not to one device. */
export function isFirmwareKey(key: string): boolean {
  return key.startsWith(SHARED);
}

const SHARED = 'firmware of ';
