import type { Dialect } from '../model/fleet/dialect.ts';
import { WorldError, type WorldCode } from '../model/error.ts';
import { bodyText, isSuccess } from '../model/http.ts';
import type {
  Clock,
  Credentials,
  CredentialSource,
  HttpAnswer,
  HttpRequest,
  Transport,
} from '../model/ports.ts';
import type { Milliseconds } from '../lib/time.ts';
import { refusalError, readJsonRow } from './decode/answer.ts';
import { toWorldError } from './transport/transport-failure.ts';
import { field, type JsonRow } from './decode/fields.ts';
import { resolved } from './post.ts';
import type { Redactor } from './redact.ts';

export interface TokenParts {
  readonly send: Transport;
  readonly clock: Clock;
  readonly url: string;
  readonly organization: string;
  readonly credentials: CredentialSource;
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

/** A program that fails asks a vault, which locks out as well. */
const PAUSED: readonly WorldCode[] = ['credentialsRefused', 'credentialCommandFailed'];
/**
 * Exchanges Basic credentials for bearer tokens. The life of a token is measured on the monotonic
 * clock from before the request. Refused credentials are retried after growing pauses, then no
 * more.
 */
export function createTokens(parts: TokenParts): Tokens {
  const { clock } = parts;
  let held: Token | undefined;
  let pending: Promise<Token> | undefined;

  const refusals: { readonly error: WorldError; readonly until: Milliseconds }[] = [];
  const remember = (error: unknown): never => {
    const pause = REFUSED_PAUSES_MS[refusals.length] ?? Infinity;
    if (error instanceof WorldError && PAUSED.includes(error.code))
      refusals.push({ error, until: clock.monotonic() + pause });
    throw error;
  };
  const renew = (): Promise<Token> => {
    const last = refusals.at(-1);
    if (!pending && last && clock.monotonic() < last.until) return Promise.reject(last.error);
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
  const { clock, hurry, url } = parts;
  const credentials = await parts.credentials(hurry).catch((error: unknown) => {
    throw toWorldError(error, { url, isCancelled: hurry?.aborted === true });
  });
  const startedAt = clock.monotonic();
  const left = (credentials.expiresAt ?? Infinity) - clock.now();
  const { tokenBody: body } = parts.dialect;
  const asked = tokenRequest(credentials, { ...parts, body, signal: hurry });
  const { text, row } = readToken(await requestToken(parts, asked), parts);
  parts.redactor.learn(text);
  // Renews at 80% of the life or two minutes before its end, whichever is first, but never before
  // half of it.
  const life = Math.min(lifeIn(row, parts.dialect), left);
  const renewAfter = Math.max(Math.min(life * 0.8, life - MARGIN_MS), life / 2);
  return { text, renewAt: startedAt + renewAfter, endsAt: startedAt + life };
}

interface TokenCall extends Pick<TokenParts, 'url' | 'secrets' | 'redactor'> {
  readonly body: Dialect['tokenBody'];
  readonly signal: AbortSignal | undefined;
}

/** The POST for a token; without a body where the dialect has none. Throws `secretMissing`. */
export function tokenRequest(
  { clientId, clientSecret }: Credentials,
  call: TokenCall,
): HttpRequest {
  const { url, signal, secrets, redactor } = call;
  redactor.learn(clientSecret);
  const onSecret = (value: string): void => redactor.learn(value);
  const body = JSON.stringify(resolved(call.body, { secrets, onSecret }));
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const json = 'application/json';
  const headers = { authorization, 'content-type': json, accept: json };
  const sent = body === '{}' ? {} : { body };
  return { method: 'POST', url, headers, signal, ...sent };
}

/** The token, and the answer that may contain its lifetime. */
function readToken(
  answer: HttpAnswer,
  parts: TokenParts,
): { readonly text: string; readonly row: JsonRow } {
  if (parts.dialect.tokenField === '') return { text: bareToken(answer), row: {} };
  const row = tokenRow(answer, parts);
  return { text: tokenIn(row, parts), row };
}

/**
 * An answer that is no object may be the token itself, so it is not repeated in an error. An HTML
 * page is reported as such: something between us and the service answered.
 */
function tokenRow(answer: HttpAnswer, parts: TokenParts): JsonRow {
  try {
    return readJsonRow(answer, pathname(parts));
  } catch (error) {
    const { tokenField: field } = parts.dialect;
    if (error instanceof WorldError && !/html|xml/i.test(String(error.params['contentType'] ?? '')))
      throw new WorldError('tokenUnreadable', { field }, { cause: error });
    throw error;
  }
}

/** Characters of a bearer token (RFC 6750); an HTML page has others. */
const BARE_TOKEN = /^[A-Za-z0-9._~+/=-]+$/;

function bareToken(answer: HttpAnswer): string {
  const text = bodyText(answer).trim();
  const bare = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (BARE_TOKEN.test(bare)) return bare;
  throw new WorldError('tokenUnreadable', {});
}

async function requestToken(parts: TokenParts, request: HttpRequest): Promise<HttpAnswer> {
  const path = pathname(parts);
  const { organization } = parts;
  try {
    const answer = await parts.send(request);
    const { status } = answer;
    if (isSuccess(answer)) return answer;
    if (status === 404) throw new WorldError('organizationUnknown', { organization });
    if (status === 401 || status === 403)
      throw new WorldError('credentialsRefused', { organization, status });
    throw refusalError(answer, { path });
  } catch (error) {
    throw toWorldError(error, { url: parts.url, isCancelled: request.signal?.aborted === true });
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
