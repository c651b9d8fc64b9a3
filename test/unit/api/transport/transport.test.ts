import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openTransport, type TransportOptions } from '../../../../src/api/transport/transport.ts';
import { bodyText } from '../../../../src/model/http.ts';
import { request } from '../../../support/http.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A server that treats the bytes of a connection as it likes, and keeps what each was sent. */
async function raw(onData: (socket: Socket, text: string) => void) {
  const connections: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    const nth = connections.push('') - 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      connections[nth] += chunk.toString();
      onData(socket, connections[nth] ?? '');
    });
  });
  const url = await listen(server);
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  return { url, connections };
}

async function listen(server: Server | HttpServer): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

function open(options: TransportOptions = {}) {
  const { transport, close } = openTransport(options);
  closers.push(close);
  return transport;
}

const post = (url: string, body = '{"a":1}') =>
  request(`${url}/v1/tasks`, { method: 'POST', body });
const ok = (body: string) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n` +
  `content-length: ${body.length}\r\n\r\n${body}`;

describe('a request over sockets', () => {
  it('brings back status, headers and body', async () => {
    const { url } = await raw((socket) => socket.write(ok('{"a":1}')));
    const response = await open()(request(`${url}/x`));
    expect(response.status).toBe(200);
    expect(bodyText(response)).toBe('{"a":1}');
    expect(response.headers).toEqual({ 'content-type': 'application/json' });
  });

  it('is not sent when nobody listens', async () => {
    const server = createServer();
    const url = await listen(server);
    await new Promise((done) => server.close(done));
    for (const asked of [request(url), post(url)]) {
      await expect(open()(asked)).rejects.toMatchObject({
        phase: 'unsent',
        code: 'ECONNREFUSED',
      });
    }
  });

  it('is not sent when the name is unknown', async () => {
    const failure = await open()(post('http://no-such-host.invalid')).catch((error) => error);
    expect(failure).toMatchObject({ phase: 'unsent' });
    expect(failure.code).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
  });

  it('may have been sent when the connection breaks after it', async () => {
    const { url, connections } = await raw((socket) => socket.resetAndDestroy());
    await expect(open()(post(url))).rejects.toMatchObject({ phase: 'sent' });
    expect(connections).toHaveLength(1);
  });

  it.each([
    ['in the headers', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['in the body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"taskId":"t-1"'],
    ['in a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\n{"taskId"'],
  ])('has no answer when it is cut %s', async (_, text) => {
    const { url } = await raw((socket) => socket.end(text));
    await expect(open()(post(url))).rejects.toMatchObject({ phase: 'sent' });
  });

  it('has no answer when none comes in time', async () => {
    const { url } = await raw(() => undefined);
    // Long enough to connect on a busy machine: only then the POST counts as sent.
    const transport = open({ postDeadlineMs: 2_000, readDeadlineMs: 60 });
    await expect(transport(post(url))).rejects.toMatchObject({ phase: 'sent', code: 'timedOut' });
    await expect(transport(request(url))).rejects.toMatchObject({ code: 'timedOut' });
  });

  it('is not sent when the time is over before the connection stands', async () => {
    const { url, connections } = await raw(() => undefined);
    const asked = post(url.replace('http:', 'https:'));
    await expect(open({ postDeadlineMs: 60 })(asked)).rejects.toMatchObject({
      phase: 'unsent',
      code: 'timedOut',
    });
    expect(connections.join('')).not.toContain('POST');
  });

  it('has no answer when the body trickles past the deadline', async () => {
    const { url } = await raw((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'),
    );
    const answer = open({ readDeadlineMs: 60 })(request(url));
    await expect(answer).rejects.toMatchObject({ code: 'timedOut' });
  });

  it('ends when it is cancelled', async () => {
    const { url } = await raw(() => undefined);
    const stop = new AbortController();
    const answer = open()(request(url, { signal: stop.signal }));
    stop.abort();
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('reads no more than the cap', async () => {
    const { url } = await raw((socket) => socket.write(ok('x'.repeat(5_000))));
    const transport = open({ maxBytes: 4_999 });
    await expect(transport(request(url))).rejects.toMatchObject({ code: 'tooLarge' });
    const { url: endless } = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const pump = (): boolean => socket.destroyed || socket.write('x'.repeat(1_000), pump);
      pump();
    });
    await expect(transport(request(endless))).rejects.toMatchObject({ code: 'tooLarge' });
  });

  it('returns a redirect and goes nowhere', async () => {
    const other = await raw((socket) => socket.write(ok('{}')));
    const { url } = await raw((socket) =>
      socket.write(`HTTP/1.1 302 Found\r\nlocation: ${other.url}/\r\ncontent-length: 0\r\n\r\n`),
    );
    expect((await open()(request(url))).status).toBe(302);
    expect(other.connections).toHaveLength(0);
  });

  it.each([204, 304])('takes a %i without a body', async (status) => {
    const { url } = await raw((socket) => socket.write(`HTTP/1.1 ${status} X\r\n\r\n`));
    const response = await open()(request(url));
    expect([response.status, bodyText(response)]).toEqual([status, '']);
  });

  it('takes a status that no answer can have for none', async () => {
    const { url } = await raw((socket) =>
      socket.write('HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n'),
    );
    await expect(open()(post(url))).rejects.toMatchObject({ phase: 'sent' });
  });
});

describe('a POST', () => {
  it('is written once, on a connection of its own that is closed after it', async () => {
    const server = createHttpServer((_, response) => response.end('{}'));
    const ports = new Set<number>();
    let connections = 0;
    let ended = 0;
    server.on('connection', (socket) => {
      connections += 1;
      ports.add(socket.remotePort ?? 0);
      socket.on('close', () => (ended += 1));
    });
    const url = await listen(server);
    const transport = open();
    for (let nth = 0; nth < 3; nth += 1) await transport(post(url));
    await new Promise((done) => server.close(done));
    expect(connections).toBe(3);
    expect(ended).toBe(3);
  });

  it('says that it wants no second request on its connection', async () => {
    const { url, connections } = await raw((socket, text) => {
      if (text.includes('{"a":1}')) socket.write(ok('{"taskId":"t-1"}'));
    });
    await open()(post(url));
    expect(connections).toHaveLength(1);
    expect(connections[0]?.match(/POST \/v1\/tasks/g)).toHaveLength(1);
    expect(connections[0]).toMatch(/connection: close/i);
  });

  it('appears once on the wire whatever happens to it', async () => {
    const { url, connections } = await raw((socket, text) => {
      if (text.includes('{"a":1}')) socket.resetAndDestroy();
    });
    await open()(post(url)).catch(() => undefined);
    await new Promise((done) => setImmediate(done));
    expect(connections.join('').match(/POST /g)).toHaveLength(1);
  });
});
