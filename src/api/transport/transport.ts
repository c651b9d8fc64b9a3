import { Agent, Client, request as send, type Dispatcher } from 'undici';
import { TransportError, type Transport } from '../../model/ports.ts';
import type { Milliseconds } from '../../lib/time.ts';
import { BufferedAnswer } from './buffered-answer.ts';
import { createConnector, type Connector, type ConnectorOptions } from './connector.ts';
import { acceptEncoding, decompressed } from './decompress.ts';
import { passOverInformational } from './informational.ts';
import { failureCode, TruncatedAnswer, TooLarge } from './transport-failure.ts';
import { proxyFor, type Environment, type Proxy } from './proxy.ts';
import { ownSignal, untilAborted } from './until.ts';
import { requestUrl } from '../wire.ts';

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
  request: Request,
  line: Connection,
  options: TransportOptions,
): Promise<Response> {
  const own = ownSignal(request.signal, responseDeadline(request, options));
  const { signal } = own;
  try {
    // Before it is connected, undici ignores the signal.
    return await untilAborted(sendRequest(request, line, { ...options, signal }), signal);
  } catch (error) {
    const code = failureCode(error, { cancelled: request.signal.aborted, late: own.isLate });
    const phase = line.connector.isUnsent(error) ? 'unsent' : 'sent';
    throw new TransportError(phase, code, { cause: error });
  } finally {
    own.release();
  }
}

async function sendRequest(
  request: Request,
  line: Connection,
  { signal, maxBytes = MAX_BYTES }: TransportOptions & { readonly signal: AbortSignal },
): Promise<Response> {
  const answer = await send(request.url, {
    dispatcher: line.dispatcher,
    method: request.method,
    headers: requestHeaders(request),
    body: request.body ? Buffer.from(await request.arrayBuffer()) : null,
    signal,
    reset: !isRead(request),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const body = await readBody(answer.body, maxBytes);
  const encoding = answer.headers['content-encoding'];
  const named = Array.isArray(encoding) ? encoding.join(',') : encoding;
  return complete(answer, await decompressed(body, named, maxBytes));
}

function requestHeaders(request: Request): Record<string, string> {
  const encodings = isRead(request) ? acceptEncoding(requestUrl(request).hostname) : undefined;
  const headers = Object.fromEntries(request.headers);
  return encodings === undefined ? headers : { ...headers, 'accept-encoding': encodings };
}

function isRead(request: Request): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

function responseDeadline(request: Request, options: TransportOptions): Milliseconds {
  return isRead(request)
    ? (options.readDeadlineMs ?? READ_DEADLINE_MS)
    : (options.postDeadlineMs ?? POST_DEADLINE_MS);
}

/**
 * An error in the loop closes the connection, so that an oversized answer is not read to its end. A
 * body with the wrong length is a `TruncatedAnswer`, whatever caused it.
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
    throw error instanceof TooLarge ? error : new TruncatedAnswer({ cause: error });
  }
  return Buffer.concat(chunks, size);
}

/** A status outside the range of `Response` (999) throws here, and so counts as no answer. */
function complete(answer: Dispatcher.ResponseData, body: Uint8Array<ArrayBuffer>): Response {
  const headers = new Headers();
  for (const name of ANSWER_HEADERS) {
    const value = answer.headers[name];
    if (typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)) headers.set(name, value);
  }
  const { statusCode: status } = answer;
  const received = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return new BufferedAnswer(received, { status, headers });
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
