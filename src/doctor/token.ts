import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import type { Check } from '../model/report/checkup.ts';
import { compared, confirmed, type Assessment, type Assessments } from './findings.ts';
import { listLeaves } from './inventory.ts';
import { isOk, valueAt, type ProbeAnswer, type Probing } from './probing.ts';
import { failureCheck } from './failure-check.ts';
import { isObject } from '../lib/objects.ts';

interface TokenRead {
  readonly checks: readonly Check[];
  readonly judged: Assessments;
  /** Undefined if there is none: nothing else can be read then. */
  readonly token?: string;
}

type TokenBody = Dialect['tokenBody'];

/** Paths that documentation of the service has named for the token endpoint. */
const TOKEN_PATHS = ['/v1/auth/{organization}', '/token/{organization}', '/auth/{organization}'];

/** The body of the OAuth 2.0 grant, which some services require. */
const GRANT: TokenBody = { grant_type: 'client_credentials' };

/**
 * Requests a token: at the assumed path, at the other known ones after a 404, and once more with
 * the body of OAuth 2.0 after a 400. Refused credentials are never tried again, because many
 * services lock the user out.
 */
export function* examineToken(dialect: Dialect, organization: string): Probing<TokenRead> {
  const assumed = dialect.tokenBody;
  let first: ProbeAnswer | undefined;
  for (const path of new Set([dialect.tokenPath, ...TOKEN_PATHS])) {
    const at = path.replace('{organization}', () => encodeURIComponent(organization));
    let answer: ProbeAnswer = yield { kind: 'token', path: at, body: assumed };
    let body: TokenBody = assumed;
    if ([400, 415, 422].includes(answer.status) && Object.keys(assumed).length === 0) {
      body = GRANT;
      answer = yield { kind: 'token', path: at, body };
    }
    first ??= answer;
    if (isOk(answer)) return readToken(answer, { dialect, path, body });
    if (answer.status !== 404 && answer.status !== 405) {
      first = answer;
      break;
    }
  }
  const check = failureCheck('token', first ?? NOTHING, { organization });
  return { checks: [check], judged: new Map() };
}

const NOTHING: ProbeAnswer = { status: 0, value: undefined, text: '', contentType: '' };

interface TokenContext {
  readonly dialect: Dialect;
  readonly path: string;
  readonly body: TokenBody;
}

function readToken(answer: ProbeAnswer, { dialect, path, body }: TokenContext): TokenRead {
  const found = findToken(answer, dialect);
  if (!found) {
    if (/html|xml/i.test(answer.contentType))
      return { checks: [failureCheck('token', answer, {})], judged: new Map() };
    const members = isObject(answer.value) ? Object.keys(answer.value).sort().join(', ') : '';
    const params = { field: dialect.tokenField, ...(members !== '' && { members }) };
    const check = { name: 'token', state: 'bad', code: 'tokenUnreadable', params } as const;
    return { checks: [check], judged: new Map() };
  }
  const claims = readClaims(found.token);
  const life = findLifetime(answer, dialect, claims);
  const at = { path: found.path, count: 1, of: 1 };
  const how = found.path === '' ? 'whole' : 'elsewhere';
  const granted = compared(dialect.tokenBody, body, ['tokenWith', { body: JSON.stringify(body) }]);
  const judged: Assessments = new Map<DialectKey, Assessment>([
    ['tokenPath', compared(dialect.tokenPath, path, ['tokenAt', { path }])],
    ['tokenBody', body === GRANT ? granted : confirmed('unneeded')],
    ['tokenField', compared(dialect.tokenField, found.path, [how, at])],
    ['tokenLifetimeField', life.assessment],
  ]);
  const roles = rolesIn(claims);
  const params = {
    ...(life.seconds !== undefined && { minutes: Math.round(life.seconds / 60) }),
    ...(roles !== '' && { roles }),
  };
  const code = claims ? 'tokenJwt' : 'tokenOpaque';
  return { checks: [{ name: 'token', state: 'good', code, params }], judged, token: found.token };
}

/** At the assumed field, else the only member that looks like an access token, else the answer itself. */
function findToken(
  { value, text }: ProbeAnswer,
  { tokenField }: Dialect,
): { readonly path: string; readonly token: string } | undefined {
  const bare = (typeof value === 'string' ? value : text).trim();
  if (!isObject(value)) return isToken(bare) ? { path: '', token: bare } : undefined;
  const own = tokenField === '' ? undefined : valueAt(value, tokenField);
  if (isBearer(own)) return { path: tokenField, token: own };
  const texts = listLeaves([value]).flatMap(({ path, values: [first] }) =>
    isToken(first) && !/refresh|id_?token$/i.test(path) ? [{ path, token: first }] : [],
  );
  const signed = texts.filter(({ token }) => readClaims(token) !== undefined);
  const named = texts.filter(({ path }) => /access.*token|(?:^|\.)token$|jwt|bearer/i.test(path));
  return signed.length > 0 ? signed[0] : named[0];
}

/** What a header can carry. At the assumed place nothing else is required. */
function isBearer(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}

/** The characters of a bearer token (RFC 6750); words such as "Bearer" are too short. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9._~+/=-]{16,}$/.test(value);
}

type Claims = Readonly<Record<string, unknown>>;

/** What a JWT says, unverified; undefined for any other token. */
function readClaims(token: string): Claims | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
    const claims: unknown = JSON.parse(text);
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** The permissions in a token, in whatever words. */
function rolesIn(claims: Claims = {}): string {
  const texts = Object.entries(claims).flatMap(([name, value]) =>
    /role|scope|perm/i.test(name) && ['string', 'object'].includes(typeof value)
      ? [`${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`]
      : [],
  );
  return texts.join(', ').slice(0, 120);
}

const SHORTEST_SECONDS = 12;
const LONGEST_SECONDS = 7 * 86_400;

function findLifetime(answer: ProbeAnswer, dialect: Dialect, claims: Claims | undefined) {
  const { exp, iat } = claims ?? {};
  const signed = typeof exp === 'number' && typeof iat === 'number' ? exp - iat : undefined;
  const leaves = isObject(answer.value) ? listLeaves([answer.value]) : [];
  const lives = leaves.flatMap(({ path, values: [value] }) => {
    const seconds = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    const isLife =
      typeof seconds === 'number' && seconds >= SHORTEST_SECONDS && seconds <= LONGEST_SECONDS;
    return isLife ? [{ path, seconds }] : [];
  });
  const assumed = dialect.tokenLifetimeField;
  const own = lives.find(({ path }) => path === assumed);
  const named = lives.find(
    ({ path, seconds }) => /expir|lifetime|ttl|valid|life/i.test(path) || seconds === signed,
  );
  const found = own ?? named;
  const params = { path: found?.path ?? '', seconds: found?.seconds ?? 0 };
  if (found)
    return {
      seconds: found.seconds,
      assessment: compared(assumed, found.path, ['lifetime', params]),
    };
  const absent = compared(assumed, '', ['lifetimeAbsent', {}]);
  return { seconds: signed, assessment: absent };
}
