import type { DialectKey } from './dialect.ts';

/** A filter that the service added over time, whose name is a guess, and what it selects. */
export interface FilterRow {
  readonly key: Extract<DialectKey, `filter${string}`>;
  readonly type: 'word' | 'flag' | 'before' | 'after';
  /** The key of the field that it is about, or the member itself. */
  readonly field: Extract<DialectKey, `${string}Field`> | { readonly path: string };
  /** Other spellings that documentation or custom suggest. */
  readonly others?: readonly string[];
}

function dated(name: string, field: Extract<DialectKey, `${string}Field`>): readonly FilterRow[] {
  return (['before', 'after'] as const).map((type) => ({
    key: `filter${name}${type === 'before' ? 'Before' : 'After'}` as FilterRow['key'],
    type,
    field,
  }));
}

export const FILTERS: readonly FilterRow[] = [
  {
    key: 'filterMaintenanceMode',
    type: 'flag',
    field: { path: 'maintenanceMode' },
    others: ['isMaintenanceMode', 'isInMaintenanceMode'],
  },
  {
    key: 'filterRotatePassword',
    type: 'flag',
    field: { path: 'availableTask.rotatePassword' },
    others: ['availableTask.rotatePassword', 'availableTask.passwordRotation'],
  },
  {
    key: 'filterRotateSslCertificate',
    type: 'flag',
    field: { path: 'availableTask.rotateSslCertificate' },
    others: ['availableTask.rotateSSLCertificate', 'availableTask.rotateSslCertificate'],
  },
  ...dated('OnboardingDate', 'onboardingDateField'),
  ...dated('LastHardened', 'lastHardenedField'),
  ...dated('PasswordExpiry', 'passwordExpiryField'),
  ...dated('SslCertificateExpiry', 'sslCertificateExpiryField'),
  ...dated('Dot1xCertificateExpiry', 'dot1xCertificateExpiryField'),
  { key: 'filterRecordingStatus', type: 'word', field: 'recordingStatusField' },
  { key: 'filterStorageServer', type: 'word', field: 'storageServerField' },
  { key: 'filterPatchedFirmwareVersion', type: 'word', field: 'patchedFirmwareVersionField' },
  { key: 'filterOrphaned', type: 'flag', field: 'orphanedField', others: ['isOrphaned'] },
  { key: 'filterVulnerabilitySeverity', type: 'word', field: 'vulnerabilitySeverityField' },
  { key: 'filterSuggestedFirmwareVersion', type: 'word', field: 'suggestedFirmwareVersionField' },
  { key: 'filterSuggestedReplacementModel', type: 'word', field: 'suggestedReplacementModelField' },
  { key: 'filterSslCertificateStatus', type: 'word', field: 'sslCertificateStatusField' },
  { key: 'filterDot1xCertificateStatus', type: 'word', field: 'dot1xCertificateStatusField' },
];
