import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { acceptEncoding, decompressed } from '../../../../src/api/transport/decompress.ts';
import { openTransport } from '../../../../src/api/transport/transport.ts';
import { bodyText } from '../../../../src/model/http.ts';
import { request } from '../../../support/http.ts';

const MAX = 10 * 1024 * 1024;
const TEXT = JSON.stringify({ devices: Array.from({ length: 500 }, (_, id) => ({ id })) });
const bytesOf = (data: Uint8Array | string) => Uint8Array.from(Buffer.from(data));
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('a packed answer', () => {
  it.each([
    ['gzip', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['GZIP', gzipSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
    ['identity', Buffer.from(TEXT)],
    [undefined, Buffer.from(TEXT)],
  ])('as %s is unpacked', async (encoding, packed) => {
    const found = await decompressed(bytesOf(packed), encoding, MAX);
    expect(Buffer.from(found).toString()).toBe(TEXT);
  });

  it.each([
    ['is cut', 'gzip', gzipSync(TEXT).subarray(0, 40)],
    ['is no such thing', 'gzip', Buffer.from(TEXT)],
    ['is of a kind that nobody asked for', 'zstd', Buffer.from(TEXT)],
    ['is named like a member of every object', '__proto__', Buffer.from(TEXT)],
    ['is packed three times', 'gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(TEXT)))],
  ])('that %s is no complete answer', async (_, encoding, packed) => {
    await expect(decompressed(bytesOf(packed), encoding, MAX)).rejects.toMatchObject({
      name: 'CutShort',
    });
  });

  it('that is a bomb is too large, by its size and by its ratio', async () => {
    const bomb = bytesOf(gzipSync(Buffer.alloc(2 * MAX)));
    await expect(decompressed(bomb, 'gzip', MAX)).rejects.toMatchObject({ name: 'TooLarge' });
    const small = bytesOf(brotliCompressSync(Buffer.alloc(MAX / 2)));
    await expect(decompressed(small, 'br', MAX)).rejects.toMatchObject({ name: 'TooLarge' });
  });
});

describe('what is asked for', () => {
  it.each(['http://127.0.0.1:8080/v1', 'http://localhost/v1', 'http://[::1]:1/'])(
    'is a plain answer at %s',
    (url) => expect(acceptEncoding(new URL(url).hostname)).toBeUndefined(),
  );

  it('is a packed one everywhere else', () => {
    expect(acceptEncoding('api.example.com')).toBe('gzip, br, deflate');
  });
});

describe('over sockets', () => {
  it('a packed answer comes unpacked, to a POST as well; one that breaks may have been done', async () => {
    const server = createServer(({ url = '' }, response) => {
      const packed = url.endsWith('broken') ? Buffer.from('no gzip') : gzipSync(TEXT);
      response.setHeader('content-encoding', 'gzip').end(packed);
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    closers.push(() => new Promise((done) => server.close(done)));
    const { transport, close } = openTransport();
    closers.unshift(close);
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(bodyText(await transport(request(base)))).toBe(TEXT);
    const post = (path: string) => request(`${base}/${path}`, { method: 'POST', body: '{}' });
    expect(bodyText(await transport(post('tasks')))).toBe(TEXT);
    await expect(transport(post('broken'))).rejects.toMatchObject({ phase: 'sent', code: 'cut' });
  });
});
