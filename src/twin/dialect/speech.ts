import { DIALECT_ROWS, type Dialect, type DialectKey } from '../../dialect.gen.ts';
import { at, isObject, moved, withAt, type Fields } from './dialect.ts';
import type { World } from '../world/world.ts';

type Way = readonly [from: string, to: string];

export interface Speech {
  readonly dialect: Dialect;
  readonly world: World;
}

/** An answer of the twin, in the words of the dialect. */
export async function said(answer: Response, path: string, speech: Speech): Promise<Response> {
  const { status, headers } = answer;
  const text = await answer.text();
  const value = parse(text);
  const init = { status, headers };
  if (!isObject(value)) return new Response(text, init);
  const { dialect } = speech;
  if (path.startsWith('/v1/auth/')) return tokenSaid(value, dialect, init);
  return Response.json(dated(bodySaid(value, path, speech), dialect), {
    status,
    headers: kept(headers),
  });
}

/** An answer that was broken on purpose stays as it is. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The length of another body is another one. */
function kept(headers: Headers): Headers {
  const copy = new Headers(headers);
  copy.delete('content-length');
  return copy;
}

function tokenSaid(value: Fields, dialect: Dialect, init: ResponseInit): Response {
  if (dialect.tokenField === '')
    return new Response(String(value['access_token']), {
      ...init,
      headers: { 'content-type': 'text/plain' },
    });
  return Response.json(
    moved(value, [
      ['access_token', dialect.tokenField],
      ['expires_in', dialect.tokenLifetimeField],
    ]),
    { status: init.status ?? 200 },
  );
}

function bodySaid(value: Fields, path: string, speech: Speech): unknown {
  const { dialect } = speech;
  const [, , collection = '', id, below] = path.split('/');
  const rows = (name: string, each: (row: Fields) => unknown): Fields => {
    const list = value[name];
    return Array.isArray(list)
      ? { ...value, [name]: list.map((row) => (isObject(row) ? each(row) : row)) }
      : value;
  };
  switch (below ?? (id !== undefined && collection !== 'tasks' ? 'one' : collection)) {
    case 'devices':
      return rows('devices', (row) => deviceSaid(row, speech));
    case 'one':
      return collection === 'devices' ? deviceSaid(value, speech) : value;
    case 'passwords':
      return rows('passwords', (row) =>
        moved(row, waysOf('GET /v1/devices/{id}/passwords', dialect)),
      );
    case 'certificates':
      return rows('certificates', (row) => certificateSaid(row, dialect));
    case 'vulnerabilities':
      return listSaid(value, 'vulnerabilities', dialect.vulnerabilitiesListField);
    case 'targetFirmware':
      return targetsSaid(
        rows('targetFirmware', (row) => targetSaid(row, dialect)),
        dialect,
      );
    case 'firmwarePaths':
      return listSaid(
        rows('firmwarePaths', (row) => moved(row, waysOf('GET /v1/firmwarePaths', dialect))),
        'firmwarePaths',
        dialect.firmwarePathsListField,
      );
    case 'discoveredDevices':
      return rows('discoveredDevices', (row) => discoveredSaid(row, dialect));
    case 'tasks':
      return rows('deviceTasks', (row) => deviceTaskSaid(row, id ?? '', speech));
    default:
      return value;
  }
}

/** The fields of what a row of the table concerns, from the twin's own place to the dialect's. */
function waysOf(concerns: string, dialect: Dialect): readonly Way[] {
  return DIALECT_ROWS.filter((row) => row.type === 'field' && row.concerns === concerns).map(
    ({ key, default: own }): Way => [String(own), String(dialect[key])],
  );
}

const OF_REFS: ReadonlySet<DialectKey> = new Set([
  'siteIdField',
  'siteNameField',
  'sourceIdField',
  'sourceNameField',
]);

const OF_DEVICES = DIALECT_ROWS.filter(
  ({ key, type, concerns }) =>
    type === 'field' && concerns === 'GET /v1/devices' && !OF_REFS.has(key),
);

function deviceSaid(row: Fields, { dialect, world }: Speech): Fields {
  const refs = {
    sites: refsSaid(row['sites'], dialect.deviceSitesForm, (ref) => siteSaid(ref, dialect)),
    deviceSources: refsSaid(row['deviceSources'], dialect.deviceSourcesForm, (ref) =>
      sourceSaid(ref, dialect),
    ),
  };
  const ways = OF_DEVICES.map(({ key, default: own }): Way => [String(own), String(dialect[key])]);
  const device = moved({ ...row, ...refs }, ways);
  const { passwordLastChangedField: changed } = dialect;
  const accounts = world.device(String(row['id']))?.accounts ?? [];
  const latest = Math.max(...accounts.map(({ lastChanged }) => lastChanged));
  if (changed === '' || !Number.isFinite(latest)) return device;
  return withAt(device, changed, `${new Date(latest).toISOString().slice(0, 19)}Z`);
}

function refsSaid(value: unknown, form: 'list' | 'one', each: (ref: Fields) => unknown): unknown {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const refs = list.filter(isObject).map(each);
  return form === 'list' ? refs : refs[0];
}

