import { DEVICE, DISCOVERED, type RowFields } from './device.ts';
import type { DialectKey } from './dialect.ts';

type Keys = Readonly<Record<string, readonly DialectKey[]>>;

/**
 * The keys of the dialect that name the field and the format of a reading: a read of one device, or
 * a field of its row. A reading without a line here has the same name on every service.
 */
const OF_DEVICES: Keys = {
  targetFirmware: [
    'targetFirmwareListField',
    'targetFirmwareForm',
    'targetFirmwareVersionField',
    'targetFirmwarePathField',
  ],
  passwords: ['passwordEntryChangedField', 'passwordEntryExpiryField', 'dateForm'],
  certificates: [
    'certificateTypeField',
    'certificateField',
    'certificateNotBeforeField',
    'certificateNotAfterField',
    'dateForm',
  ],
  ...ofFields(DEVICE),
};

/** The same for rows of discovered devices. */
const OF_DISCOVERED = ofFields(DISCOVERED);

function ofFields(fields: RowFields): Keys {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { key, keys = [], type }]) => [
      name,
      [...(key ? [key] : []), ...keys, ...(type === 'instant' ? (['dateForm'] as const) : [])],
    ]),
  );
}

type ListOfDevices = 'devices' | 'discoveredDevices';

/** The dialect keys to set where a reading could not be parsed; none where it has the same name everywhere. */
export function listDialectKeys(
  reading: string,
  list: ListOfDevices = 'devices',
): readonly DialectKey[] {
  const keys = list === 'devices' ? OF_DEVICES : OF_DISCOVERED;
  const [name = ''] = reading.split('.');
  return Object.hasOwn(keys, name) ? (keys[name] ?? []) : [];
}

/** The same as one string; undefined where there is none. */
export function findDialectKeys(reading: string, list?: ListOfDevices): string | undefined {
  const keys = listDialectKeys(reading, list);
  return keys.length > 0 ? keys.join(' or ') : undefined;
}
