import type { Operation, Fault, FaultMatch, ExternalEdit } from './fault.ts';
import { isObject } from '../dialect/dialect.ts';

/** The valid values of one key of a fault script, and their description. */
export interface Field {
  readonly isOptional: boolean;
  readonly holds: (value: unknown) => boolean;
  readonly wanted: string;
}

/** Method and path of each operation; `*` matches one segment. */
export const ENDPOINTS: Readonly<Record<Operation, readonly [method: string, path: string]>> = {
  createToken: ['POST', '/v1/auth/*'],
  listDevices: ['GET', '/v1/devices'],
  getDevice: ['GET', '/v1/devices/*'],
  listVulnerabilities: ['GET', '/v1/devices/*/vulnerabilities'],
  listPasswords: ['GET', '/v1/devices/*/passwords'],
  listCertificates: ['GET', '/v1/devices/*/certificates'],
  listTargetFirmware: ['GET', '/v1/devices/*/targetFirmware'],
  listFirmwarePaths: ['GET', '/v1/firmwarePaths'],
  listSites: ['GET', '/v1/sites'],
  getSite: ['GET', '/v1/sites/*'],
  listDeviceSources: ['GET', '/v1/deviceSources'],
  getDeviceSource: ['GET', '/v1/deviceSources/*'],
  listDiscoveredDevices: ['GET', '/v1/discoveredDevices'],
  createTask: ['POST', '/v1/tasks'],
  getTask: ['GET', '/v1/tasks/*'],
};

const text: Field = field('a text', (value) => typeof value === 'string');
const flag: Field = field('true or false', (value) => typeof value === 'boolean');
const ms: Field = field('a number of milliseconds, at least 0', isFrom(0));
const count: Field = field('a whole number of at least 1', isWholeFrom(1));
const anything: Field = field('any JSON', () => true);
const offset: Field = field(
  'a whole number other than 0',
  (value) => Number.isInteger(value) && value !== 0,
);

export const MATCH_FIELDS: Readonly<Record<keyof FaultMatch, Field>> = {
  endpoint: optional(oneOf(...Object.keys(ENDPOINTS))),
  method: optional(text),
  path: optional(text),
  query: optional(text),
  taskType: optional(text),
  deviceId: optional(text),
  nth: optional(count),
  times: optional(count),
  share: optional(field('a number from 0 to 1', (value) => isFrom(0)(value) && Number(value) <= 1)),
  fromMs: optional(ms),
  untilMs: optional(ms),
};

const EDIT_FIELDS: Readonly<Record<keyof ExternalEdit, Field>> = {
  name: text,
  firmwareVersion: text,
  condition: oneOf('well', 'stuck', 'dark', 'dead', 'unknown'),
  maintenance: flag,
  password: flag,
  certificate: flag,
};

/** The keys of a fault besides its type: of every member of the union, each exactly once. */
type FieldsOf<T> = Readonly<Record<Exclude<keyof T, 'type'>, Field>>;

/** The keys of each fault besides its type. */
export const FAULT_FIELDS: {
  readonly [Type in Fault['type']]: FieldsOf<Extract<Fault, { readonly type: Type }>>;
} = {
  answer: {
    status: field(
      'a status from 200 to 599',
      (value) => isWholeFrom(200)(value) && Number(value) <= 599,
    ),
    body: optional(anything),
    text: optional(text),
    base64: optional(text),
    padTo: optional(count),
    contentType: optional(text),
    headers: optional(field('an object of texts', isTexts)),
    effect: optional(flag),
  },
  latency: { ms },
  '429': {
    retryAfter: optional(
      field('a number of at least 0, or a text', (value) => isFrom(0)(value) || text.holds(value)),
    ),
  },
  '401': {},
  '500': {},
  html: {},
  truncated: {},
  lostAnswer: {},
  lostRequest: {},
  lateExecution: { ms, answer: oneOf('now', 'lost') },
  acceptedTwice: {},
  foreignTask: {},
  stale: { versions: oneOf(1, 2, 3) },
  page: { by: offset },
  total: { by: offset },
  filterIgnored: {},
  rows: { change: oneOf('drop', 'repeat', 'foreign'), count, keepTotal: optional(flag) },
  word: { field: text, value: anything },
  churn: {
    change: oneOf('insert', 'delete', 'reorder'),
    list: oneOf('devices', 'discovered'),
    rows: count,
  },
  outsider: {
    deviceId: text,
    set: field(`an object with ${Object.keys(EDIT_FIELDS).join(', ')}`, isEdit),
  },
  failingDevice: { result: oneOf('failed', 'rolledBack', 'aborted'), effect: optional(flag) },
  unknownTask: { ms },
  stuckTask: {},
  vanishedTask: {},
  liar: {},
};

function field(wanted: string, holds: (value: unknown) => boolean): Field {
  return { isOptional: false, wanted, holds };
}

function optional(one: Field): Field {
  return { ...one, isOptional: true };
}

function oneOf(...values: readonly (string | number)[]): Field {
  return field(`one of ${values.join(', ')}`, (value) => values.some((known) => known === value));
}

function isFrom(least: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && Number.isFinite(value) && value >= least;
}

function isWholeFrom(least: number): (value: unknown) => boolean {
  return (value) => Number.isInteger(value) && isFrom(least)(value);
}

function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((one) => typeof one === 'string');
}

function isEdit(value: unknown): boolean {
  if (!isObject(value)) return false;
  const known: Readonly<Record<string, Field>> = EDIT_FIELDS;
  return Object.entries(value).every(([key, one]) => known[key]?.holds(one) ?? false);
}
