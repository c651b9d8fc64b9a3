import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import { createAuthority, type Authority, type Pair } from './certificates.ts';
import type { Act, Tls, WireFault } from './wire-faults.ts';

/** A service that gives a token over its first connection and then fails as it is told. */
export interface WireServer {
  readonly url: string;
  /** How often a text was received, over all connections. */
  count(text: string): number;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const authority = createAuthority();
const stranger = createAuthority('Stranger');

/** What a client has to trust for rows with TLS. */
export const TRUSTED: Authority = authority;

const TOKEN = JSON.stringify({ access_token: 'token', expires_in: 3600 });

export async function startWireServer(fault: WireFault): Promise<WireServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((raw) => {
    const nth = received.push('') - 1;
    sockets.add(raw);
    raw.on('error', () => undefined);
    if (nth === 0) return giveToken(secured(raw, fault.tls && 'good'), () => afterToken());
    const socket = secured(raw, fault.tls);
    if (socket) fail(socket, fault, (text) => (received[nth] += text));
  });
  const afterToken = (): void => {
    if (fault.gone) server.close();
  };
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: fault.tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    count: (text) => received.join('\n').split(text).length - 1,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

function giveToken(socket: Socket | undefined, then: () => void): void {
  socket?.on('error', () => undefined);
  socket?.once('data', () => {
    const headers = `content-type: application/json\r\ncontent-length: ${TOKEN.length}\r\n`;
    then();
    socket.end(`HTTP/1.1 200 OK\r\n${headers}connection: close\r\n\r\n${TOKEN}`);
  });
}

function fail(socket: Socket, fault: WireFault, hear: (text: string) => void): void {
  const { at = 'request', acts = [] } = fault;
  let text = '';
  let done = false;
  const act = (): void => {
    if (done) return;
    done = true;
    for (const one of acts) perform(socket, one);
  };
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    hear(chunk.toString('latin1'));
    if (at === 'byte' || (at === 'request' && isWhole(text))) act();
  });
  if (at === 'connect') act();
}

function isWhole(text: string): boolean {
  const [head, body] = text.split('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(head ?? '')?.[1];
  return body !== undefined && body.length >= Number(length ?? 0);
}

function perform(socket: Socket, act: Act): void {
  if ('write' in act) {
    for (let nth = 0; nth < (act.times ?? 1); nth += 1) socket.write(act.write, 'latin1');
    return;
  }
  if ('trickle' in act) {
    const timer = setInterval(() => socket.write(act.trickle), 5);
    socket.on('close', () => clearInterval(timer));
    return;
  }
  if (act.do === 'deaf') socket.pause();
  else if (act.do === 'reset') rawOf(socket).resetAndDestroy();
  else if (act.do === 'halfClose') socket.end();
  else socket.end(() => socket.destroySoon());
}

const RAW = new WeakMap<Socket, Socket>();

function rawOf(socket: Socket): Socket {
  return RAW.get(socket) ?? socket;
}

/** The socket that speaks HTTP, or undefined where it never comes to that. */
function secured(raw: Socket, tls: Tls | undefined): Socket | undefined {
  if (tls === undefined) return raw;
  const before = PREVENTED[tls];
  if (before) {
    before(raw);
    return undefined;
  }
  const secure = new TLSSocket(raw, { isServer: true, secureContext: contextOf(tls) });
  RAW.set(secure, raw);
  secure.on('error', () => undefined);
  return secure;
}

const PREVENTED: Readonly<Partial<Record<Tls, (raw: Socket) => void>>> = {
  cut: (raw) => raw.once('data', () => raw.resetAndDestroy()),
  silent: (raw) => raw.resume(),
  garbage: (raw) => raw.once('data', () => raw.write('\x01\x02\x03 this is no TLS at all')),
  plain: (raw) => raw.once('data', () => raw.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  alert: (raw) => raw.once('data', () => raw.end(Buffer.from('15030300020228', 'hex'))),
};

const ISSUED: Readonly<Partial<Record<Tls, () => Pair>>> = {
  unknownAuthority: () => stranger.issue(),
  expired: () => authority.issue({ until: new Date(Date.now() - HOUR_MS) }),
  notYet: () => authority.issue({ from: new Date(Date.now() + HOUR_MS) }),
  otherHost: () => authority.issue({ names: ['elsewhere.example'] }),
};

function contextOf(tls: Tls): SecureContext {
  return createSecureContext(ISSUED[tls]?.() ?? authority.issue());
}
