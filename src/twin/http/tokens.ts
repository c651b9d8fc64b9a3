import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { Refusal, ok, type Answer } from '../call.ts';
import { JsonError, parseBoundedJson } from '../json.ts';
import type { Time, User, WorldState } from '../world/state.ts';

const ISSUER = 'fleetform-twin';
const LIFE_SECONDS = 3600;
const REFRESH_LIFE_SECONDS = 30 * 86_400;

export interface Issuer {
  readonly state: WorldState;
  readonly now: Time;
  /** Whether the provider has enabled refresh tokens. */
  readonly refreshTokens: boolean;
}

/**
 * Answers `POST /v1/auth/{organization}`: Basic credentials for a token that lasts one hour on the
 * twin's clock. Throws a `Refusal`: 404 for another organization, 401 for wrong credentials, 400
 * for a body that is not JSON.
 */
export async function createToken(
  issuer: Issuer,
  organization: string,
  request: { readonly authorization: string; readonly body: string },
): Promise<Answer> {
  if (organization !== issuer.state.organization) {
    throw new Refusal(404, 'no such organization');
  }
  const user = basicUser(issuer.state, request.authorization);
  if (user === undefined) {
    throw new Refusal(401, 'wrong client_id or client_secret', { 'WWW-Authenticate': 'Basic' });
  }
  await checkGrant(issuer, user, request.body);
  const token = sign(issuer, user, { use: 'access', seconds: LIFE_SECONDS });
  const refresh = issuer.refreshTokens && {
    refresh_token: sign(issuer, user, { use: 'refresh', seconds: REFRESH_LIFE_SECONDS }),
  };
  return ok({ access_token: token, token_type: 'Bearer', expires_in: LIFE_SECONDS, ...refresh });
}

/**
 * The user of a bearer token. Throws a 401 `Refusal` for a missing, expired, forged or foreign
 * token.
 */
export async function bearerUser(issuer: Issuer, authorization: string): Promise<User> {
  const token = /^Bearer ([\w.-]+)$/.exec(authorization)?.[1];
  if (token === undefined) throw unauthorized('a bearer token is needed');
  return verify(issuer, token, 'access');
}

async function checkGrant(issuer: Issuer, user: User, body: string): Promise<void> {
  const grant = parseGrant(body);
  if (grant['grant_type'] !== 'refresh_token') return;
  const holder = await verify(issuer, String(grant['refresh_token']), 'refresh');
  if (!issuer.refreshTokens || holder.clientId !== user.clientId) {
    throw unauthorized('the refresh token is not valid');
  }
}

function parseGrant(body: string): Readonly<Record<string, unknown>> {
  if (body.trim() === '') return {};
  try {
    const grant = parseBoundedJson(body);
    if (typeof grant === 'object' && grant !== null) return { ...grant };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  throw new Refusal(400, 'the body is not a JSON object');
}

/** The user with these Basic credentials; undefined if there is none. */
export function basicUser(state: WorldState, authorization: string): User | undefined {
  const encoded = /^Basic ([\w+/=]+)$/.exec(authorization)?.[1] ?? '';
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  return state.users.find(({ clientId, clientSecret }) =>
    isSame(`${clientId}:${clientSecret}`, given),
  );
}

/** Compares in constant time, whatever the lengths. */
function isSame(wanted: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(wanted), digest(given));
}

/** Signs synchronously, so that no caller has to wait, and remembers the token as valid. */
function sign(
  { state, now }: Issuer,
  user: User,
  { use, seconds }: { readonly use: 'access' | 'refresh'; readonly seconds: number },
): string {
  const issuedAt = Math.floor(now / 1000);
  const claims = {
    name: user.userName,
    role: user.role,
    sites: user.siteIds ?? 'all',
    use,
    iss: ISSUER,
    aud: state.organization,
    sub: user.clientId,
    iat: issuedAt,
    exp: issuedAt + seconds,
  };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const mac = createHmac('sha256', signingKey(state)).update(signed).digest('base64url');
  const token = `${signed}.${mac}`;
  remember(state, token, claims);
  return token;
}

async function verify(issuer: Issuer, token: string, use: string): Promise<User> {
  const { state, now } = issuer;
  const { sub, exp = 0, ...claims } = knownTokens(state).get(token) ?? (await check(issuer, token));
  if (exp <= Math.floor(now / 1000)) throw unauthorized('the token has expired');
  const user = state.users.find(({ clientId }) => clientId === sub);
  if (user === undefined || claims['use'] !== use) throw unauthorized('the token is not valid');
  return user;
}

/** Checks signature, audience and times of a token that this process has not checked before. */
async function check({ state, now }: Issuer, token: string): Promise<JWTPayload> {
  const options = {
    algorithms: ['HS256'],
    issuer: ISSUER,
    audience: state.organization,
    currentDate: new Date(now),
  };
  const { payload } = await jwtVerify(token, signingKey(state), options).catch((error: unknown) => {
    if (error instanceof errors.JWTExpired) throw unauthorized('the token has expired');
    if (error instanceof errors.JOSEError) throw unauthorized('the token is not valid');
    throw error;
  });
  remember(state, token, payload);
  return payload;
}

/**
 * The claims of valid tokens of a world: every request carries one, and its signature costs more to
 * check than the answer costs to make.
 */
const KNOWN = new WeakMap<WorldState, Map<string, JWTPayload>>();
const MOST_KNOWN = 1_000;

function remember(state: WorldState, token: string, claims: JWTPayload): void {
  const known = knownTokens(state);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(token, claims);
}

function knownTokens(state: WorldState): Map<string, JWTPayload> {
  const known = KNOWN.get(state) ?? new Map<string, JWTPayload>();
  KNOWN.set(state, known);
  return known;
}

function unauthorized(message: string): Refusal {
  return new Refusal(401, message, { 'WWW-Authenticate': 'Bearer' });
}

function signingKey(state: WorldState): Uint8Array {
  return Buffer.from(state.signingKey, 'base64url');
}
