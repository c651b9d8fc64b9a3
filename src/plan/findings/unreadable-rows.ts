import type { Device } from '../../model/fleet/device.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { DialectKey } from '../../model/fleet/dialect.ts';
import type { PlannerInput } from '../input.ts';

/** Devices that a finding names. */
const NAMED = 3;

/**
 * Fields of rows that were not understood, one finding each, whoever selects these devices: what a
 * selector asks of such a field it cannot answer, so that nobody else would say it.
 */
export function unreadableRows({ snapshot }: PlannerInput): readonly Diagnostic[] {
  const { devices, discovered } = snapshot;
  const found = new Map<string, string[]>();
  const observe = ({ id, unreadable = [] }: Pick<Device, 'id' | 'unreadable'>): void => {
    for (const field of unreadable) {
      const ids = found.get(field) ?? [];
      ids.push(id);
      found.set(field, ids);
    }
  };
  for (let row = 0; row < devices.length; row += 1) observe(devices.at(row));
  for (const device of discovered) observe(device);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(finding);
}

function finding([field, ids]: readonly [string, readonly string[]]): Diagnostic {
  const [name = ''] = field.split('.');
  const key = KEYS[name];
  const more = ids.length > NAMED ? ', …' : '';
  return {
    code: 'valueUnreadable',
    severity: 'warning',
    params: {
      field,
      count: ids.length,
      devices: `${ids.slice(0, NAMED).join(', ')}${more}`,
      ...(key !== undefined && { key }),
    },
  };
}

/** The key of the dialect that says where a field is, or of what form. */
const KEYS: Readonly<Record<string, DialectKey>> = {
  discoveredAt: 'discoveredTimeField',
  lastSeen: 'dateForm',
  lifeCycle: 'lifeCycleField',
  passwordChangedAt: 'passwordLastChangedField',
  passwordExpiresAt: 'passwordExpiryField',
  recordingStatus: 'recordingStatusField',
  serial: 'discoveredSerialField',
  sites: 'deviceSitesField',
  sources: 'deviceSourcesField',
  sslCertificateExpiresAt: 'sslCertificateExpiryField',
  storageServer: 'storageServerField',
};
