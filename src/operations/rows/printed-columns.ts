import { certificateFacts } from '../../api/decode/credential-facts.ts';
import { decodeInstant } from '../../api/decode/dates.ts';
import { isFault } from '../../api/decode/fault.ts';
import { isAbsent, type JsonRow } from '../../api/decode/fields.ts';
import type { RawRead } from '../../api/raw.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Collection } from '../../model/ports.ts';
import type { SingleRead } from '../../api/unread.ts';
import { DEVICE, DEVICE_FIELD_NAMES, type DeviceField } from '../../model/fleet/device.ts';
import type { Dialect, DialectKey } from '../../model/fleet/dialect.ts';

/**
 * A column of a table: its heading, the dotted path of its value in a row, and what a cell shows of
 * it where that is not the value as it came.
 */
export type GetColumn = readonly [
  heading: string,
  path: string,
  show?: (value: unknown, row: JsonRow) => unknown,
];

/** What `get` can read: a list, one item by ID, a list of a device, or a task. */
export type Resource =
  | { readonly how: 'list'; readonly list: Collection | 'firmwarePaths'; readonly one?: RawRead }
  | { readonly how: 'one'; readonly one: RawRead }
  | {
      readonly how: 'sub';
      readonly one: SingleRead;
      readonly list: string;
      /** The key of the dialect that names the list, if there is one. */
      readonly key?: DialectKey;
    }
  | { readonly how: 'task' };

/** Every resource name of `fleetform get`. */
export function resourcesFor(dialect: Dialect): Readonly<Record<string, Resource>> {
  return {
    devices: { how: 'list', list: 'devices' },
    device: { how: 'one', one: 'device' },
    sites: { how: 'list', list: 'sites', one: 'site' },
    sources: { how: 'list', list: 'deviceSources', one: 'deviceSource' },
    discovered: { how: 'list', list: 'discoveredDevices' },
    task: { how: 'task' },
    vulnerabilities: {
      how: 'sub',
      one: 'vulnerabilities',
      list: dialect.vulnerabilitiesListField,
      key: 'vulnerabilitiesListField',
    },
    passwords: { how: 'sub', one: 'passwords', list: 'passwords' },
    certificates: { how: 'sub', one: 'certificates', list: 'certificates' },
    'target-firmware': {
      how: 'sub',
      one: 'targetFirmware',
      list: dialect.targetFirmwareListField,
      key: 'targetFirmwareListField',
    },
    'firmware-paths': { how: 'list', list: 'firmwarePaths' },
  };
}

/** Columns by resource. A table shows those before the separator; csv shows all. */
export interface Columns {
  readonly table: readonly GetColumn[];
  readonly more: readonly GetColumn[];
}

/** The columns of a resource. Dates are shown as RFC 3339, in whatever form the service has them. */
export function findColumns(name: string, dialect: Dialect): Columns {
  const { table, more } = plainColumns(name, dialect);
  const dated = (column: GetColumn): GetColumn => {
    const [heading, path, show] = column;
    if (!DATES.has(heading)) return column;
    return [heading, path, show ?? ((value) => shownDate(value, dialect))];
  };
  return { table: table.map(dated), more: more.map(dated) };
}

const DATES: ReadonlySet<string> = new Set([
  'changed',
  'created',
  'discovered',
  'dot1xCertificateExpires',
  'ended',
  'expires',
  'hardened',
  'lastSeen',
  'onboarded',
  'passwordExpires',
  'reported',
  'sslCertificateExpires',
  'started',
  'supportEnds',
]);

/** A text of the service stays as it is; a number is a date where the dialect says so. */
function shownDate(value: unknown, { dateForm }: Dialect): unknown {
  if (typeof value === 'string' && !/^\d+(?:\.\d+)?$/.test(value)) return value;
  const instant = decodeInstant(value, dateForm);
  return typeof instant === 'number' ? formatInstant(instant) : value;
}

