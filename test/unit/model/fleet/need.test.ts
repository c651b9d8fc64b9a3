import { expect, test } from 'vitest';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import type { Device } from '../../../../src/model/fleet/device.ts';
import { firmwareKey, isFirmwareKey, toNeed } from '../../../../src/model/fleet/need.ts';
import type { DeviceRead } from '../../../../src/model/fleet/snapshot.ts';
import { aDevice } from '../../../support/plan-fleet.ts';

const SHARED = firmwareKey('Axis', 'P3265-V', '11.8.61');

/** Whether a read of this device has the key that its model shares. */
function isShared(
  read: DeviceRead,
  fields: Partial<Device> = {},
  scope: 'model' | 'device' = 'model',
): boolean {
  const dialect = resolveDialect({ targetFirmwareScope: scope });
  return toNeed(read, aDevice('dev-1', fields), dialect).key === SHARED;
}

test('approved firmware is shared by vendor, model and version, where the dialect says so', () => {
  expect(isShared('targetFirmware')).toBe(true);
  expect(isShared('targetFirmware', { firmwareVersion: '11.9.60' })).toBe(false);
  expect(isShared('targetFirmware', {}, 'device')).toBe(false);
});

test('passwords and certificates belong to their device', () => {
  const keys = (['passwords', 'certificates'] as const).map(
    (read) => toNeed(read, aDevice('dev-1'), resolveDialect()).key,
  );
  expect(keys).toEqual(['passwords of dev-1', 'certificates of dev-1']);
  expect(keys.some(isFirmwareKey)).toBe(false);
});

test('a device that does not say what it runs shares nothing', () => {
  const { firmwareVersion: _version, ...silent } = aDevice('dev-1');
  expect(toNeed('targetFirmware', silent, resolveDialect()).key).toBe('targetFirmware of dev-1');
});

test('no two models have one key, whatever their names hold', () => {
  expect(firmwareKey('a', 'b","c', 'd')).not.toBe(firmwareKey('a","b', 'c', 'd'));
});
