import type { Dialect } from '../model/fleet/dialect.ts';
import { WorldError } from '../model/error.ts';
import type { Clock, Transport } from '../model/ports.ts';
import type { Milliseconds } from '../lib/time.ts';
import { refusalError, readJsonRow } from './decode/answer.ts';
import { toWorldError } from './transport/transport-failure.ts';
import { field, type JsonRow } from './decode/fields.ts';
import { resolved } from './post.ts';
import type { Redactor } from './redact.ts';
import { ownSignal } from './transport/until.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface TokenParts {
  readonly send: Transport;
  readonly clock: Clock;
  readonly url: string;
  readonly organization: string;
  readonly credentials: ClientCredentials;
  readonly dialect: Dialect;
  readonly redactor: Redactor;
  /** Returns the value of a secret that a payload, or the body of the dialect, refers to. */
  readonly secrets: (name: string) => string | undefined;
  /** Aborts every wait for a token, and further tries, so that nothing new is sent. */
  readonly hurry?: AbortSignal | undefined;
}

/** The access token of a run, in memory only. Concurrent callers share one request. */
export interface Tokens {
  /** Returns a token that has not expired. */
  current(): Promise<string>;
  /** Ensures this much remaining life, or a fresh token if the service's tokens are shorter. */
  hold(atLeast: Milliseconds): Promise<void>;
  /** Drops this token unless it was already renewed. */
  drop(token: string): void;
}

interface Token {
  readonly text: string;
  readonly renewAt: Milliseconds;
  readonly endsAt: Milliseconds;
}

const ASSUMED_LIFE_MS = 5 * 60_000;
/** At five tokens per minute, a shorter-lived token expires before the next may be requested. */
const SHORTEST_LIFE_MS = 12_000;
const LONGEST_LIFE_MS = 24 * 3_600_000;
const MARGIN_MS = 2 * 60_000;

/**
 * Repeatedly refused credentials lock the user out at many services. A run takes at most these
 * pauses, which reach to the end of the ten minutes for which it follows a task without an answer.
 */
const REFUSED_PAUSES_MS: readonly Milliseconds[] = [60_000, 3 * 60_000, 5 * 60_000];

/**
 * Exchanges Basic credentials for bearer tokens. The life of a token is measured on the monotonic
 * clock from before the request. Refused credentials are retried after growing pauses, then no
 * more.
 */
export function createTokens(parts: TokenParts): Tokens {
  const { clock } = parts;
  let held: Token | undefined;
  let pending: Promise<Token> | undefined;

  let refusal: { readonly error: WorldError; readonly nth: number; readonly at: Milliseconds };
  refusal = { error: new WorldError('credentialsRefused'), nth: 0, at: -Infinity };

  const mayRequest = (): boolean => {
    if (refusal.nth === 0) return true;
    const pause = REFUSED_PAUSES_MS[refusal.nth - 1] ?? Infinity;
    return clock.monotonic() >= refusal.at + pause;
  };
  const remember = (error: unknown): never => {
    if (error instanceof WorldError && error.code === 'credentialsRefused')
      refusal = { error, nth: refusal.nth + 1, at: clock.monotonic() };
    throw error;
  };
  const renew = (): Promise<Token> => {
    if (!pending && !mayRequest()) return Promise.reject(refusal.error);
    pending ??= request(parts)
      .then((token) => (held = token), remember)
      .finally(() => (pending = undefined));
    return pending;
  };
  return {
    current: async () => {
      const isGood = held !== undefined && clock.monotonic() < held.renewAt;
      return isGood && held ? held.text : (await renew()).text;
    },
    hold: async (atLeast) => {
      if (!held || held.endsAt - clock.monotonic() < atLeast) await renew();
    },
    drop: (token) => {
      if (held?.text === token) held = undefined;
    },
  };
}

