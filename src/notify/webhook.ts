import { createHmac } from 'node:crypto';
import { TransportError, type Clock, type HttpRequest, type Transport } from '../model/ports.ts';
import type { Milliseconds } from '../lib/time.ts';

interface WebhookMessage {
  readonly url: string;
  /** The key of the signature; it is not sent. Absent: no signature. */
  readonly secret?: string;
  readonly body: string;
  readonly event: string;
  /** Equal for every try of the same message. */
  readonly id: string;
}

interface WebhookParts {
  readonly transport: Transport;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: AbortSignal;
}

type Undelivered =
  | { readonly why: 'status' | 'redirect'; readonly status: number }
  | { readonly why: 'unreachable'; readonly cause: string }
  | { readonly why: 'late' | 'stopped' };

/** The time of a whole delivery: a run that is over waits no longer for its receiver. */
const DEADLINE: Milliseconds = 10_000;
const PAUSE: Milliseconds = 2_000;
const TRIES = 2;

/** Posts a message and signs its bytes with HMAC-SHA256, where there is a key. Returns what `deliver` returns. */
export function postWebhook(message: WebhookMessage, parts: WebhookParts) {
  const { url, body, event, id } = message;
  const headers = {
    'content-type': 'application/json',
    'x-fleetform-event': event,
    'x-fleetform-delivery': id,
    ...(message.secret !== undefined && {
      'x-fleetform-signature-256': sign(message.secret, body),
    }),
  };
  return deliver({ url, method: 'POST', headers, body }, parts);
}

/**
 * Sends a request to a receiver that answers with any 2xx. Tries once more after a failed connection, a 429 or a 5xx.
 * Returns why it was not delivered, or undefined. Never throws for what the receiver does; follows no redirect.
 */
export async function deliver(
  message: HttpRequest,
  { signal, ...parts }: WebhookParts,
): Promise<Undelivered | undefined> {
  if (signal.aborted) return STOPPED;
  const over = new AbortController();
  const late = parts.clock.sleep(DEADLINE, over.signal).then(
    () => LATE,
    () => LATE,
  );
  const stopped = new Promise<Undelivered>((resolve) => {
    const stop = (): void => resolve(STOPPED);
    signal.addEventListener('abort', stop, { once: true, signal: over.signal });
  });
  // A receiver that never answers is left, even on a transport that ignores the signal.
  const tried = tryTwice(message, parts, over.signal);
  return Promise.race([late, stopped, tried]).finally(() => over.abort());
}

const STOPPED = { why: 'stopped' } as const satisfies Undelivered;
const LATE = { why: 'late' } as const satisfies Undelivered;

async function tryTwice(
  message: HttpRequest,
  { transport, clock }: Omit<WebhookParts, 'signal'>,
  signal: AbortSignal,
): Promise<Undelivered | undefined> {
  for (let tried = 1; ; tried++) {
    const failure = await send(message, transport, signal);
    if (!failure || tried >= TRIES || !isPassing(failure)) return failure;
    await clock.sleep(PAUSE, signal);
  }
}

async function send(
  message: HttpRequest,
  transport: Transport,
  signal: AbortSignal,
): Promise<Undelivered | undefined> {
  try {
    const headers = { ...message.headers, 'user-agent': 'fleetform' };
    const { status } = await transport({ ...message, headers, signal });
    if (status >= 200 && status < 300) return undefined;
    return { why: status >= 300 && status < 400 ? 'redirect' : 'status', status };
  } catch (error) {
    const cause = error instanceof TransportError ? error.code : 'request failed';
    return { why: 'unreachable', cause };
  }
}

/** `sha256=` and the HMAC of the body in hex, as GitHub signs its webhooks. */
function sign(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body, 'utf8').digest('hex')}`;
}

function isPassing(failure: Undelivered): boolean {
  if (failure.why === 'unreachable') return true;
  return failure.why === 'status' && (failure.status === 429 || failure.status >= 500);
}
