import { Agent, buildConnector, Client, request as send, type Dispatcher } from 'undici';
import { TransportError, type Transport } from '../model/ports.ts';
import type { Milliseconds } from '../model/time.ts';
import { codeOf, CutShort, TooLarge } from './failure.ts';

export interface TransportOptions {
  /**
   * Certificates (PEM) trusted instead of the built-in ones. Verification itself cannot be
   * turned off.
   */
  readonly ca?: readonly string[];
  /** Carries every request in place of our own connections; a failure on it counts as `sent`. */
  readonly dispatcher?: Dispatcher;
  /** From the first byte of the connection to the last byte of the answer. */
  readonly readDeadlineMs?: Milliseconds;
  readonly postDeadlineMs?: Milliseconds;
  /** The largest answer that is read, in bytes. */
  readonly maxBytes?: number;
}

export interface OpenTransport {
  readonly transport: Transport;
  /** Closes the connections that are kept open between reads. */
  close(): Promise<void>;
}

/** A dispatcher and what is known about its connections. */
interface Line {
  readonly dispatcher: Dispatcher;
  /** Whether a failure provably came before the first byte of a request. */
  isUnsent(error: unknown): boolean;
}

const CONNECT_DEADLINE_MS = 10_000;
const READ_DEADLINE_MS = 60_000;
const POST_DEADLINE_MS = 20_000;
const MAX_BYTES = 10 * 1024 * 1024;
const READ_CONNECTIONS = 4;
const KEPT_HEADERS = ['content-type', 'date', 'retry-after'] as const;

/**
 * HTTP/1.1 over undici. Reads share a few connections; anything else opens its own, which is
 * closed afterwards. Nothing is repeated and no redirect is followed. Rejects with a
 * `TransportError` alone.
 */
export function openTransport(options: TransportOptions = {}): OpenTransport {
  const shared = options.dispatcher ? injected(options.dispatcher) : sharedLine(options);
  return {
    transport: async (request) => {
      if (isRead(request) || options.dispatcher) return exchange(request, shared, options);
      const own = ownLine(new URL(request.url).origin, options);
      try {
        return await exchange(request, own, options);
      } finally {
        await own.dispatcher.destroy();
      }
    },
    close: () => (options.dispatcher ? Promise.resolve() : shared.dispatcher.close()),
  };
}

async function exchange(
  request: Request,
  line: Line,
  options: TransportOptions,
): Promise<Response> {
  const deadline = AbortSignal.timeout(deadlineOf(request, options));
  try {
    const answer = await send(request.url, {
      dispatcher: line.dispatcher,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: request.body ? Buffer.from(await request.arrayBuffer()) : null,
      signal: AbortSignal.any([request.signal, deadline]),
      reset: !isRead(request),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return complete(answer, await readBody(answer.body, options.maxBytes ?? MAX_BYTES));
  } catch (error) {
    const code = codeOf(error, { cancelled: request.signal.aborted, late: deadline.aborted });
    throw new TransportError(line.isUnsent(error) ? 'unsent' : 'sent', code, { cause: error });
  }
}

function isRead(request: Request): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

function deadlineOf(request: Request, options: TransportOptions): Milliseconds {
  return isRead(request)
    ? (options.readDeadlineMs ?? READ_DEADLINE_MS)
    : (options.postDeadlineMs ?? POST_DEADLINE_MS);
}

/**
 * Leaving the loop by an error closes the connection, so what is too large is not read to its
 * end. A body that does not end as its framing says is `CutShort`, whatever broke it.
 */
async function readBody(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBytes) throw new TooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof TooLarge ? error : new CutShort({ cause: error });
  }
  return Buffer.concat(chunks, size);
}

/** A status that the type cannot carry (999) throws here, and so counts as no answer. */
function complete(answer: Dispatcher.ResponseData, body: Uint8Array<ArrayBuffer>): Response {
  const headers = new Headers();
  for (const name of KEPT_HEADERS) {
    const value = answer.headers[name];
    if (typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)) headers.set(name, value);
  }
  const { statusCode: status } = answer;
  return new Response(body.length === 0 ? null : body, { status, headers });
}

/** Nothing is known about a foreign dispatcher, so every failure on it may have taken effect. */
function injected(dispatcher: Dispatcher): Line {
  return { dispatcher, isUnsent: () => false };
}

function sharedLine(options: TransportOptions): Line {
  const { connect, isUnsent } = witnessed(options);
  return { dispatcher: new Agent({ connect, connections: READ_CONNECTIONS }), isUnsent };
}

/** One connection for one request; pipelining 0 forbids keeping it. */
function ownLine(origin: string, options: TransportOptions): Line {
  const { connect, isUnsent } = witnessed(options);
  return { dispatcher: new Client(origin, { connect, pipelining: 0 }), isUnsent };
}

/**
 * A connector that remembers how connecting went. No byte of a request can leave before the
 * connector (name, socket, TLS) has handed over a socket: until then, or when the failure is
 * the connector's own, it is unsent.
 */
function witnessed(options: TransportOptions): {
  readonly connect: buildConnector.connector;
  isUnsent(error: unknown): boolean;
} {
  const connector = buildConnector({
    timeout: CONNECT_DEADLINE_MS,
    rejectUnauthorized: true,
    ...(options.ca && { ca: [...options.ca] }),
  });
  const failures = new WeakSet<Error>();
  let connected = false;
  return {
    connect: (target, callback) =>
      connector(target, (...outcome) => {
        if (outcome[0] === null) connected = true;
        else failures.add(outcome[0]);
        callback(...outcome);
      }),
    isUnsent: (error) => !connected || (error instanceof Error && failures.has(error)),
  };
}
