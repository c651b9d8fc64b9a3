/** One assumption about what the service's documentation leaves open. */
export interface Assumption {
  readonly key: string;
  readonly default: string | number;
  /** What depends on it, in a phrase; README and `doctor` print it. */
  readonly meaning: string;
}

/**
 * The one table of assumptions: every key of `service.dialect`, its default, what it names.
 * A value that names a field is the service's own spelling; dots lead into objects. An empty text says that
 * the service does not have the field: what needs it is then switched off and said once.
 */
export const ASSUMPTIONS = [
  { key: 'tokenPath', default: '/v1/auth/{organization}', meaning: 'path of the token endpoint' },
  {
    key: 'tokenField',
    default: 'access_token',
    meaning: 'token in the answer of the token endpoint',
  },
  { key: 'tokenLifetimeField', default: 'expires_in', meaning: 'life of a token, in seconds' },
  { key: 'maxDevicesPerTask', default: 100, meaning: 'devices in one task at the most' },
  { key: 'taskDeviceField', default: 'deviceId', meaning: 'id of a device in an entry of a task' },
  {
    key: 'onboardDeviceField',
    default: 'discoveredDeviceId',
    meaning: 'id of a discovered device in an entry of onboardDevice',
  },
  {
    key: 'upgradeVersionField',
    default: 'targetVersion',
    meaning: 'version in the payload of upgradeFirmware',
  },
  {
    key: 'onboardedId',
    default: 'same',
    meaning: 'id after onboarding: `same` as the discovered one, or `unknown`',
  },
  { key: 'siteIdField', default: 'id', meaning: "id in an entry of a device's sites" },
  { key: 'siteNameField', default: 'name', meaning: "name in an entry of a device's sites" },
  { key: 'sourceIdField', default: 'id', meaning: "id in an entry of a device's deviceSources" },
  {
    key: 'sourceNameField',
    default: 'name',
    meaning: "name in an entry of a device's deviceSources",
  },
  { key: 'onboardingDateField', default: 'onboardingDate', meaning: 'when a device was onboarded' },
  { key: 'lastHardenedField', default: 'lastHardened', meaning: 'when a device was hardened last' },
  { key: 'recordingStatusField', default: 'recordingStatus', meaning: 'whether a camera records' },
  {
    key: 'storageServerField',
    default: 'storageServer',
    meaning: 'name of the recorder of a camera',
  },
  {
    key: 'patchedFirmwareVersionField',
    default: 'patchedFirmwareVersion',
    meaning: 'version that mends the known vulnerabilities',
  },
  {
    key: 'orphanedField',
    default: 'orphaned',
    meaning: 'whether no source reports the device any more',
  },
  {
    key: 'vulnerabilitySeverityField',
    default: 'compliance.vulnerabilitySeverity',
    meaning: 'highest severity of the known vulnerabilities',
  },
  {
    key: 'suggestedFirmwareVersionField',
    default: 'compliance.suggestedFirmwareVersion',
    meaning: 'version the service suggests',
  },
  {
    key: 'suggestedReplacementModelField',
    default: 'compliance.suggestedReplacementModel',
    meaning: 'model the service suggests instead',
  },
  {
    key: 'passwordExpiryField',
    default: 'compliance.passwordExpiry',
    meaning: 'when the password of a device expires',
  },
  {
    key: 'passwordLastChangedField',
    default: '',
    meaning: 'when the password changed last, where the device itself shows it',
  },
  {
    key: 'sslCertificateExpiryField',
    default: 'compliance.sslCertificateExpiry',
    meaning: 'when the SSL certificate expires',
  },
  {
    key: 'sslCertificateStatusField',
    default: 'compliance.sslCertificateStatus',
    meaning: 'compliance of the SSL certificate',
  },
  {
    key: 'dot1xCertificateExpiryField',
    default: 'compliance.dot1xCertificateExpiry',
    meaning: 'when the 802.1X certificate expires',
  },
  {
    key: 'dot1xCertificateStatusField',
    default: 'compliance.dot1xCertificateStatus',
    meaning: 'compliance of the 802.1X certificate',
  },
  {
    key: 'lifeCycleField',
    default: 'compliance.lifecycle.status',
    meaning: 'end-of-support status of a device',
  },
  {
    key: 'passwordEntryChangedField',
    default: 'lastChanged',
    meaning: 'last change in an entry of passwords',
  },
  {
    key: 'passwordEntryExpiryField',
    default: 'expiry',
    meaning: 'expiry in an entry of passwords',
  },
  { key: 'passwordEntryUserField', default: 'userName', meaning: 'user in an entry of passwords' },
  { key: 'certificateTypeField', default: 'type', meaning: 'type in an entry of certificates' },
  { key: 'certificateTypeSsl', default: 'ssl', meaning: 'the word for an SSL certificate' },
  { key: 'certificatePemField', default: 'certificate', meaning: 'the certificate itself, as PEM' },
  {
    key: 'certificateNotBeforeField',
    default: 'notBefore',
    meaning: 'start of validity, where not read off the certificate',
  },
  {
    key: 'certificateNotAfterField',
    default: 'notAfter',
    meaning: 'end of validity, where not read off the certificate',
  },
  {
    key: 'vulnerabilitiesListField',
    default: 'vulnerabilities',
    meaning: 'list in the answer of vulnerabilities',
  },
  {
    key: 'targetFirmwareListField',
    default: 'targetFirmware',
    meaning: 'list in the answer of targetFirmware',
  },
  {
    key: 'targetFirmwareVersionField',
    default: 'version',
    meaning: 'version in an entry of targetFirmware',
  },
  {
    key: 'targetFirmwarePathField',
    default: 'path',
    meaning: 'versions on the way to it, itself last',
  },
  {
    key: 'targetFirmwareScope',
    default: 'model',
    meaning: '`model` where equal vendor, model and version get equal answers, else `device`',
  },
  {
    key: 'firmwarePathsListField',
    default: 'firmwarePaths',
    meaning: 'list in the answer of firmwarePaths',
  },
  { key: 'discoveredIdField', default: 'id', meaning: 'id of a discovered device' },
  {
    key: 'discoveredSerialField',
    default: 'serialNumber',
    meaning: 'serial number of a discovered device',
  },
  {
    key: 'discoveredSourceField',
    default: 'deviceSource',
    meaning: 'source of a discovered device',
  },
  { key: 'discoveredSiteField', default: 'site', meaning: 'site of a discovered device' },
  { key: 'discoveredTimeField', default: 'discoveredAt', meaning: 'when a device was discovered' },
  {
    key: 'filterRotatePassword',
    default: 'availableTask.rotatePassword',
    meaning: 'filter for devices whose password can be rotated',
  },
  {
    key: 'filterRotateSslCertificate',
    default: 'availableTask.rotateSSLCertificate',
    meaning: 'filter for devices whose SSL certificate can be rotated',
  },
  {
    key: 'autoSettleNegative',
    default: 'never',
    meaning:
      '`afterQuarantine` where a task that got lost shows itself within 30 minutes, as the owner says; else `never`',
  },
] as const satisfies readonly Assumption[];

export type DialectKey = (typeof ASSUMPTIONS)[number]['key'];

/** A resolved dialect: every key has a value. */
export type Dialect = Readonly<Record<DialectKey, string | number>>;

/**
 * The defaults, with what a document writes in their place. Unknown keys are the loader's to
 * refuse.
 */
export function resolveDialect(written: Readonly<Record<string, string | number>> = {}): Dialect {
  return Object.fromEntries(
    ASSUMPTIONS.map(({ key, default: assumed }) => [key, written[key] ?? assumed]),
  ) as Dialect;
}
