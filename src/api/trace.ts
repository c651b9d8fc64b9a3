import { TransportError, type Clock, type Transport } from '../model/ports.ts';
import { formatInstant } from '../model/time.ts';
import type { Redactor } from './redact.ts';

export interface TraceParts {
  readonly clock: Clock;
  /** Appends one line, its end included, to the trace. */
  readonly sink: (line: string) => void;
  readonly redactor: Redactor;
  /** Path of the token endpoint, whose bodies are left out whole. */
  readonly tokenPath: string;
}

/**
 * Writes one JSON line for each request that leaves: time, method, path, query, status or
 * failure, milliseconds, sizes and bodies. No header is written, and secrets are taken out of
 * the bodies.
 */
export function trace(next: Transport, parts: TraceParts): Transport {
  return async (request) => {
    const url = new URL(request.url);
    const bodyOf = (text: string): unknown =>
      url.pathname === parts.tokenPath ? undefined : parts.redactor.body(text);
    const sent = request.body ? await request.clone().text() : '';
    const line: Record<string, unknown> = {
      at: formatInstant(parts.clock.now()),
      method: request.method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
    };
    const startedAt = parts.clock.monotonic();
    const write = (rest: object): void =>
      parts.sink(`${JSON.stringify({ ...line, ...rest, ...sizes('sent', sent, bodyOf) })}\n`);
    try {
      const response = await next(request);
      const ms = Math.round(parts.clock.monotonic() - startedAt);
      const received = await response.clone().text();
      write({ status: response.status, ms, ...sizes('received', received, bodyOf) });
      return response;
    } catch (error) {
      write({ failure: failureOf(error), ms: Math.round(parts.clock.monotonic() - startedAt) });
      throw error;
    }
  };
}

function sizes(side: 'sent' | 'received', text: string, bodyOf: (text: string) => unknown): object {
  const bytes = { [`${side}Bytes`]: Buffer.byteLength(text) };
  return text === '' ? bytes : { ...bytes, [side]: bodyOf(text) };
}

function failureOf(error: unknown): object {
  return error instanceof TransportError
    ? { phase: error.phase, code: error.code }
    : { phase: 'sent', code: 'failed' };
}
