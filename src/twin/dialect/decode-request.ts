import { DIALECT_ROWS, type Dialect } from '../../dialect.gen.ts';
import { Refusal } from '../call.ts';
import { at, completeDialect, isObject, withAt, type Fields } from './dialect.ts';
import type { Inbound } from '../http/inbound.ts';
import { respond } from '../http/routes.ts';
import {
  encodeAnswer,
  encodeDiscovered,
  secondId,
  type DialectContext,
  withoutLength,
} from './encode-answer.ts';
import { discoveredOnWire } from '../http/wire.ts';
import type { World } from '../world/world.ts';
import { parseBody } from '../http/tasks.ts';

type Handle = (request: Request) => Promise<Response>;

/**
 * Wraps a service in a dialect: requests are decoded into the twin's own names, and answers are
 * encoded into the dialect. The world itself uses no dialect.
 */
export function withDialect(
  handle: Handle,
  takeIn: (request: Request, isForToken: boolean) => Promise<Inbound>,
  { dialect, world }: DialectContext,
): Handle {
  if (JSON.stringify(dialect) === JSON.stringify(completeDialect())) return handle;
  return async (request) => {
    const { pathname: path } = new URL(request.url);
    const isForToken = organizationIn(path, dialect.tokenPath) !== undefined;
    const { body, isUnread, refusal } = await takeIn(request, isForToken);
    if (refusal) return respond(refusal.answer);
    const decoded = decodeOrRefuse(request, isUnread ? undefined : body, { dialect, world });
    if (decoded instanceof Response) return decoded;
    const answer = await handle(decoded);
    const { pathname } = new URL(decoded.url);
    return answer.ok ? encodeAnswer(answer, pathname, { dialect, world }) : answer;
  };
}

/**
 * Returns the request in the twin's own names, or the refusal of a request that does not fit the
 * dialect.
 * @param text the body; undefined for an unauthorized request, which is refused later
 */
function decodeOrRefuse(
  request: Request,
  text: string | undefined,
  spoken: DialectContext,
): Request | Response {
  try {
    return decodeRequest(request, text, spoken);
  } catch (error) {
    if (error instanceof Refusal) return respond(error.answer);
    throw error;
  }
}

function decodeRequest(
  request: Request,
  text: string | undefined,
  { dialect, world }: DialectContext,
): Request {
  const { method, headers } = request;
  const url = new URL(request.url);
  const organization = organizationIn(url.pathname, dialect.tokenPath);
  if (organization !== undefined && method === 'POST') {
    if (text !== undefined) checkBody(text, dialect);
    url.pathname = `/v1/auth/${organization}`;
    return new Request(url, { method, headers: withoutLength(headers) });
  }
  if (url.pathname.startsWith('/v1/auth/')) throw new Refusal(404, 'no such path');
  if (method === 'POST' && url.pathname === '/v1/tasks' && text !== undefined)
    return new Request(url, {
      method,
      headers: withoutLength(headers),
      body: decodeTask(text, dialect, world),
    });
  decodeFilters(url, dialect);
  decodeDates(url, dialect);
  decodePages(url, dialect);
  const body = text === undefined || text === '' ? {} : { body: text };
  return new Request(url, { method, headers: withoutLength(headers), ...body });
}

function organizationIn(path: string, template: string): string | undefined {
  const [before = '', after] = template.split('{organization}');
  if (after === undefined || !path.startsWith(before) || !path.endsWith(after)) return undefined;
  const found = path.slice(before.length, path.length - after.length);
  return found === '' || found.includes('/') ? undefined : found;
}

/** The value of a secret is unknown here, so it only has to be a text. */
function checkBody(text: string, { tokenBody }: Dialect): void {
  const body = parse(text);
  for (const [name, wanted] of Object.entries(tokenBody)) {
    const given = body[name];
    const isSecret = isObject(wanted) && 'fromEnv' in wanted;
    const fits = isSecret ? typeof given === 'string' && given !== '' : same(given, wanted);
    if (!fits) throw new Refusal(400, `the body needs ${name}`);
  }
}

function decodeFilters(url: URL, dialect: Dialect): void {
  if (url.pathname !== '/v1/devices') return;
  const filters = DIALECT_ROWS.filter(({ type }) => type === 'filter');
  const query = [...url.searchParams].map(([name, text]): [string, string] => {
    const meant = filters.find(({ key }) => dialect[key] === name);
    if (meant) return [String(meant.default), text];
    const isForeign = filters.some((row) => row.default === name);
    return [isForeign ? `unknown.${name}` : name, text];
  });
  url.search = new URLSearchParams(query).toString();
}

