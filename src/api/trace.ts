import { TransportError, type Clock, type Transport } from '../model/ports.ts';
import { formatInstant } from '../lib/time.ts';
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
  return async (request) => {
    const write = await lineFor(request, parts).catch(() => NOT_TRACED);
    try {
      const response = await next(request);
      await write(() => received(response)).catch(() => undefined);
      return response;
    } catch (error) {
      await write(() => Promise.resolve({ rest: describeFailure(error), body: undefined })).catch(
        () => undefined,
      );
      throw error;
    }
  };
}

interface Ending {
  readonly rest: object;
  readonly body: string | undefined;
}

type WriteLine = (ending: () => Promise<Ending>) => Promise<void>;

const NOT_TRACED: WriteLine = () => Promise.resolve();

/**
 * Prepares the line of one request before it is sent; the returned function writes it at the end.
 */
async function lineFor(request: Request, parts: TraceParts): Promise<WriteLine> {
  const { clock, redactor, tokenPath, sink } = parts;
  const url = new URL(request.url);
  const bodyOf = (text: string): unknown =>
    url.pathname === tokenPath ? undefined : redactor.body(text);
  const sent = request.body ? await request.clone().text() : '';
  const line = {
    at: formatInstant(clock.now()),
    method: request.method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
  };
  const startedAt = clock.monotonic();
  return async (ending) => {
    const ms = Math.round(clock.monotonic() - startedAt);
    const { rest, body } = await ending();
    const entry = {
      ...line,
      ...rest,
      ms,
      ...(body !== undefined && sizes('received', body, bodyOf)),
      ...sizes('sent', sent, bodyOf),
    };
    sink(`${JSON.stringify(entry)}\n`);
  };
}

async function received(response: Response): Promise<Ending> {
  return { rest: { status: response.status }, body: await response.clone().text() };
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
