/** The columns of the table of devices that hold few distinct values. */
export const DEVICE_COLUMNS = [
  ['site', 'Site'],
  ['deviceType', 'Type'],
  ['make', 'Model'],
  ['firmwareVersion', 'Version'],
  ['firmwareState', 'Firmware'],
  ['vulnerabilityState', 'Vulnerability'],
  ['severity', 'Severity'],
  ['lifecycleState', 'Lifecycle'],
  ['passwordState', 'Password'],
  ['sslCertificateState', 'SSL'],
  ['dot1xCertificateState', '802.1X'],
  ['hardeningState', 'Hardening'],
] as const;
export type DeviceColumn = (typeof DEVICE_COLUMNS)[number][0];

/** Some devices inside the page; the script takes the parts in order. */
export interface DevicePart {
  readonly ids: readonly string[];
  /** Empty for a device without a name. */
  readonly names: readonly string[];
  /** One list for each column of `DEVICE_COLUMNS`, each a code in its dictionary. */
  readonly codes: readonly (readonly number[])[];
  /** What each dictionary gains with this part. */
  readonly fresh: readonly (readonly string[])[];
}

/** The texts of the script. */
export const DEVICE_WORDS = {
  counted: '{shown} of {all} devices',
  all: 'All',
  none: '(none)',
} as const;
