import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isBeforeBytes } from '../../../../src/api/transport/transport-failure.ts';
import { openTransport } from '../../../../src/api/transport/transport.ts';
import type { TransportError } from '../../../../src/model/ports.ts';
import { request } from '../../../support/http.ts';

/** What a system says of a connection that it cannot open, and of one that stands and breaks. */
const BOTH = [
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ECONNRESET',
  'ECONNREFUSED',
  'EADDRNOTAVAIL',
  'EPIPE',
  'ENOBUFS',
  'ENOMEM',
  'EACCES',
  'EPERM',
  'EMFILE',
  'EPROTO',
  'ERR_SSL_BAD_RECORD_MAC',
  'UND_ERR_CONNECT_TIMEOUT',
  'PROXY_502',
];

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

function broken(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A server, and the client's own sockets to it as they are made. */
async function rig(onSocket: (socket: Socket) => void, onBytes: () => void = () => undefined) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', onBytes);
    closers.push(() => void socket.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const hear = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    onSocket(socket);
  };
  subscribe('net.client.socket', hear);
  const { transport, close } = openTransport();
  closers.push(
    () => void server.close(),
    () => void close(),
    () => void unsubscribe('net.client.socket', hear),
  );
  const asked = request(`http://127.0.0.1:${port}/v1/tasks`, { method: 'POST', body: '{}' });
  return transport(asked).catch((error: TransportError) => [error.phase, error.code]);
}

describe('P11 a connection that stands and breaks', () => {
  it.each(BOTH)('%s after the request has left is sent', async (code) => {
    let own: Socket | undefined;
    const said = await rig(
      (socket) => (own = socket),
      () => own?.destroy(broken(code)),
    );
    expect(said).toEqual(['sent', code]);
  });

  it.each(BOTH)('%s once the connection has been handed over is sent', async (code) => {
    const said = await rig((socket) =>
      socket.once('connect', () => setImmediate(() => socket.destroy(broken(code)))),
    );
    expect(said).toEqual(['sent', code]);
  });
});

describe('P01 a connection that cannot be opened', () => {
  it.each(BOTH)('%s is unsent, and a code of before the bytes', async (code) => {
    const said = await rig((socket) => queueMicrotask(() => socket.destroy(broken(code))));
    expect(said).toEqual(['unsent', code]);
    expect(isBeforeBytes(code)).toBe(true);
  });

  it.each(['ENOSPC', 'EIO', 'EBADF', 'ERR_STREAM_DESTROYED', 'UND_ERR_SOCKET', 'failed'])(
    '%s is no such code',
    (code) => expect(isBeforeBytes(code)).toBe(false),
  );
});
