import type { DialectKey } from './dialect.ts';
import type { AvailableTask } from './task.ts';
import type { Instant } from '../../lib/time.ts';

/**
 * Connectivity in the words of the service. A word that is not in this list is kept and never
 * counts as online.
 */
export const STATUSES = ['online', 'offline', 'partial', 'unknown'] as const;

export const PROBES = ['agent', 'deviceSource', 'edge', 'host', 'app'] as const;
export type Probe = (typeof PROBES)[number];

/**
 * A site or device source in the row of a device. IDs are strings, whatever type the service sends.
 */
export interface Ref {
  readonly id: string;
  readonly name?: string;
}

/** What a value of each type of field is. */
interface FieldTypes {
  readonly id: string;
  /** A text of which each device has its own, such as a name. */
  readonly ownText: string;
  /** As `ownText`, such as a serial number or the ID of another system: it may come as a number. */
  readonly code: string;
  /** A text that many devices share. */
  readonly text: string;
  readonly flag: boolean;
  readonly instant: Instant;
  readonly refs: readonly Ref[];
  readonly probes: Readonly<Partial<Record<Probe, string>>>;
  readonly tasks: Readonly<Partial<Record<AvailableTask, boolean>>>;
  readonly names: readonly string[];
}

/** What other rows have besides. */
interface RowTypes extends FieldTypes {
  readonly ref: Ref;
  /** A value that is sent back unchanged. */
  readonly kept: string | number;
}

export interface DeviceField<T extends keyof RowTypes = keyof FieldTypes> {
  readonly type: T;
  /** Where a row of the service has it: a dotted path, or the key of the dialect that says the path. */
  readonly at?: string;
  readonly key?: Extract<DialectKey, `${string}Field`>;
  /** More keys of the dialect that say how its values are read. */
  readonly keys?: readonly DialectKey[];
  /** Every device has it: empty where the service says nothing. */
  readonly isAlways?: true;
  /** An instant that many devices share. */
  readonly isShared?: true;
  /** What `doctor` knows it by where the service has it at another path: all of these match the path there, `unlike` does not. */
  readonly like?: readonly RegExp[];
  readonly unlike?: RegExp;
  /** Where its texts are versions. */
  readonly isVersion?: true;
  /** The words that the service documents for it. */
  readonly words?: readonly string[];
  /** People recognize a device by it: changes show it, in plans, their pages and their JSON, and so does the table of `get`. */
  readonly isLabel?: true;
}

export interface RowField extends Omit<DeviceField<keyof RowTypes>, 'key'> {
  readonly key?: DialectKey;
}
export type RowFields = Readonly<Record<string, RowField>>;

const STATE = /status|state|complian/;
const SSL = /ssl|tls|https/;
const DOT1X = /dot1x|8021x|eap/;
/** What the paths of ends have, of a password or a certificate. */
export const EXPIRES = /expir|validto|validuntil|notafter|enddate/;

/**
 * The fields of a device: the one place that says which there are, where a row has them and how they are read. Rows,
 * columns, files and JSON have them in this order.
 */
export const DEVICE = {
  id: { type: 'id', at: 'id', isAlways: true },
  sites: {
    type: 'refs',
    key: 'deviceSitesField',
    keys: ['deviceSitesForm', 'siteIdField', 'siteNameField'],
    isAlways: true,
  },
  sources: {
    type: 'refs',
    key: 'deviceSourcesField',
    keys: ['deviceSourcesForm', 'sourceIdField', 'sourceNameField'],
    isAlways: true,
  },
  probe: { type: 'probes', at: 'probe', isAlways: true },
  /** The tasks that the service offers for it now. */
  available: { type: 'tasks', at: 'availableTask', isAlways: true },
  maintenanceMode: { type: 'flag', at: 'maintenanceMode' },
  recordingStatus: { type: 'text', key: 'recordingStatusField', like: [/record/, STATE] },
  /** Whether its vendor still supports it, in the service's words: `eol`, `eos` and the like. */
  lifeCycle: {
    type: 'text',
    key: 'lifeCycleField',
    like: [/lifecycle/, STATE],
    words: ['current_product', 'eol', 'eos', 'unknown'],
  },
  supportEndsAt: {
    type: 'instant',
    key: 'supportEndField',
    isShared: true,
    like: [/eos|endofs|supportend/],
  },
  /** Whether these certificates comply, in the service's words. */
  sslCertificateStatus: { type: 'text', key: 'sslCertificateStatusField', like: [SSL, STATE] },
  dot1xCertificateStatus: {
    type: 'text',
    key: 'dot1xCertificateStatusField',
    like: [DOT1X, STATE],
  },
  /** The highest severity of its known vulnerabilities, in the service's words. */
  vulnerabilitySeverity: { type: 'text', key: 'vulnerabilitySeverityField', like: [/severity/] },
  /** The version that fixes them, and what the service suggests in place of version and model. */
  patchedFirmwareVersion: {
    type: 'text',
    key: 'patchedFirmwareVersionField',
    isVersion: true,
    like: [/patched|fixedfirm|fixedver/],
  },
  suggestedFirmwareVersion: {
    type: 'text',
    key: 'suggestedFirmwareVersionField',
    isVersion: true,
    like: [/suggest|recommend/, /firmware|version/],
  },
  suggestedReplacementModel: {
    type: 'text',
    key: 'suggestedReplacementModelField',
    like: [/replace|successor/],
  },
  /** No device source reports it. */
  orphaned: { type: 'flag', key: 'orphanedField', like: [/orphan/] },
  /**
   * Fields that the service sent and that could not be parsed, by fleetform's names (`status`,
   * `probe.agent`, `available.restartDevice`), sorted. Absent where all could be parsed.
   */
  unreadable: { type: 'names' },
  name: { type: 'ownText', at: 'name' },
  vendor: { type: 'text', at: 'vendor', isLabel: true },
  model: { type: 'text', at: 'model', isLabel: true },
  firmwareVersion: { type: 'text', at: 'firmwareVersion' },
  deviceType: { type: 'text', at: 'deviceType', isLabel: true },
  status: { type: 'text', at: 'status' },
  lastSeen: { type: 'instant', at: 'lastSeen' },
  storageServer: {
    type: 'text',
    key: 'storageServerField',
    like: [/storage|recorder|archiver|nvr/],
    unlike: /status|state/,
  },
  passwordExpiresAt: { type: 'instant', key: 'passwordExpiryField', like: [/password/, EXPIRES] },
  passwordChangedAt: {
    type: 'instant',
    key: 'passwordLastChangedField',
    like: [/password/, /chang|rotat|modif|updat/],
  },
  sslCertificateExpiresAt: {
    type: 'instant',
    key: 'sslCertificateExpiryField',
    like: [SSL, EXPIRES],
  },
  dot1xCertificateExpiresAt: {
    type: 'instant',
    key: 'dot1xCertificateExpiryField',
    like: [DOT1X, EXPIRES],
  },
  lastHardenedAt: { type: 'instant', key: 'lastHardenedField', like: [/harden/] },
} as const satisfies Readonly<Record<string, DeviceField>>;

