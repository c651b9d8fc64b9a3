import type { RawRead } from '../../../api/raw.ts';
import type { Collection } from '../../../model/ports.ts';
import type { Dialect } from '../../../model/fleet/dialect.ts';

/** A column of a table: its heading, and the dotted path of its value in a row. */
export type GetColumn = readonly [heading: string, path: string];

/** What `get` can read: a list, one item by ID, a list of a device, or a task. */
export type Resource =
  | { readonly how: 'list'; readonly list: Collection | 'firmwarePaths'; readonly one?: RawRead }
  | { readonly how: 'one'; readonly one: RawRead; readonly like: Collection }
  | { readonly how: 'sub'; readonly one: RawRead; readonly list: string }
  | { readonly how: 'task' };

/** Every resource name of `fleetform get`. */
export function resourcesFor(dialect: Dialect): Readonly<Record<string, Resource>> {
  return {
    devices: { how: 'list', list: 'devices' },
    device: { how: 'one', one: 'device', like: 'devices' },
    sites: { how: 'list', list: 'sites', one: 'site' },
    sources: { how: 'list', list: 'deviceSources', one: 'deviceSource' },
    discovered: { how: 'list', list: 'discoveredDevices' },
    task: { how: 'task' },
    vulnerabilities: {
      how: 'sub',
      one: 'vulnerabilities',
      list: dialect.vulnerabilitiesListField,
    },
    passwords: { how: 'sub', one: 'passwords', list: 'passwords' },
    certificates: { how: 'sub', one: 'certificates', list: 'certificates' },
    'target-firmware': {
      how: 'sub',
      one: 'targetFirmware',
      list: dialect.targetFirmwareListField,
    },
    'firmware-paths': { how: 'list', list: 'firmwarePaths' },
  };
}

/** Columns by resource. A table shows those before the separator; csv shows all. */
export interface Columns {
  readonly table: readonly GetColumn[];
  readonly more: readonly GetColumn[];
}

export function findColumns(name: string, dialect: Dialect): Columns {
  const all: Readonly<Record<string, Columns>> = {
    devices: deviceColumns(dialect),
    device: deviceColumns(dialect),
    sites: { table: SITE, more: [['coordinates', 'coordinates']] },
    sources: { table: SOURCE, more: [] },
    discovered: discoveredColumns(dialect),
    task: { table: DEVICE_TASK, more: MORE_OF_DEVICE_TASK },
    steps: stepColumns(dialect),
    vulnerabilities: { table: VULNERABILITY, more: [['description', 'description']] },
    'firmware-paths': firmwarePathColumns(dialect),
    ...securityColumns(dialect),
  };
  return all[name] ?? { table: [], more: [] };
}

const DEVICE: readonly GetColumn[] = [
  ['id', 'id'],
  ['name', 'name'],
  ['vendor', 'vendor'],
  ['model', 'model'],
  ['firmware', 'firmwareVersion'],
  ['status', 'status'],
];

function deviceColumns(dialect: Dialect): Columns {
  const table: readonly GetColumn[] = [...DEVICE, ['site', dialect.deviceSitesField]];
  return { table, more: moreOfDevices(dialect) };
}

const SITE: readonly GetColumn[] = [
  ['id', 'id'],
  ['name', 'name'],
  ['status', 'status'],
  ['description', 'description'],
];

const SOURCE: readonly GetColumn[] = [
  ['id', 'id'],
  ['name', 'name'],
  ['type', 'type'],
  ['version', 'version'],
];

const DEVICE_TASK: readonly GetColumn[] = [
  ['device', 'deviceId'],
  ['name', 'deviceName'],
  ['task', 'taskType'],
  ['status', 'status'],
  ['result', 'result'],
  ['step', 'currentStepStatus'],
];

const MORE_OF_DEVICE_TASK: readonly GetColumn[] = [
  ['model', 'deviceModel'],
  ['host', 'deviceHost'],
  ['created', 'createDate'],
  ['deviceTask', 'deviceTaskId'],
  ['taskId', 'taskId'],
];

