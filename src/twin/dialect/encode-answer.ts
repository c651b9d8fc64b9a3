import { DIALECT_ROWS, type Dialect, type DialectKey } from '../../dialect.gen.ts';
import { jsonValue } from '../json.ts';
import { at, isObject, moveMembers, withAt, type Fields } from './dialect.ts';
import type { World } from '../world/world.ts';

export interface DialectContext {
  readonly dialect: Dialect;
  readonly world: World;
}

/** Encodes an answer of the twin in the names of the dialect. */
export async function encodeAnswer(
  answer: Response,
  path: string,
  speech: DialectContext,
): Promise<Response> {
  const { status, headers } = answer;
  const text = await answer.text();
  const value = jsonValue(text);
  const init = { status, headers };
  // An answer that a fault broke stays as it is.
  if (!isObject(value)) return new Response(text, init);
  const { dialect } = speech;
  if (path.startsWith('/v1/auth/')) return encodeToken(value, dialect, init);
  return Response.json(encodeDates(encodeBody(value, path, speech), dialect), {
    status,
    headers: withoutLength(headers),
  });
}

/** The encoded body has another length. */
export function withoutLength(headers: Headers): Headers {
  const copy = new Headers(headers);
  copy.delete('content-length');
  return copy;
}

function encodeToken(value: Fields, dialect: Dialect, init: ResponseInit): Response {
  if (dialect.tokenField === '')
    return new Response(String(value['access_token']), {
      ...init,
      headers: { 'content-type': 'text/plain' },
    });
  const token = renamed(value, 'POST /v1/auth/{organization}', dialect);
  return Response.json(token, { status: init.status ?? 200 });
}

function encodeBody(value: Fields, path: string, speech: DialectContext): unknown {
  const { dialect } = speech;
  const [, , collection = '', id, below] = path.split('/');
  const rows = (name: string, each: (row: Fields) => unknown): Fields =>
    encodeRows(value, name, each);
  const list = below ?? (id !== undefined && collection !== 'tasks' ? 'one' : collection);
  switch (list) {
    case 'devices':
      return rows('devices', (row) => encodeDevice(row, speech));
    case 'one':
      return collection === 'devices' ? encodeDevice(value, speech) : value;
    case 'passwords':
    case 'certificates':
      return credentialsIn(list, value, dialect);
    case 'vulnerabilities':
      return encodeList(value, 'vulnerabilities', dialect.vulnerabilitiesListField);
    case 'targetFirmware':
      return encodeTargets(
        rows('targetFirmware', (row) => encodeTarget(row, dialect)),
        dialect,
      );
    case 'firmwarePaths':
      return encodeList(
        rows('firmwarePaths', (row) => renamed(row, 'GET /v1/firmwarePaths', dialect)),
        'firmwarePaths',
        dialect.firmwarePathsListField,
      );
    case 'discoveredDevices':
      return rows('discoveredDevices', (row) => encodeDiscovered(row, dialect));
    case 'tasks':
      return rows('deviceTasks', (row) => encodeDeviceTask(row, id ?? '', speech));
    default:
      return value;
  }
}

function encodeRows(value: Fields, name: string, each: (row: Fields) => unknown): Fields {
  const list = value[name];
  return Array.isArray(list)
    ? { ...value, [name]: list.map((row) => (isObject(row) ? each(row) : row)) }
    : value;
}

/** Encodes what a single read answers about the passwords or the certificates of a device. */
export function encodeCredentials(
  of: 'passwords' | 'certificates',
  value: Fields,
  dialect: Dialect,
): unknown {
  return encodeDates(credentialsIn(of, value, dialect), dialect);
}

function credentialsIn(of: 'passwords' | 'certificates', value: Fields, dialect: Dialect): Fields {
  return encodeRows(value, of, (row) =>
    of === 'passwords'
      ? renamed(row, 'GET /v1/devices/{id}/passwords', dialect)
      : encodeCertificate(row, dialect),
  );
}

/** A row of one operation with its fields moved from the twin's own paths to the dialect's. */
function renamed(row: Fields, operation: string, dialect: Dialect): Fields {
  const moved = DIALECT_ROWS.filter(
    ({ key, type, concerns }) => type === 'field' && concerns === operation && !IN_OTHERS.has(key),
  );
  return moveMembers(
    row,
    moved.map(({ key, default: own }) => [String(own), String(dialect[key])]),
  );
}

/** Fields that are not members of a row: of a reference in it, or the value of another member again. */
const IN_OTHERS: ReadonlySet<DialectKey> = new Set([
  'siteIdField',
  'siteNameField',
  'sourceIdField',
  'sourceNameField',
  'onboardSecondSource',
]);