function plainColumns(name: string, dialect: Dialect): Columns {
  const all: Readonly<Record<string, Columns>> = {
    devices: deviceColumns(dialect),
    device: deviceColumns(dialect),
    sites: { table: same('id name status description'), more: same('coordinates') },
    sources: { table: same('id name type version'), more: [] },
    discovered: {
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
    },
    task: DEVICE_TASK,
    steps: stepColumns(dialect),
    vulnerabilities: {
      table: [
        ['cve', 'cveId'],
        ['severity', 'severity'],
        ['reported', 'reportDate'],
        ['link', 'reportLink'],
      ],
      more: same('description'),
    },
    'firmware-paths': {
      table: [
        ['vendor', dialect.firmwarePathVendorField],
        ['model', dialect.firmwarePathModelField],
        ['from', dialect.firmwarePathFromField],
        ['to', dialect.firmwarePathToField],
        ['path', dialect.firmwarePathHopsField],
      ],
      more: [],
    },
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
        certificateDate('from', dialect.certificateNotBeforeField || 'notBefore', dialect),
        certificateDate('until', dialect.certificateNotAfterField || 'notAfter', dialect),
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
  return all[name] ?? { table: [], more: [] };
}

/** Columns whose headings are the names of their fields. */
function same(names: string): readonly GetColumn[] {
  return names.split(' ').map((name) => [name, name]);
}

const DEVICE_TASK: Columns = {
  table: [
    ['device', 'deviceId'],
    ['name', 'deviceName'],
    ['task', 'taskType'],
    ['status', 'status'],
    ['result', 'result'],
    ['step', 'currentStepStatus'],
  ],
  more: [
    ['model', 'deviceModel'],
    ['host', 'deviceHost'],
    ['created', 'createDate'],
    ['deviceTask', 'deviceTaskId'],
    ['taskId', 'taskId'],
  ],
};

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

/** Fields of a device without a heading here come last, under their names: labels in the table, others in csv. */
function deviceColumns(dialect: Dialect): Columns {
  const { table, more } = headedColumns(dialect);
  const headed = new Set([...table, ...more].map(([, path]) => path));
  const others = (isInTable: boolean): readonly GetColumn[] =>
    DEVICE_FIELD_NAMES.flatMap((name): readonly GetColumn[] => {
      const { type, at, key, isLabel }: DeviceField = DEVICE[name];
      const path = at ?? (key === undefined ? '' : dialect[key]);
      if (path === '' || headed.has(path) || (isLabel === true) !== isInTable) return [];
      return [
        type === 'instant' ? [name, path, (value) => shownDate(value, dialect)] : [name, path],
      ];
    });
  return { table: [...table, ...others(true)], more: [...more, ...others(false)] };
}

function headedColumns(dialect: Dialect): Columns {
  return {
    table: [
      ...same('id name vendor model'),
      ['firmware', 'firmwareVersion'],
      ['status', 'status'],
      ['site', dialect.deviceSitesField],
    ],
    more: [
      ['type', 'deviceType'],
      ['lastSeen', 'lastSeen'],
      ['maintenance', 'maintenanceMode'],
      ['sources', dialect.deviceSourcesField],
      ...same('availableTask probe network'),
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
    ],
  };
}

/** A date of the certificate: the one beside it, else the one that it holds itself, in PEM or DER. */
function certificateDate(heading: 'from' | 'until', path: string, dialect: Dialect): GetColumn {
  return [
    heading,
    path,
    (value, row) => {
      if (!isAbsent(value)) return shownDate(value, dialect);
      // A certificate without anything beside it is printed as a row with that one member.
      const isAlone = dialect.certificateField === '' && typeof row['version'] === 'string';
      const facts = certificateFacts(isAlone ? row['version'] : row, dialect);
      if (isFault(facts)) return undefined;
      const instant = heading === 'from' ? facts.notBefore : facts.notAfter;
      return instant === undefined ? undefined : formatInstant(instant);
    },
  ];
}
