import { TransportError } from '../../model/ports.ts';
import { WorldError, type WorldCode } from '../../model/error.ts';

export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** The deadline of a request. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
  readonly code = 'timedOut';
}

/** An answer with a status and an incomplete body. */
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

/** System errors when no connection can be opened: too many files, no memory, no permission. */
const NO_SOCKET = /^(?:EMFILE|ENFILE|ENOBUFS|ENOMEM|EACCES|EPERM|EAFNOSUPPORT)$/;

/** A connection that failed while it was opened, or a request that the server did not start. */
const NOT_BEGUN = /^(?:ECONNRESET|EPIPE|PROXY_\d+|REFUSED_STREAM|GOAWAY)$/;

/** Our own codes: too late for its turn, or ended before a connection was open. */
const NOT_TRIED = /^(?:tooLate|timedOut|cancelled)$/;

/** Errors that prevent a token, without which nothing is sent. */
const NO_TOKEN: ReadonlySet<string> = new Set<WorldCode>([
  'credentialCommandFailed',
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
 * The closed list of codes thrown before the first byte of a request leaves. A POST is unsent only
 * if the code is on this list and the layer that threw it acts before the first byte.
 */
export function isBeforeBytes(code: string): boolean {
  const patterns = [NO_CONNECTION, NO_SOCKET, NOT_BEGUN, NOT_TRIED, TLS];
  return NO_TOKEN.has(code) || patterns.some((pattern) => pattern.test(code));
}

/** The code of a failure: our own for late, too large and cut, else the innermost code. */
export function failureCode(error: unknown): string {
  if (error instanceof TooLarge) return 'tooLarge';
  if (error instanceof TruncatedAnswer) return 'cut';
  return namedCode(error) ?? 'failed';
}

/**
 * Whether a repeated request could succeed: not after a bad certificate, a proxy refusal, a huge
 * answer or a cancellation.
 */
export function isTransient(error: TransportError): boolean {
  const isFinal = TLS.test(error.code) || error.code.startsWith('PROXY_4');
  return !['cancelled', 'tooLarge'].includes(error.code) && !isFinal;
}

/**
 * The `WorldError` of a request without an answer; any other error is returned as it is.
 * @param asked the URL of the request, and whether it was cancelled
 */
export function toWorldError(
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

/** Several addresses that fail at once give one `AggregateError`; its first error counts. */
function namedCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return namedCode(inner);
}
