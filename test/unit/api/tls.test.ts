import { createServer as createPlainServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTransport } from '../../../src/api/transport/transport.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { request } from '../../support/http.ts';

let server: Server;
let url = '';
let requests = 0;

beforeAll(async () => {
  server = createServer(selfSigned, (_, response) => {
    requests += 1;
    response.end('{}');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  url = `https://localhost:${typeof address === 'object' ? address?.port : ''}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

describe('TLS', () => {
  it('that cannot be trusted ends a request before its first byte', async () => {
    const { transport, close } = openTransport();
    for (const method of ['GET', 'POST']) {
      await expect(transport(request(url, { method }))).rejects.toMatchObject({
        phase: 'unsent',
        code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      });
    }
    expect(requests).toBe(0);
    await close();
  });

  it('is verified even where the environment says otherwise', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const { transport, close } = openTransport();
    try {
      await expect(transport(request(url))).rejects.toMatchObject({ phase: 'unsent' });
      expect(requests).toBe(0);
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      await close();
    }
  });

  it('trusts an authority that it was given, for its own host alone', async () => {
    const { transport, close } = openTransport({ ca: [selfSigned.cert] });
    expect((await transport(request(url))).status).toBe(200);
    const elsewhere = url.replace('localhost', '127.0.0.1');
    await expect(transport(request(elsewhere))).rejects.toMatchObject({
      phase: 'unsent',
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    await close();
  });

  it('with a server that speaks none ends a request before its first byte', async () => {
    const plain = createPlainServer((_, response) => response.end('{}'));
    await new Promise<void>((ready) => plain.listen(0, '127.0.0.1', ready));
    const address = plain.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { transport, close } = openTransport();
    const asked = request(`https://127.0.0.1:${port}/`, { method: 'POST' });
    await expect(transport(asked)).rejects.toMatchObject({
      phase: 'unsent',
      code: 'ERR_SSL_WRONG_VERSION_NUMBER',
    });
    await close();
    await new Promise((done) => plain.close(done));
  });
});
