import { Agent, Client, type Dispatcher } from 'undici';
import { isRead } from '../../model/http.ts';
import {
  TransportError,
  type HttpAnswer,
  type HttpRequest,
  type Transport,
} from '../../model/ports.ts';
import type { Milliseconds } from '../../lib/time.ts';
import { createConnector, type Connector, type ConnectorOptions } from './connector.ts';
import { acceptEncoding, decompressed } from './decompress.ts';
import { passOverInformational } from './informational.ts';
import { failureCode, TruncatedAnswer, TooLarge, TooLate } from './transport-failure.ts';
import { proxyFor, type Environment, type Proxy } from './proxy.ts';

export interface TransportOptions {
  /** Certificates (PEM) trusted instead of the built-in ones. Verification cannot be turned off. */
  readonly ca?: readonly string[];
  /** The proxy variables; without them connections are direct. */
  readonly env?: Environment;
  /** Deadline of a read, from the start of the connection to the last byte. */
  readonly readDeadlineMs?: Milliseconds;
  readonly postDeadlineMs?: Milliseconds;
  /** The largest accepted answer, in bytes. */
  readonly maxBytes?: number;
}

interface HttpTransport {
  readonly transport: Transport;
  /** Closes every connection at once, active ones included. */
  close(): Promise<void>;
}

interface Connection {
  readonly dispatcher: Dispatcher;
  readonly connector: Connector;
}

const CONNECT_DEADLINE_MS = 10_000;
const READ_DEADLINE_MS = 60_000;
const POST_DEADLINE_MS = 20_000;
const MAX_BYTES = 10 * 1024 * 1024;
const READ_CONNECTIONS = 4;
const ANSWER_HEADERS = ['content-type', 'content-encoding', 'date', 'retry-after'] as const;

/**
 * An HTTP/1.1 transport over undici. Reads share a few connections; any other request opens its
 * own, which is then closed. It retries nothing, follows no redirect, and rejects only with a
 * `TransportError`.
 */
export function openTransport(options: TransportOptions = {}): HttpTransport {
  const shared = sharedLine(options);
  const open = new Set([shared]);
  return {
    transport: async (request) => {
      if (isRead(request)) return exchange(request, shared, options);
      const own = ownLine(new URL(request.url).origin, options);
      open.add(own);
      try {
        return await exchange(request, own, options);
      } finally {
        open.delete(own);
        await closeNow(own);
      }
    },
    close: async () => void (await Promise.all([...open].map(closeNow))),
  };
}

async function exchange(
  request: HttpRequest,
  { dispatcher, connector }: Connection,
  options: TransportOptions,
): Promise<HttpAnswer> {
  const { maxBytes = MAX_BYTES } = options;
  const deadlineMs = isRead(request)
    ? (options.readDeadlineMs ?? READ_DEADLINE_MS)
    : (options.postDeadlineMs ?? POST_DEADLINE_MS);
  try {
    const received = await receive(request, dispatcher, { deadlineMs, maxBytes });
    const { status, headers } = received;
    const encoding = String(headers['content-encoding'] ?? '');
    const body = await decompressed(received.body, encoding, maxBytes);
    return { status, headers: answerHeaders(headers), body };
  } catch (error) {
    const code = request.signal?.aborted ? 'cancelled' : failureCode(error);
    throw new TransportError(connector.isUnsent(error) ? 'unsent' : 'sent', code, { cause: error });
  }
}

type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

interface Received {
  readonly status: number;
  readonly headers: ReceivedHeaders;
  readonly body: Buffer<ArrayBuffer>;
}

/**
 * Sends a request and receives its answer to the last byte. A request that ends before it has a
 * connection is dropped when its turn comes; any other end closes its connection, so that an
 * oversized answer is not read to its end. An error after the status is a `TruncatedAnswer`.
 */
function receive(
  request: HttpRequest,
  dispatcher: Dispatcher,
  { deadlineMs, maxBytes }: { readonly deadlineMs: Milliseconds; readonly maxBytes: number },
): Promise<Received> {
  const { signal } = request;
  const { origin, pathname, search, hostname } = new URL(request.url);
  const method = request.method as Dispatcher.HttpMethod;
  const encodings = isRead(request) ? acceptEncoding(hostname) : undefined;
  const sent = {
    origin,
    path: pathname + search,
    method,
    headers: { ...request.headers, ...(encodings && { 'accept-encoding': encodings }) },
    body: request.body ?? null,
    reset: !isRead(request),
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  return new Promise<Received>((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let ended: Error | undefined;
    let head: Omit<Received, 'body'> | undefined;
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    };
    const end = (error: Error): void => {
      settle();
      reject(error);
      ended = error;
      controller?.abort(error);
    };
    const cancel = (): void => end(new Error('cancelled'));
    const timer = setTimeout(() => end(new TooLate()), deadlineMs).unref();
    signal?.addEventListener('abort', cancel);
    if (signal?.aborted) return cancel();
    dispatcher.dispatch(sent, {
      onRequestStart: (started) => {
        controller = started;
        if (ended) started.abort(ended);
      },
      onResponseStart: (_, status, headers) => {
        if (status >= 200) head = { status, headers };
      },
      onResponseData: (_, chunk) => {
        size += chunk.length;
        if (size > maxBytes) end(new TooLarge());
        else chunks.push(chunk);
      },
      onResponseEnd: () => {
        settle();
        if (!head || head.status > 599) reject(new Error('no answer has this status'));
        else resolve({ ...head, body: Buffer.concat(chunks, size) });
      },
      onResponseError: (_, error) => {
        settle();
        reject(head ? new TruncatedAnswer({ cause: error }) : error);
      },
    });
  });
}

/** The headers that are of use: printable, and given once. */
function answerHeaders(received: ReceivedHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of ANSWER_HEADERS) {
    const value = received[name];
    if (typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)) headers[name] = value;
  }
  return headers;
}

function sharedLine(options: TransportOptions): Connection {
  const connector = buildConnector(options);
  const { connect } = connector;
  return { dispatcher: new Agent({ connect, connections: READ_CONNECTIONS }), connector };
}

/** A connection for one request; pipelining 0 prevents keep-alive. */
function ownLine(origin: string, options: TransportOptions): Connection {
  const connector = buildConnector(options, passOverInformational);
  return {
    dispatcher: new Client(origin, { connect: connector.connect, pipelining: 0 }),
    connector,
  };
}

function buildConnector(
  { ca, env = {} }: TransportOptions,
  prepare?: ConnectorOptions['prepare'],
): Connector {
  const proxy = (origin: string): Proxy | undefined => proxyFor(origin, env);
  return createConnector({ ca, proxy, deadlineMs: CONNECT_DEADLINE_MS, prepare });
}

/** Closes everything at once, pending requests included. */
async function closeNow({ dispatcher, connector }: Connection): Promise<void> {
  connector.abandon();
  await dispatcher.destroy();
}
