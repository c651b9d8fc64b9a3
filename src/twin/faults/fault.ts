import { isObject } from '../dialect/dialect.ts';
import {
  anyText as text,
  expect,
  flag,
  oneOf,
  optional,
  type Members,
  type Rules,
} from '../shape-rules.ts';
import type { Condition, TaskResult } from '../world/state.ts';

/** Method and path of each operation of the service, by its name in the contract; `*` matches one segment. */
export const ENDPOINTS = {
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
} as const satisfies Readonly<Record<string, readonly [method: string, path: string]>>;
export type Operation = keyof typeof ENDPOINTS;

const ms = expect<number>('a number of milliseconds, at least 0', isFrom(0));
const count = expect<number>('a whole number of at least 1', isWholeFrom(1));
const anything = expect<NonNullable<unknown> | null>('any JSON', (value) => value !== undefined);
const offset = expect<number>(
  'a whole number other than 0',
  (value) => Number.isInteger(value) && value !== 0,
);

/** When a fault happens: all given conditions must match; without any, always. */
export const MATCH_FIELDS = {
  endpoint: optional(oneOf(...(Object.keys(ENDPOINTS) as Operation[]))),
  method: optional(text),
  /** `*` matches one segment, a final `**` all that follow. */
  path: optional(text),
  /** Part of the query, such as `offset=100`. */
  query: optional(text),
  taskType: optional(text),
  deviceId: optional(text),
  /** From the nth match on, counted from 1; without `times`, only that match. */
  nth: optional(count),
  times: optional(count),
  /** Only this share of the matches, from 0 to 1, chosen by the seed. */
  share: optional(
    expect<number>('a number from 0 to 1', (value) => isFrom(0)(value) && Number(value) <= 1),
  ),
  /** Milliseconds since the start of the twin, on its own clock: from here, and until the next field. */
  fromMs: optional(ms),
  untilMs: optional(ms),
};
export type FaultMatch = Members<typeof MATCH_FIELDS>;

/** What another user may edit of a device in the console. */
const EDIT_FIELDS = {
  name: text,
  firmwareVersion: text,
  condition: oneOf<Condition>('well', 'stuck', 'dark', 'dead', 'unknown'),
  maintenance: flag,
  /** A new password, or a new certificate. */
  password: flag,
  certificate: flag,
};
export type ExternalEdit = Partial<Members<typeof EDIT_FIELDS>>;

/** Faults of a device task. */
const OF_TASKS = {
  /** With `effect`, the work is done and a failure is reported. */
  failingDevice: {
    result: oneOf<Exclude<TaskResult, 'succeeded'>>('failed', 'rolledBack', 'aborted'),
    effect: optional(flag),
  },
  unknownTask: { ms },
  stuckTask: {},
  vanishedTask: {},
  /** Reports success and does nothing. */
  liar: {},
};

/** The keys of each fault besides its type. */
export const FAULT_FIELDS = {
  /** Replaces the service's own answer. `effect`: the service has done the work anyway. */
  answer: {
    status: expect<number>(
      'a status from 200 to 599',
      (value) => isWholeFrom(200)(value) && Number(value) <= 599,
    ),
    /** JSON; or `text` verbatim; or `base64` for binary content. */
    body: optional(anything),
    text: optional(text),
    base64: optional(text),
    /** Pads the body with spaces up to this many bytes. */
    padTo: optional(count),
    contentType: optional(text),
    headers: optional(expect<Readonly<Record<string, string>>>('an object of texts', isTexts)),
    effect: optional(flag),
  },
  latency: { ms },
  '429': {
    retryAfter: optional(
      expect<number | string>(
        'a number of at least 0, or a text',
        (value) => isFrom(0)(value) || typeof value === 'string',
      ),
    ),
  },
  '401': {},
  '500': {},
  html: {},
  truncated: {},
  lostAnswer: {},
  lostRequest: {},
  /** The work starts after `ms`; the answer comes now, or never. */
  lateExecution: { ms, answer: oneOf('now', 'lost') },
  /** Creates two service tasks for one request. */
  acceptedTwice: {},
  /** The answer names a task of another user. */
  foreignTask: {},
  /** The state as it was this many changes ago. */
  stale: { versions: oneOf(1, 2, 3) },
  /** A page with this many rows more or fewer than requested. */
  page: { by: offset },
  /** A `total` that is wrong by this number. */
  total: { by: offset },
  filterIgnored: {},
  /** Rows are dropped, repeated or foreign; `total` follows unless it is kept. */
  rows: { change: oneOf('drop', 'repeat', 'foreign'), count, keepTotal: optional(flag) },
  /** Another value in a field of each row, or of the answer itself if it has no rows. */
  word: { field: text, value: anything },
  /** The list changes before this request, at its front, which shifts every later page. */
  churn: {
    change: oneOf('insert', 'delete', 'reorder'),
    list: oneOf('devices', 'discovered'),
    rows: count,
  },
  outsider: {
    deviceId: text,
    set: expect<ExternalEdit>(`an object with ${Object.keys(EDIT_FIELDS).join(', ')}`, isEdit),
  },
  ...OF_TASKS,
};

type FaultOf<F> = { [T in keyof F]: { readonly type: T } & Members<F[T]> }[keyof F];
export type Fault = FaultOf<typeof FAULT_FIELDS>;
export type TaskFault = FaultOf<typeof OF_TASKS>;

/** A fault of the connection, an answer in place of the service's, or a wrong one of the service itself. */
export type RequestFault = Exclude<Fault, TaskFault>;
export type ReplacedAnswer = Extract<Fault, { readonly type: 'answer' }>;

export interface FaultRule {
  readonly match: FaultMatch;
  readonly fault: Fault;
}

function isFrom(least: number): (value: unknown) => boolean {
  return (value) => Number.isFinite(value) && Number(value) >= least;
}

function isWholeFrom(least: number): (value: unknown) => boolean {
  return (value) => Number.isInteger(value) && isFrom(least)(value);
}

function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((one) => typeof one === 'string');
}

function isEdit(value: unknown): boolean {
  if (!isObject(value)) return false;
  const known: Rules = EDIT_FIELDS;
  return Object.entries(value).every(
    ([key, one]) => known[key]?.(one, '') === undefined && key in known,
  );
}
