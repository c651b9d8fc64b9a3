import { TransportError } from '../../model/ports.ts';
import { WorldError, type WorldCode } from '../../model/error.ts';

/** An answer beyond the size cap. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** An answer whose status came and whose body did not come to its end. */
export class TruncatedAnswer extends Error {
  override readonly name = 'CutShort';

  constructor(options?: ErrorOptions) {
    super('the answer was cut short', options);
  }
}

const TLS =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|HOSTNAME_|EPROTO$)/;
const NO_CONNECTION =
  /^(?:ENOTFOUND|EAI_|ECONNREFUSED|EHOST|ENET|ETIMEDOUT|EADDR|UND_ERR_CONNECT_TIMEOUT)/;

/** What the system says when it can open no connection at all: no more files, no memory, not allowed. */
const NO_SOCKET = /^(?:EMFILE|ENFILE|ENOBUFS|ENOMEM|EACCES|EPERM|EAFNOSUPPORT)$/;

/** A connection that ended while it was being opened, and a request that its far end did not begin. */
const NOT_BEGUN = /^(?:ECONNRESET|EPIPE|PROXY_\d+|REFUSED_STREAM|GOAWAY)$/;

/** Ours: too late for its turn, or ended before a connection stood. */
const NOT_TRIED = /^(?:tooLate|timedOut|cancelled)$/;

/** What keeps us from a token, without which nothing is sent. */
const NO_TOKEN: ReadonlySet<string> = new Set<WorldCode>([
  'credentialsRefused',
  'organizationUnknown',
  'tokenUnreadable',
  'secretMissing',
  'forbidden',
  'notFound',
  'redirected',
  'tooManyRequests',
  'unexpectedStatus',
  'unexpectedShape',
  'notJson',
  'unreachable',
  'tlsFailed',
  'proxyRefused',
  'timedOut',
  'tooLarge',
  'cut',
]);

/**
 * The closed list of codes that are thrown before the first byte of a request leaves. It takes
 * both to call a POST unsent: that whoever threw was before the bytes, and a code of this list.
 */
export function isBeforeBytes(code: string): boolean {
  const patterns = [NO_CONNECTION, NO_SOCKET, NOT_BEGUN, NOT_TRIED, TLS];
  return NO_TOKEN.has(code) || patterns.some((pattern) => pattern.test(code));
}

/**
 * The code of a failure: ours for cancelled, late and too large, else the innermost that names
 * one.
 */
export function failureCode(
  error: unknown,
  state: { readonly cancelled: boolean; readonly late: boolean },
): string {
  if (state.cancelled) return 'cancelled';
  if (state.late) return 'timedOut';
  if (error instanceof TooLarge) return 'tooLarge';
  if (error instanceof TruncatedAnswer) return 'cut';
  return namedCode(error) ?? 'failed';
}

/**
 * Whether asking once more could end differently: not for a bad certificate, a proxy that refuses, a
 * huge answer or a cancelled request.
 */
export function isTransient(error: TransportError): boolean {
  const isFinal = TLS.test(error.code) || error.code.startsWith('PROXY_4');
  return !['cancelled', 'tooLarge'].includes(error.code) && !isFinal;
}

/**
 * A request without an answer in the words of users; anything else that was thrown stays what it is.
 * @param asked what was asked for, and whether nobody wants the answer any more
 */
export function worldErrorOf(
  error: unknown,
  { url, isCancelled }: { readonly url: string; readonly isCancelled: boolean },
): unknown {
  if (error instanceof WorldError) return error;
  if (isCancelled) return inWords(new TransportError('unsent', 'cancelled', { cause: error }), url);
  return error instanceof TransportError ? inWords(error, url) : error;
}

function inWords(error: TransportError, url: string): WorldError {
  const code = worldCode(error.code);
  const { host, pathname } = new URL(url);
  const status = /^PROXY_(\d+)$/.exec(error.code)?.[1];
  const params = { host, path: pathname, cause: error.code, ...(status && { status }) };
  return new WorldError(code, params, { cause: error, retry: 'safe' });
}

function worldCode(code: string): WorldCode {
  if (code === 'tooLarge' || code === 'timedOut') return code;
  if (TLS.test(code)) return 'tlsFailed';
  if (code.startsWith('PROXY_')) return 'proxyRefused';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timedOut';
  return NO_CONNECTION.test(code) ? 'unreachable' : 'cut';
}

/** Several addresses tried at once fail as one AggregateError; the first failure speaks for all. */
function namedCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return namedCode(inner);
}
