import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/shell/clock.ts';
import { createTwin, type Twin } from '../../src/twin/twin.ts';
import { createPlace, PATIENCE, type Env } from '../support/blackbox.ts';
import { createAuthority } from '../support/certificates.ts';
import { startProxy, type ConnectProxy } from '../support/connect-proxy.ts';

const HOST = 'api.fleet.test';
const MEGABYTE = 1024 * 1024;
const authority = createAuthority();
const twin: Twin = createTwin({ clock: systemClock, devices: 60, timeScale: 1200 });
const place = createPlace();

/** How the service packs the list of devices; everything else is plain. */
type Pack = (body: string) => { readonly encoding: string; readonly bytes: Buffer };

const GZIP: Pack = (body) => ({ encoding: 'gzip', bytes: gzipSync(body) });
const BROTLI: Pack = (body) => ({ encoding: 'br', bytes: brotliCompressSync(body) });
const bomb = (size: number, pack: (bytes: Buffer) => Buffer, encoding: string): Pack => {
  const bytes = pack(Buffer.alloc(size, ' '));
  return () => ({ encoding, bytes });
};

let pack: Pack = GZIP;
/** Bytes at a time. */
let atOnce = Infinity;
/** What reads of devices were asked to accept. */
const accepted: (string | undefined)[] = [];
const servers: Server[] = [];
let proxy: ConnectProxy;
let plain: Server;

beforeAll(async () => {
  const secure = createSecure(authority.issue({ names: [HOST] }), serve);
  plain = createPlain(serve);
  for (const server of [secure, plain]) {
    servers.push(server);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  }
  proxy = await startProxy((secure.address() as AddressInfo).port);
});
afterAll(async () => {
  await proxy.close();
  for (const server of servers) await new Promise((done) => server.close(done));
  place[Symbol.dispose]();
});

function serve(request: IncomingMessage, response: ServerResponse): void {
  const { method = '', url = '', headers } = request;
  void text(request).then(async (body) => {
    const { authorization = '' } = headers;
    const init = { method, headers: { authorization }, ...(method === 'POST' && { body }) };
    const answer = await twin.handle(new Request(`https://${HOST}${url}`, init));
    const said = await answer.text();
    if (!url.startsWith('/v1/devices?')) {
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(said);
      return;
    }
    accepted.push(headers['accept-encoding'] as string | undefined);
    const { encoding, bytes } = pack(said);
    const type = answer.headers.get('content-type') ?? '';
    response.writeHead(200, { 'content-type': type, 'content-encoding': encoding });
    dribble(response, bytes);
  });
}

/** Each piece goes out when the one before has left. */
function dribble(response: ServerResponse, bytes: Buffer, from = 0): void {
  if (from >= bytes.length || response.destroyed) return void response.end();
  const to = Math.min(bytes.length, from + atOnce);
  response.write(bytes.subarray(from, to), () => dribble(response, bytes, to));
}

const [admin] = twin.users;
const user: Env = {
  FLEETFORM_CLIENT_ID: admin?.clientId ?? '',
  FLEETFORM_CLIENT_SECRET: admin?.clientSecret ?? '',
};

/** A service of another name, behind a proxy: a line that may be slow. */
function far(): Env {
  place.write('company.pem', authority.cert);
  return {
    ...user,
    FLEETFORM_BASE_URL: `https://${HOST}`,
    HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
    NODE_EXTRA_CA_CERTS: place.path('company.pem'),
  };
}

function near(): Env {
  const { port } = plain.address() as AddressInfo;
  return { ...user, FLEETFORM_BASE_URL: `http://127.0.0.1:${port}` };
}

async function readAll(env: Env, how: Pack, size = Infinity) {
  pack = how;
  atOnce = size;
  accepted.length = 0;
  return place.run('get devices -o ndjson', env);
}

describe('packed answers over real connections', PATIENCE, () => {
  it.each([
    ['gzip', GZIP, Infinity],
    ['br', BROTLI, Infinity],
    ['gzip by seven bytes', GZIP, 7],
    ['br by seven bytes', BROTLI, 7],
  ])('are asked for on a line that may be slow, and read: %s', async (_, how, size) => {
    const { code, out, err } = await readAll(far(), how, size);
    expect([code, err]).toEqual([0, '']);
    expect(out.trimEnd().split('\n')).toHaveLength(60);
    expect(new Set(accepted)).toEqual(new Set(['gzip, br, deflate']));
  });

  it('are not asked for on loopback, and read all the same', async () => {
    const { code, out } = await readAll(near(), GZIP);
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, 60]);
    expect(new Set(accepted)).toEqual(new Set([undefined]));
  });

  it.each([
    ['of 200 MB in gzip', bomb(200 * MEGABYTE, gzipSync, 'gzip')],
    ['of 200 MB in br', bomb(200 * MEGABYTE, brotliCompressSync, 'br')],
    ['packed twice', bomb(200 * MEGABYTE, (bytes) => gzipSync(gzipSync(bytes)), 'gzip, gzip')],
    ['below the size, and over the ratio', bomb(5 * MEGABYTE, brotliCompressSync, 'br')],
  ])('that are a bomb %s are refused with their reason', async (_, how) => {
    const { code, out, err } = await readAll(far(), how);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('error[tooLarge]');
  });
});