type Fields = typeof DEVICE;
export type DeviceFieldName = keyof Fields;

/** Fields that changes show of a device, beside its ID, its name and its sites. */
export type LabelField = {
  [K in DeviceFieldName]: Fields[K] extends { readonly isLabel: true } ? K : never;
}[DeviceFieldName];

/** Fields of which each device has its own value, so that they tell no devices alike: `isOwn` in types. */
export type OwnField = {
  [K in DeviceFieldName]: Fields[K] extends { readonly type: 'id' | 'ownText' | 'code' }
    ? K
    : Fields[K] extends { readonly isShared: true }
      ? never
      : Fields[K] extends { readonly type: 'instant' }
        ? K
        : never;
}[DeviceFieldName];

/** Whether each device has its own value of a field. */
export function isOwn({ type, isShared }: DeviceField): boolean {
  if (type === 'instant') return isShared !== true;
  return type === 'id' || type === 'ownText' || type === 'code';
}

type ValueIn<F, K extends keyof F> = F[K] extends { readonly type: infer T extends keyof RowTypes }
  ? RowTypes[T]
  : never;
type AlwaysIn<F> = {
  [K in keyof F]: F[K] extends { readonly isAlways: true } ? K : never;
}[keyof F];

/** A row as read. A field that the service did not send is absent. */
type RowOf<F> = { readonly [K in AlwaysIn<F>]: ValueIn<F, K> } & {
  readonly [K in Exclude<keyof F, AlwaysIn<F>>]?: ValueIn<F, K>;
};

export type DeviceValue<K extends DeviceFieldName> = ValueIn<Fields, K>;

/** One managed device. */
export interface Device extends RowOf<Fields> {}

export const DEVICE_FIELD_NAMES = Object.keys(DEVICE) as readonly DeviceFieldName[];

export const LABEL_FIELDS = DEVICE_FIELD_NAMES.filter(
  (name): name is LabelField => (DEVICE[name] as DeviceField).isLabel === true,
);

/** The fields of rows that are beside devices, as `DEVICE` has those of devices; `unreadable` is as there. */
export const SITE = {
  id: { type: 'id', at: 'id', isAlways: true },
  name: { type: 'ownText', at: 'name' },
  description: { type: 'text', at: 'description' },
  status: { type: 'text', at: 'status' },
  unreadable: { type: 'names' },
} as const satisfies RowFields;
export interface Site extends RowOf<typeof SITE> {}

export const SOURCE = {
  id: { type: 'id', at: 'id', isAlways: true },
  name: { type: 'ownText', at: 'name' },
  type: { type: 'text', at: 'type' },
  version: { type: 'text', at: 'version' },
  unreadable: { type: 'names' },
} as const satisfies RowFields;
export interface DeviceSource extends RowOf<typeof SOURCE> {}

export const ONBOARDING_STATUSES = ['readyToOnboard', 'enrichmentRequired', 'archived'] as const;

export const DISCOVERED = {
  id: { type: 'id', key: 'discoveredIdField', isAlways: true },
  sources: {
    type: 'refs',
    key: 'discoveredSourceField',
    keys: ['discoveredSourceForm', 'sourceIdField', 'sourceNameField'],
  },
  name: { type: 'ownText', key: 'discoveredNameField' },
  vendor: { type: 'text', at: 'vendor' },
  model: { type: 'text', key: 'discoveredModelField' },
  deviceType: { type: 'text', at: 'deviceType' },
  serial: { type: 'code', key: 'discoveredSerialField' },
  onboardingStatus: { type: 'text', at: 'onboardingStatus' },
  discoveredAt: { type: 'instant', key: 'discoveredTimeField' },
  site: { type: 'ref', key: 'discoveredSiteField', keys: ['siteIdField', 'siteNameField'] },
  /** The field that onboarding needs beside the ID, where the dialect names one. */
  second: { type: 'kept', key: 'onboardSecondSource' },
  unreadable: { type: 'names' },
} as const satisfies RowFields;

/** A device that a source reported and that is not managed yet. */
export interface DiscoveredDevice extends RowOf<typeof DISCOVERED> {}