const VULNERABILITY: readonly GetColumn[] = [
  ['cve', 'cveId'],
  ['severity', 'severity'],
  ['reported', 'reportDate'],
  ['link', 'reportLink'],
];

function stepColumns(dialect: Dialect): Columns {
  const below = (path: string): string => (path === '' ? '' : `step.${path}`);
  return {
    table: [
      ['device', 'deviceId'],
      ['result', 'result'],
      ['step', below(dialect.stepNameField)],
      ['status', below(dialect.stepStatusField)],
      ['message', below(dialect.stepMessageField)],
    ],
    more: [
      ['started', below(dialect.stepStartField)],
      ['ended', below(dialect.stepEndField)],
    ],
  };
}

function firmwarePathColumns(dialect: Dialect): Columns {
  return {
    table: [
      ['vendor', dialect.firmwarePathVendorField],
      ['model', dialect.firmwarePathModelField],
      ['from', dialect.firmwarePathFromField],
      ['to', dialect.firmwarePathToField],
      ['path', dialect.firmwarePathHopsField],
    ],
    more: [],
  };
}

function discoveredColumns(dialect: Dialect): Columns {
  return {
    table: [
      ['id', dialect.discoveredIdField],
      ['name', dialect.discoveredNameField],
      ['vendor', 'vendor'],
      ['model', dialect.discoveredModelField],
      ['status', 'onboardingStatus'],
      ['discovered', dialect.discoveredTimeField],
    ],
    more: [
      ['type', 'deviceType'],
      ['serial', dialect.discoveredSerialField],
      ['source', dialect.discoveredSourceField],
      ['site', dialect.discoveredSiteField],
    ],
  };
}

/** Security data of one device: passwords as metadata, complete certificates, approved firmware. */
function securityColumns(dialect: Dialect): Readonly<Record<string, Columns>> {
  return {
    passwords: {
      table: [
        ['user', dialect.passwordEntryUserField],
        ['changed', dialect.passwordEntryChangedField],
        ['expires', dialect.passwordEntryExpiryField],
      ],
      more: [],
    },
    certificates: {
      table: [
        ['type', dialect.certificateTypeField],
        ['from', dialect.certificateNotBeforeField],
        ['until', dialect.certificateNotAfterField],
      ],
      more: [['certificate', dialect.certificateField || 'version']],
    },
    'target-firmware': {
      table: [
        ['version', dialect.targetFirmwareVersionField || 'version'],
        ['path', dialect.targetFirmwarePathField],
      ],
      more: [],
    },
  };
}

function moreOfDevices(dialect: Dialect): readonly GetColumn[] {
  const later = [
    ['onboarded', dialect.onboardingDateField],
    ['hardened', dialect.lastHardenedField],
    ['recording', dialect.recordingStatusField],
    ['storageServer', dialect.storageServerField],
    ['patchedFirmware', dialect.patchedFirmwareVersionField],
    ['orphaned', dialect.orphanedField],
    ['severity', dialect.vulnerabilitySeverityField],
    ['suggestedFirmware', dialect.suggestedFirmwareVersionField],
    ['suggestedModel', dialect.suggestedReplacementModelField],
    ['passwordExpires', dialect.passwordExpiryField],
    ['sslCertificateExpires', dialect.sslCertificateExpiryField],
    ['sslCertificateStatus', dialect.sslCertificateStatusField],
    ['dot1xCertificateExpires', dialect.dot1xCertificateExpiryField],
    ['dot1xCertificateStatus', dialect.dot1xCertificateStatusField],
    ['lifeCycle', dialect.lifeCycleField],
    ['supportEnds', dialect.supportEndField],
  ] as const;
  return [
    ['type', 'deviceType'],
    ['lastSeen', 'lastSeen'],
    ['maintenance', 'maintenanceMode'],
    ['sources', dialect.deviceSourcesField],
    ['availableTask', 'availableTask'],
    ['probe', 'probe'],
    ['network', 'network'],
    ...later.map(([heading, path]): GetColumn => [heading, String(path)]),
  ];
}
