import { createHmac } from 'node:crypto';
import { TransportError, type Clock, type Transport } from '../model/ports.ts';
import type { Milliseconds } from '../lib/time.ts';

interface WebhookMessage {
  readonly url: string;
  /** The key of the signature; it is not sent. */
  readonly secret: string;
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

/**
 * Posts a message and signs its bytes with HMAC-SHA256. Takes a receiver that answers with any 2xx.
 * Tries once more after a failed connection, a 429 or a 5xx. Returns why the message was not
 * delivered, or undefined. Never throws for what the receiver does; follows no redirect.
 */
export async function postWebhook(
  message: WebhookMessage,
  parts: WebhookParts,
): Promise<Undelivered | undefined> {
  const over = new AbortController();
  const stop = (): void => over.abort(STOPPED);
  if (parts.signal.aborted) return STOPPED;
  parts.signal.addEventListener('abort', stop, { once: true });
  const ended = new AbortController();
  const deadline = parts.clock
    .sleep(DEADLINE, ended.signal)
    .then(() => over.abort(LATE))
    .catch(() => undefined);
  try {
    return await untilOver(deliver(message, parts, over.signal), over.signal);
  } finally {
    parts.signal.removeEventListener('abort', stop);
    ended.abort();
    over.abort(LATE);
    await deadline;
  }
}

const STOPPED = { why: 'stopped' } as const satisfies Undelivered;
const LATE = { why: 'late' } as const satisfies Undelivered;

async function deliver(
  message: WebhookMessage,
  { transport, clock }: WebhookParts,
  signal: AbortSignal,
): Promise<Undelivered | undefined> {
  for (let tried = 1; ; tried++) {
    const failure = await send(message, transport, signal);
    if (!failure || tried >= TRIES || !isPassing(failure)) return failure;
    await clock.sleep(PAUSE, signal);
  }
}

async function send(
  message: WebhookMessage,
  transport: Transport,
  signal: AbortSignal,
): Promise<Undelivered | undefined> {
  const { url, body, event, id } = message;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'fleetform',
    'x-fleetform-event': event,
    'x-fleetform-delivery': id,
    'x-fleetform-signature-256': sign(message),
  };
  try {
    const request = new Request(url, { method: 'POST', redirect: 'manual', headers, body, signal });
    const { status } = await transport(request);
    if (status >= 200 && status < 300) return undefined;
    return { why: status >= 300 && status < 400 ? 'redirect' : 'status', status };
  } catch (error) {
    const cause = error instanceof TransportError ? error.code : 'request failed';
    return { why: 'unreachable', cause };
  }
}

/** `sha256=` and the HMAC of the body in hex, as GitHub signs its webhooks. */
function sign({ secret, body }: WebhookMessage): string {
  return `sha256=${createHmac('sha256', secret).update(body, 'utf8').digest('hex')}`;
}

function isPassing(failure: Undelivered): boolean {
  if (failure.why === 'unreachable') return true;
  return failure.why === 'status' && (failure.status === 429 || failure.status >= 500);
}

/** A receiver that never answers ends with the signal, even on a transport that ignores it. */
async function untilOver(
  work: Promise<Undelivered | undefined>,
  signal: AbortSignal,
): Promise<Undelivered | undefined> {
  const ended = new Promise<Undelivered>((resolve) => {
    const end = (): void => resolve(signal.reason as Undelivered);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
  work.catch(() => undefined);
  return Promise.race([ended, work.catch(() => ended)]);
}
