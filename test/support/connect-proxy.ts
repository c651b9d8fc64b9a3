import { createServer as createPlain, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Pair } from './certificates.ts';

/** What a proxy does with a CONNECT: opens the way, answers with a status, or nothing of both. */
export type Verdict = 'open' | 'cut' | 'silent' | number;

export interface ConnectProxy {
  readonly port: number;
  /** What it was asked for, in order. */
  readonly asked: readonly { readonly authority: string; readonly authorization: string }[];
  /** What it does from now on; `open` at first. */
  verdict: Verdict;
  close(): Promise<void>;
}

/** A CONNECT proxy on loopback that leads every name to one local port. */
export async function startProxy(to: number, pair?: Pair): Promise<ConnectProxy> {
  const sockets = new Set<Duplex>();
  const asked: { authority: string; authorization: string }[] = [];
  const server: Server = pair ? createSecure(pair) : createPlain();
  const proxy = {
    port: 0,
    asked,
    verdict: 'open' as Verdict,
    close: () => closed(server, sockets),
  };
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    const authorization = request.headers['proxy-authorization'] ?? '';
    asked.push({ authority: request.url ?? '', authorization });
    client.on('error', () => undefined);
    const { verdict } = proxy;
    if (verdict === 'open') return lead(client, to, sockets);
    if (verdict === 'cut') client.destroy();
    else if (verdict !== 'silent')
      client.end(`HTTP/1.1 ${verdict} No\r\ncontent-length: 0\r\n\r\n`);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  proxy.port = (server.address() as AddressInfo).port;
  return proxy;
}

function lead(client: Duplex, port: number, sockets: Set<Duplex>): void {
  const service = connect(port, '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    service.pipe(client).pipe(service);
  });
  sockets.add(service);
  service.on('error', () => client.destroy()).on('close', () => client.destroy());
  client.on('close', () => service.destroy());
}

function closed(server: Server, sockets: ReadonlySet<Duplex>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((done) => server.close(() => done()));
}
