import type { ProgressEvent } from '../model/progress.ts';
import { isRead } from '../model/http.ts';
import { TransportError, type Clock, type Random, type Transport } from '../model/ports.ts';
import { isTransient } from './transport/transport-failure.ts';
import { retryAfter } from './retry-after.ts';

type RetryNotice = Omit<Extract<ProgressEvent, { readonly reason: 'retrying' }>, 'type' | 'reason'>;

export interface RetryParts {
  readonly clock: Clock;
  readonly random: Random;
  /** Receives each wait before the next try. */
  readonly onRetry?: ((retried: RetryNotice) => void) | undefined;
}

const TRIES = 5;
const BASE_MS = 1_000;
const CAP_MS = 30_000;
/** The total wait of one request before its next try: one long `Retry-After`, not five. */
const MAX_WAIT_MS = 15 * 60_000;
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Repeats reads, up to five tries (protocol Y7), after a request without an answer, 408, 429, 500,
 * 502, 503 and 504. Waits as the service requests, within `MAX_WAIT_MS`, else with jittered
 * exponential back-off. Returns the last answer. Requests other than GET and HEAD pass once,
 * unchanged.
 */
export function retry(next: Transport, parts: RetryParts): Transport {
  const repeated = retryAll(next, parts);
  return (request) => (isRead(request) ? repeated(request) : next(request));
}

/**
 * Repeats also a POST, for requests that change nothing, such as the token request. Such a request
 * has no body.
 */
export function retryAll(next: Transport, parts: RetryParts): Transport {
  return async (request) => {
    for (let tried = 1, waited = 0; ; tried += 1) {
      const outcome = await next(request).catch(asFailure);
      const isLast = tried === TRIES || waited >= MAX_WAIT_MS || request.signal?.aborted;
      const isFailure = outcome instanceof TransportError;
      if (isFailure && (isLast || !isTransient(outcome))) throw outcome;
      if (!isFailure && (isLast || !PASSING.has(outcome.status))) return outcome;
      // Half of the back-off is fixed and half is random, so that clients that failed together do not
      // return together.
      const backOff = Math.min(CAP_MS, BASE_MS * 2 ** (tried - 1));
      const requestedMs = isFailure ? undefined : retryAfter(outcome, parts.clock.now());
      const wait = requestedMs ?? (backOff / 2) * (1 + parts.random());
      const until = parts.clock.now() + wait;
      const status = isFailure ? {} : { status: outcome.status };
      parts.onRetry?.({ tried, most: TRIES, until, ...status });
      await parts.clock.sleep(wait, request.signal);
      waited += wait;
    }
  };
}

function asFailure(error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  throw error;
}