function encodeDevice(row: Fields, { dialect, world }: DialectContext): Fields {
  const refs = {
    sites: encodeRefs(row['sites'], dialect.deviceSitesForm, (ref) =>
      encodeRef(ref, 'site', dialect),
    ),
    deviceSources: encodeRefs(row['deviceSources'], dialect.deviceSourcesForm, (ref) =>
      encodeRef(ref, 'source', dialect),
    ),
  };
  const device = renamed({ ...row, ...refs }, 'GET /v1/devices', dialect);
  const { passwordLastChangedField: changed } = dialect;
  const accounts = world.device(String(row['id']))?.accounts ?? [];
  const latest = Math.max(...accounts.map(({ lastChanged }) => lastChanged));
  if (changed === '' || !Number.isFinite(latest)) return device;
  return withAt(device, changed, `${new Date(latest).toISOString().slice(0, 19)}Z`);
}

function encodeRefs(value: unknown, form: 'list' | 'one', each: (ref: Fields) => unknown): unknown {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const refs = list.filter(isObject).map(each);
  return form === 'list' ? refs : refs[0];
}

function encodeCertificate(row: Fields, dialect: Dialect): unknown {
  const pem = String(row['certificate']);
  const certificate =
    dialect.certificateForm === 'der' ? pem.replace(/-----[^-]+-----|\s/g, '') : pem;
  if (dialect.certificateField === '') return certificate;
  const type = row['type'] === 'ssl' ? dialect.certificateTypeSsl : row['type'];
  return renamed({ ...row, certificate, type }, 'GET /v1/devices/{id}/certificates', dialect);
}

/** Encodes a list as another member, or as the whole answer. */
function encodeList(value: Fields, own: string, path: string): unknown {
  return path === '' ? value[own] : moveMembers(value, [[own, path]]);
}

function encodeTarget(row: Fields, dialect: Dialect): unknown {
  if (dialect.targetFirmwareVersionField === '') return row['version'];
  return renamed(row, 'GET /v1/devices/{id}/targetFirmware', dialect);
}

/** Encodes the newest version alone, which is the last one; null if there is none. */
function encodeTargets(
  value: Fields,
  { targetFirmwareForm, targetFirmwareListField }: Dialect,
): unknown {
  const list = value['targetFirmware'];
  if (targetFirmwareForm === 'list' || !Array.isArray(list))
    return encodeList(value, 'targetFirmware', targetFirmwareListField);
  const one: unknown = list.at(-1) ?? null;
  return targetFirmwareListField === '' ? one : withAt({}, targetFirmwareListField, one);
}

/** Encodes a discovered device, including the field that its task entry has to repeat. */
export function encodeDiscovered(row: Fields, dialect: Dialect): Fields {
  const source = row['deviceSource'];
  const said = isObject(source) ? encodeRef(source, 'source', dialect) : source;
  const site = row['site'];
  const refs = {
    deviceSource:
      dialect.discoveredSourceForm === 'list' ? [said].filter((one) => one !== undefined) : said,
    site: isObject(site) ? encodeRef(site, 'site', dialect) : site,
  };
  const found = renamed({ ...row, ...refs }, 'GET /v1/discoveredDevices', dialect);
  const { onboardSecondField, onboardSecondSource } = dialect;
  const isShown = onboardSecondField === '' || at(found, onboardSecondSource) !== undefined;
  return isShown ? found : withAt(found, onboardSecondSource, secondId(String(row['id'])));
}

/** The second ID of a discovered device, for dialects that name no field for it. */
export function secondId(deviceId: string): string {
  return `second-${deviceId}`;
}

function encodeDeviceTask(row: Fields, taskId: string, { dialect, world }: DialectContext): Fields {
  const said = encodeRows(row, 'steps', (step) => renamed(step, 'GET /v1/tasks/{id}', dialect));
  const task = moveMembers(said, [['steps', dialect.stepsField]]);
  const { onboardedId, onboardedIdField } = dialect;
  const isOnboarded = world.task(taskId)?.type === 'onboardDevice' && row['result'] === 'succeeded';
  if (onboardedId === 'same' || onboardedIdField === '' || !isOnboarded) return task;
  return withAt(task, onboardedIdField, world.onboardedId(String(row['deviceId'])));
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** Encodes every instant of an answer in the format of the dialect. */
function encodeDates(value: unknown, dialect: Dialect): unknown {
  if (dialect.dateForm === 'iso') return value;
  if (typeof value === 'string' && INSTANT.test(value))
    return Date.parse(value) / (dialect.dateForm === 'seconds' ? 1_000 : 1);
  if (Array.isArray(value)) return value.map((item) => encodeDates(item, dialect));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, encodeDates(member, dialect)]),
  );
}

function encodeRef(ref: Fields, of: 'site' | 'source', dialect: Dialect): unknown {
  const { [`${of}IdField` as const]: id, [`${of}NameField` as const]: name } = dialect;
  if (id === '') return ref['id'];
  return moveMembers(ref, [
    ['id', id],
    ['name', name],
  ]);
}
