import { bodyText } from '../model/http.ts';
import {
  TransportError,
  type Clock,
  type HttpAnswer,
  type HttpRequest,
  type Transport,
} from '../model/ports.ts';
import { harmless } from '../model/progress.ts';
import { formatInstant, type Instant, type Milliseconds } from '../lib/time.ts';
import type { Redactor } from './redact.ts';

interface TraceParts {
  readonly clock: Clock;
  /** Appends one line, line end included, to the trace. */
  readonly sink: (line: string) => void;
  readonly redactor: Redactor;
  /** Path of the token endpoint, whose bodies are never traced. */
  readonly tokenPath: string;
}

/**
 * Writes one JSON line per sent request: time, method, path, query, status or failure,
 * milliseconds, sizes and bodies. Headers are never written, and secrets are removed from bodies. A
 * failure to write a line does not affect the request.
 */
export function trace(next: Transport, parts: TraceParts): Transport {
  const { clock, sink } = parts;
  return async (request) => {
    const [at, startedAt] = [clock.now(), clock.monotonic()];
    const write = harmless((outcome: HttpAnswer | { readonly error: unknown }) => {
      const ms = Math.round(clock.monotonic() - startedAt);
      sink(`${JSON.stringify(entryFor({ request, at, outcome, ms }, parts))}\n`);
    });
    try {
      const answer = await next(request);
      write(answer);
      return answer;
    } catch (error) {
      write({ error });
      throw error;
    }
  };
}

interface Exchange {
  readonly request: HttpRequest;
  readonly at: Instant;
  readonly ms: Milliseconds;
  readonly outcome: HttpAnswer | { readonly error: unknown };
}

function entryFor(
  { request, at, ms, outcome }: Exchange,
  { redactor, tokenPath }: TraceParts,
): object {
  const url = new URL(request.url);
  const bodyOf = (text: string): unknown =>
    url.pathname === tokenPath ? undefined : redactor.body(text);
  return {
    at: formatInstant(at),
    method: request.method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    ...('error' in outcome ? describeFailure(outcome.error) : { status: outcome.status }),
    ms,
    ...('error' in outcome ? {} : sizes('received', bodyText(outcome), bodyOf)),
    ...sizes('sent', request.body ?? '', bodyOf),
  };
}

function sizes(side: 'sent' | 'received', text: string, bodyOf: (text: string) => unknown): object {
  const bytes = { [`${side}Bytes`]: Buffer.byteLength(text) };
  return text === '' ? bytes : { ...bytes, [side]: bodyOf(text) };
}

function describeFailure(error: unknown): object {
  const isTransport = error instanceof TransportError;
  const { phase, code } = isTransport ? error : { phase: 'sent', code: 'failed' };
  return { failure: { phase, code } };
}