function siteSaid(ref: Fields, { siteIdField, siteNameField }: Dialect): unknown {
  return siteIdField === ''
    ? ref['id']
    : moved(ref, [
        ['id', siteIdField],
        ['name', siteNameField],
      ]);
}

function sourceSaid(ref: Fields, { sourceIdField, sourceNameField }: Dialect): unknown {
  return sourceIdField === ''
    ? ref['id']
    : moved(ref, [
        ['id', sourceIdField],
        ['name', sourceNameField],
      ]);
}

function certificateSaid(row: Fields, dialect: Dialect): unknown {
  const pem = String(row['certificate']);
  const certificate =
    dialect.certificateForm === 'der' ? pem.replace(/-----[^-]+-----|\s/g, '') : pem;
  if (dialect.certificateField === '') return certificate;
  const type = row['type'] === 'ssl' ? dialect.certificateTypeSsl : row['type'];
  return moved({ ...row, certificate, type }, [
    ['type', dialect.certificateTypeField],
    ['certificate', dialect.certificateField],
    ['notBefore', dialect.certificateNotBeforeField],
    ['notAfter', dialect.certificateNotAfterField],
  ]);
}

/** A list below another member, or the answer itself. */
function listSaid(value: Fields, own: string, path: string): unknown {
  return path === '' ? value[own] : moved(value, [[own, path]]);
}

function targetSaid(row: Fields, dialect: Dialect): unknown {
  if (dialect.targetFirmwareVersionField === '') return row['version'];
  return moved(row, [
    ['version', dialect.targetFirmwareVersionField],
    ['path', dialect.targetFirmwarePathField],
  ]);
}

/** The newest alone, which is the last; null where there is none. */
function targetsSaid(
  value: Fields,
  { targetFirmwareForm, targetFirmwareListField }: Dialect,
): unknown {
  const list = value['targetFirmware'];
  if (targetFirmwareForm === 'list' || !Array.isArray(list))
    return listSaid(value, 'targetFirmware', targetFirmwareListField);
  const one: unknown = list.at(-1) ?? null;
  return targetFirmwareListField === '' ? one : withAt({}, targetFirmwareListField, one);
}

/** A discovered device as the dialect has it, the value for its entry in a task among its members. */
export function discoveredSaid(row: Fields, dialect: Dialect): Fields {
  const source = row['deviceSource'];
  const said = isObject(source) ? sourceSaid(source, dialect) : source;
  const site = row['site'];
  const refs = {
    deviceSource:
      dialect.discoveredSourceForm === 'list' ? [said].filter((one) => one !== undefined) : said,
    site: isObject(site) ? siteSaid(site, dialect) : site,
  };
  const ways: readonly Way[] = [
    ['id', dialect.discoveredIdField],
    ['name', dialect.discoveredNameField],
    ['model', dialect.discoveredModelField],
    ['serialNumber', dialect.discoveredSerialField],
    ['deviceSource', dialect.discoveredSourceField],
    ['site', dialect.discoveredSiteField],
    ['discoveredAt', dialect.discoveredTimeField],
  ];
  const found = moved({ ...row, ...refs }, ways);
  const { onboardSecondField, onboardSecondSource } = dialect;
  const isShown = onboardSecondField === '' || at(found, onboardSecondSource) !== undefined;
  return isShown ? found : withAt(found, onboardSecondSource, secondOf(String(row['id'])));
}

/** What the twin wants of a discovered device beside its id, where no field of its own is named. */
export function secondOf(deviceId: string): string {
  return `second-${deviceId}`;
}

function deviceTaskSaid(row: Fields, taskId: string, { dialect, world }: Speech): Fields {
  const { steps } = row;
  const ways: readonly Way[] = [
    ['name', dialect.stepNameField],
    ['status', dialect.stepStatusField],
    ['message', dialect.stepMessageField],
    ['startDate', dialect.stepStartField],
    ['endDate', dialect.stepEndField],
  ];
  const said = Array.isArray(steps)
    ? { ...row, steps: steps.map((step) => (isObject(step) ? moved(step, ways) : step)) }
    : row;
  const task = moved(said, [['steps', dialect.stepsField]]);
  const { onboardedId, onboardedIdField } = dialect;
  const isOnboarded = world.task(taskId)?.type === 'onboardDevice' && row['result'] === 'succeeded';
  if (onboardedId === 'same' || onboardedIdField === '' || !isOnboarded) return task;
  return withAt(task, onboardedIdField, world.onboardedId(String(row['deviceId'])));
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** Every instant of an answer in the form of the dialect. */
function dated(value: unknown, dialect: Dialect): unknown {
  if (dialect.dateForm === 'iso') return value;
  if (typeof value === 'string' && INSTANT.test(value))
    return Date.parse(value) / (dialect.dateForm === 'seconds' ? 1_000 : 1);
  if (Array.isArray(value)) return value.map((item) => dated(item, dialect));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, dated(member, dialect)]),
  );
}