/** Dates in filters, which the twin itself takes as ISO 8601. */
function decodeDates(url: URL, { filterDateForm: form }: Dialect): void {
  if (form === 'iso') return;
  const size = form === 'seconds' ? /^\d{1,11}$/ : /^\d{12,15}$/;
  const query = [...url.searchParams].map(([name, text]): [string, string] => {
    if (!/(?:Before|After)$/.test(name)) return [name, text];
    const at = new Date(Number(text) * (form === 'seconds' ? 1_000 : 1));
    if (!size.test(text) || Number.isNaN(at.getTime()))
      throw new Refusal(400, `${name} needs ${form} since 1970`);
    return [name, at.toISOString()];
  });
  url.search = new URLSearchParams(query).toString();
}

function decodePages(url: URL, { firmwarePathsPages }: Dialect): void {
  if (url.pathname !== '/v1/firmwarePaths') return;
  if (firmwarePathsPages === 'none') throw new Refusal(404, 'no such path');
  if (firmwarePathsPages === 'paged') return;
  if (url.search !== '') throw new Refusal(400, 'firmwarePaths has no parameters');
  url.searchParams.set('limit', '1000');
}

function decodeTask(text: string, dialect: Dialect, world: World): string {
  const { devices, defaultPayload, ...rest } = parse(text);
  if (!Array.isArray(devices)) throw new Refusal(400, 'devices must be a list');
  const type = String(rest['taskType']);
  if (dialect.payloadPlace === 'device' && isObject(defaultPayload))
    throw new Refusal(400, 'a payload belongs to each device');
  const decodePayload = (payload: unknown): unknown =>
    type === 'upgradeFirmware' && isObject(payload) ? decodeUpgrade(payload, dialect) : payload;
  return JSON.stringify({
    ...rest,
    devices: devices.map((entry: unknown) => {
      const fields = isObject(entry) ? entry : {};
      const payload = decodePayload(fields['payload']);
      return {
        ...decodeEntry(fields, type, { dialect, world }),
        ...(payload !== undefined && { payload }),
      };
    }),
    ...(defaultPayload !== undefined && { defaultPayload: decodePayload(defaultPayload) }),
  });
}

function decodeEntry(entry: Fields, type: string, { dialect, world }: DialectContext): Fields {
  const isOnboarding = type === 'onboardDevice';
  const field = isOnboarding ? dialect.onboardDeviceField : dialect.taskDeviceField;
  const wanted = isOnboarding ? dialect.onboardDeviceType : dialect.taskDeviceType;
  const given = at(entry, field);
  if (typeof given !== (wanted === 'text' ? 'string' : 'number'))
    throw new Refusal(400, `an entry of devices needs ${field} as a ${wanted}`);
  const id = String(given);
  if (!isOnboarding) return { deviceId: id };
  const { onboardSecondField } = dialect;
  if (
    onboardSecondField !== '' &&
    !same(at(entry, onboardSecondField), expectedSecond(id, dialect, world))
  )
    throw new Refusal(400, `an entry of devices needs ${onboardSecondField}`);
  return { discoveredDeviceId: id };
}

function expectedSecond(id: string, dialect: Dialect, world: World): unknown {
  const found = world.discovered(id);
  if (found === undefined) return secondId(id);
  return at(
    encodeDiscovered({ ...discoveredOnWire(world, found) }, dialect),
    dialect.onboardSecondSource,
  );
}

function decodeUpgrade(payload: Fields, { upgradeVersionField, upgradeMembers }: Dialect): Fields {
  const version = at(payload, upgradeVersionField);
  if (typeof version !== 'string')
    throw new Refusal(400, `the payload needs ${upgradeVersionField}`);
  const others = withAt(payload, upgradeVersionField, undefined);
  if (!same(others, withAt(upgradeMembers, upgradeVersionField, undefined)))
    throw new Refusal(400, 'the payload has other members than it needs');
  return { targetVersion: version };
}

/** Whether two values are equal as JSON, regardless of the order of members. */
function same(a: unknown, b: unknown): boolean {
  if (isObject(a) && isObject(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].every((name) => same(a[name], b[name]));
  }
  return JSON.stringify(a) === JSON.stringify(b);
}

function parse(text: string): Fields {
  return text === '' ? {} : parseBody(text);
}
