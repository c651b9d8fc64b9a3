import type { DialectKey } from './dialect.ts';

type Keys = Readonly<Record<string, readonly DialectKey[]>>;

/**
 * The keys of the dialect that say where and in which form a reading is shown: a read of one device, or a
 * field of its row. What has no line here is called alike on every service.
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
  lastSeen: ['dateForm'],
  lifeCycle: ['lifeCycleField'],
  passwordChangedAt: ['passwordLastChangedField', 'dateForm'],
  passwordExpiresAt: ['passwordExpiryField', 'dateForm'],
  recordingStatus: ['recordingStatusField'],
  sites: ['deviceSitesField', 'deviceSitesForm', 'siteIdField', 'siteNameField'],
  sources: ['deviceSourcesField', 'deviceSourcesForm', 'sourceIdField', 'sourceNameField'],
  sslCertificateExpiresAt: ['sslCertificateExpiryField', 'dateForm'],
  storageServer: ['storageServerField'],
};

/** The same for rows of discovered devices. */
const OF_DISCOVERED: Keys = {
  discoveredAt: ['discoveredTimeField', 'dateForm'],
  model: ['discoveredModelField'],
  name: ['discoveredNameField'],
  second: ['onboardSecondSource'],
  serial: ['discoveredSerialField'],
  site: ['discoveredSiteField', 'siteIdField', 'siteNameField'],
  sources: ['discoveredSourceField', 'discoveredSourceForm', 'sourceIdField', 'sourceNameField'],
};

/** What to write in a dialect where a reading was not understood: its keys as one text, if it has any. */
export function dialectKeysOf(
  reading: string,
  list: 'devices' | 'discoveredDevices' = 'devices',
): string | undefined {
  const keys = list === 'devices' ? OF_DEVICES : OF_DISCOVERED;
  const [name = ''] = reading.split('.');
  return Object.hasOwn(keys, name) ? keys[name]?.join(' or ') : undefined;
}
