import type { Device } from './device.ts';
import type { Dialect } from './dialect.ts';
import { numberPairs } from '../../lib/pair-numbers.ts';
import type { DeviceRead, DeviceTable, Need } from './snapshot.ts';

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

/** The same for the rows of a table: devices of one vendor, model and version share the text of their key, too. */
export function tableNeeds(
  { text: { id, vendor, model, firmwareVersion } }: DeviceTable,
  dialect: Dialect,
): {
  /** The number of the vendor, model and version that share an answer about firmware; undefined where none do. */
  readonly sharedAt: (row: number) => number | undefined;
  readonly needAt: (read: DeviceRead, row: number) => Need;
} {
  const pairNumber = numberPairs();
  const isShared = dialect.targetFirmwareScope === 'model';
  const sharedAt = (row: number): number | undefined => {
    const [a, b, c] = [vendor.codes[row], model.codes[row], firmwareVersion.codes[row]];
    return isShared && a && b && c ? pairNumber(pairNumber(a, b), c) : undefined;
  };
  const keys: string[] = [];
  const firmwareKeyAt = (row: number, shared: number): string =>
    (keys[shared] ??= firmwareKey(
      vendor.values[vendor.codes[row] ?? 0] ?? '',
      model.values[model.codes[row] ?? 0] ?? '',
      firmwareVersion.values[firmwareVersion.codes[row] ?? 0] ?? '',
    ));
  return {
    sharedAt,
    needAt(read, row) {
      const deviceId = id.values[id.codes[row] ?? 0] ?? '';
      const shared = read === 'targetFirmware' ? sharedAt(row) : undefined;
      const key = shared === undefined ? `${read} of ${deviceId}` : firmwareKeyAt(row, shared);
      return { read, deviceId, key };
    },
  };
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