async function request(parts: TokenParts): Promise<Token> {
  const { clientId, clientSecret } = parts.credentials;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const startedAt = parts.clock.monotonic();
  const own = ownSignal(parts.hurry);
  const response = await requestToken(
    parts,
    new Request(parts.url, {
      signal: own.signal,
      method: 'POST',
      redirect: 'manual',
      headers: {
        authorization: `Basic ${basic}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      ...buildBody(parts),
    }),
  ).finally(() => own.release());
  const { text, row } = await readToken(response, parts);
  parts.redactor.learn(text);
  // Renews at 80% of the life or two minutes before its end, whichever is first, but never before
  // half of it.
  const life = lifeIn(row, parts.dialect);
  const renewAfter = Math.max(Math.min(life * 0.8, life - MARGIN_MS), life / 2);
  return { text, renewAt: startedAt + renewAfter, endsAt: startedAt + life };
}

/** The request body of the dialect; none by default. Throws `secretMissing`. */
function buildBody({ dialect, secrets, redactor }: TokenParts): { readonly body?: string } {
  const { tokenBody } = dialect;
  if (Object.keys(tokenBody).length === 0) return {};
  const onSecret = (value: string): void => redactor.learn(value);
  return { body: JSON.stringify(resolved(tokenBody, { secrets, onSecret })) };
}

/** The token, and the answer that may contain its lifetime. */
async function readToken(
  response: Response,
  parts: TokenParts,
): Promise<{ readonly text: string; readonly row: JsonRow }> {
  if (parts.dialect.tokenField === '') return { text: await bareToken(response), row: {} };
  const row = await readJsonRow(response, pathname(parts)).catch(
    asTokenless(parts.dialect.tokenField),
  );
  return { text: tokenIn(row, parts), row };
}

/**
 * An answer that is no object may be the token itself, so it is not repeated in an error. An HTML
 * page is reported as such: something between us and the service answered.
 */
function asTokenless(field: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof WorldError && !/html|xml/i.test(String(error.params['contentType'] ?? '')))
      throw new WorldError('tokenUnreadable', { field }, { cause: error });
    throw error;
  };
}

/** Characters of a bearer token (RFC 6750); an HTML page has others. */
const BARE_TOKEN = /^[A-Za-z0-9._~+/=-]+$/;

async function bareToken(response: Response): Promise<string> {
  const text = (await response.text()).trim();
  const bare = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (BARE_TOKEN.test(bare)) return bare;
  throw new WorldError('tokenUnreadable', {});
}

async function requestToken(parts: TokenParts, request: Request): Promise<Response> {
  const path = pathname(parts);
  const { organization } = parts;
  try {
    const response = await parts.send(request);
    if (response.ok) return response;
    if (response.status === 404) throw new WorldError('organizationUnknown', { organization });
    if (response.status === 401 || response.status === 403) {
      throw new WorldError('credentialsRefused', { organization, status: response.status });
    }
    throw refusalError(response, { path });
  } catch (error) {
    throw toWorldError(error, { url: parts.url, isCancelled: request.signal.aborted });
  }
}

/**
 * The token, from exactly the dialect's field and valid as a header. An error reports only the
 * names of other fields.
 */
function tokenIn(row: JsonRow, { dialect }: TokenParts): string {
  const { tokenField } = dialect;
  const text = field(tokenField)(row);
  if (typeof text === 'string' && /^[\x21-\x7e]+$/.test(text)) return text;
  throw new WorldError('tokenUnreadable', {
    field: tokenField,
    found: Object.keys(row).sort().join(', '),
  });
}

/**
 * The lifetime in milliseconds; a default if it is missing, not a number, longer than a day, or
 * shorter than the time to the next token (protocol Y8).
 */
function lifeIn(row: JsonRow, dialect: Dialect): Milliseconds {
  const lifetime = field(dialect.tokenLifetimeField)(row);
  const isPresent =
    typeof lifetime === 'number' || (typeof lifetime === 'string' && lifetime.trim() !== '');
  const life = isPresent ? Number(lifetime) * 1_000 : NaN;
  return life >= SHORTEST_LIFE_MS && life <= LONGEST_LIFE_MS ? life : ASSUMED_LIFE_MS;
}

function pathname(parts: TokenParts): string {
  return new URL(parts.url).pathname;
}
