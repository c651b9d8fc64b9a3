import { request as plainRequest, type ClientRequest } from 'node:http';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Milliseconds } from '../../lib/time.ts';
import type { Proxy } from './proxy.ts';

export interface ConnectorOptions {
  /** Certificates (PEM) trusted instead of those of Node and `NODE_EXTRA_CA_CERTS`. */
  readonly ca?: readonly string[] | undefined;
  /** The proxy for an origin; undefined for a direct connection. */
  readonly proxy: (origin: string) => Proxy | undefined;
  readonly deadlineMs: Milliseconds;
  /** Prepares an open socket before its first request. */
  readonly prepare?: ((socket: Socket) => void) | undefined;
}

/** Opens connections, and records failures before the first byte. */
export interface Connector {
  readonly connect: buildConnector.connector;
  /**
   * Whether an error provably occurred before the first byte of a request: no byte can leave before
   * a socket (name, proxy, TLS) is ready.
   */
  isUnsent(error: unknown): boolean;
  /** Aborts connections that are being opened. */
  abandon(): void;
}

/** A proxy that refused CONNECT; the code contains its status. */
class ProxyRefusal extends Error {
  override readonly name = 'ProxyRefusal';
  readonly code: string;

  constructor(status: number) {
    super(`the proxy refused with ${status}`);
    this.code = `PROXY_${status}`;
  }
}

class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';
  readonly code = 'UND_ERR_CONNECT_TIMEOUT';
}

/**
 * Creates sockets for undici, direct or through a proxy's CONNECT, encrypted to the origin in both
 * cases and always verified, whatever the environment says.
 */
export function createConnector(options: ConnectorOptions): Connector {
  const failures = new WeakSet<Error>();
  const opening = new Set<AbortController>();
  let connected = false;
  return {
    connect: (target, whenOpen) => {
      const ending = new AbortController();
      opening.add(ending);
      const late = AbortSignal.timeout(options.deadlineMs);
      late.addEventListener('abort', () => ending.abort(new ConnectTimeout('too late')));
      void attempt(opened(target, options, ending.signal)).then((outcome) => {
        opening.delete(ending);
        if (outcome instanceof Error) failures.add(outcome);
        else {
          connected = true;
          options.prepare?.(outcome);
        }
        // Outside the promise, so that an exception of the callback does not become a rejection.
        queueMicrotask(() =>
          outcome instanceof Error ? whenOpen(outcome, null) : whenOpen(null, outcome),
        );
      });
    },
    isUnsent: (error) => !connected || (error instanceof Error && failures.has(error)),
    abandon: () => {
      for (const ending of opening) ending.abort(new Error('abandoned'));
    },
  };
}

function attempt<T>(work: Promise<T>): Promise<T | Error> {
  return work.catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
}

async function opened(
  { hostname, port, protocol, servername }: buildConnector.Options,
  { ca, proxy }: ConnectorOptions,
  signal: AbortSignal,
): Promise<Socket | TLSSocket> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isEncrypted = protocol === 'https:';
  const target = { host, port: Number(port || (isEncrypted ? 443 : 80)) };
  const way = proxy(`${protocol}//${hostname}:${target.port}`);
  const socket = way ? await tunnel(way, target, { ca, signal }) : undefined;
  if (!isEncrypted) return ready(connectPlain(target), 'connect', signal);
  const trust = tlsOptions(servername ?? host, ca);
  const secure = connectTls(socket ? { ...trust, socket } : { ...trust, ...target });
  return ready(secure, 'secureConnect', signal);
}

interface Way {
  readonly ca: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/** A connection through the proxy to the target; any status but 2xx is a refusal. */
async function tunnel(proxy: Proxy, { host, port }: Place, { ca, signal }: Way): Promise<Socket> {
  const { isEncrypted, authorization } = proxy;
  const place = { host: proxy.host, port: proxy.port };
  const hop = isEncrypted
    ? await ready(connectTls({ ...tlsOptions(proxy.host, ca), ...place }), 'secureConnect', signal)
    : await ready(connectPlain(place), 'connect', signal);
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const headers = {
    host: authority,
    ...(authorization && { 'proxy-authorization': authorization }),
  };
  const request = plainRequest({
    method: 'CONNECT',
    path: authority,
    headers,
    createConnection: () => hop,
  });
  try {
    return await answered(request, signal);
  } catch (error) {
    hop.destroy();
    throw error;
  }
}

function answered(request: ClientRequest, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    request.once('error', reject);
    request.once('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      signal.removeEventListener('abort', onAbort);
      if (statusCode < 200 || statusCode > 299) return reject(new ProxyRefusal(statusCode));
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    request.end();
  });
}

/** Resolves when a socket is ready; destroys it on failure or abort. */
function ready<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', settle).off('close', onClose).off(event, onReady);
      if (error === undefined) return resolve(socket);
      socket.on('error', () => undefined).destroy();
      reject(error);
    };
    const onReady = (): void => settle();
    const onAbort = (): void => settle(signal.reason as Error);
    const onClose = (): void => settle(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('error', settle).once('close', onClose).once(event, onReady).setNoDelay(true);
  });
}

/** HTTP/1.1 over TLS to a host; an IP address has no server name. */
function tlsOptions(host: string, ca: readonly string[] | undefined): ConnectionOptions {
  const isAddress = /^[\d.]+$|:/.test(host);
  return {
    host,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(!isAddress && { servername: host }),
    ...(ca && { ca: [...ca] }),
  };
}
