import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/shell/clock.ts';
import { createTwin, type Twin } from '../../src/twin/twin.ts';
import {
  createPlace,
  failureOf,
  PATIENCE,
  type Env,
  type Failure,
  type Place,
} from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';
import { createAuthority } from '../support/certificates.ts';
import { startProxy, type ConnectProxy } from '../support/connect-proxy.ts';

const HOST = 'api.fleet.test';
const PASSWORD = 'canary-of-the-proxy';
const authority = createAuthority();
const twin: Twin = createTwin({ clock: systemClock, devices: 60, timeScale: 1200 });

/** The requests of each connection: the port of the client, and what it asked. */
const served = new Map<number, string[]>();
let service: Server;
let proxy: ConnectProxy;

beforeAll(async () => {
  service = createServer(authority.issue({ names: [HOST] }), (request, response) => {
    const { method = '', url = '', headers } = request;
    const port = request.socket.remotePort ?? 0;
    served.set(port, [...(served.get(port) ?? []), `${method} ${url}`]);
    void text(request).then(async (body) => {
      const { authorization = '' } = headers;
      const init = { method, headers: { authorization }, ...(method === 'POST' && { body }) };
      const answer = await twin.handle(new Request(`https://${HOST}${url}`, init));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    });
  });
  await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready));
  proxy = await startProxy((service.address() as AddressInfo).port);
});
afterAll(async () => {
  await proxy.close();
  service.closeAllConnections();
  await new Promise((done) => service.close(done));
});

/** A place whose service stands behind the proxy, under a certificate of the company itself. */
function behind(place: Place): Env {
  place.write('company.pem', authority.cert);
  const [admin] = twin.users;
  return {
    FLEETFORM_BASE_URL: `https://${HOST}`,
    FLEETFORM_CLIENT_ID: admin?.clientId ?? '',
    FLEETFORM_CLIENT_SECRET: admin?.clientSecret ?? '',
    HTTPS_PROXY: `http://me:${PASSWORD}@127.0.0.1:${proxy.port}`,
    NODE_EXTRA_CA_CERTS: place.path('company.pem'),
  };
}

describe('in the network of a company', PATIENCE, () => {
  it('a whole rollout goes through the proxy, every POST in a tunnel of its own', async () => {
    using place = createPlace();
    const env = behind(place);
    const planned = await place.run('plan -o p.json --trace t.ndjson', env);
    const applied = await place.run('apply p.json --yes --trace t.ndjson', env);
    expect([planned.code, planned.err, applied.code], applied.err).toEqual([
      0,
      planned.err,
      applied.code,
    ]);
    const posts = [...served.values()].filter((one) => one.includes('POST /v1/tasks'));
    expect(posts.length).toBeGreaterThan(0);
    expect(posts.every((one) => one.length === 1)).toBe(true);
    expect(new Set(proxy.asked.map((one) => one.authority))).toEqual(new Set([`${HOST}:443`]));
    const records = JSON.stringify(place.ledger());
    const said = [planned, applied].map(({ out, err }) => out + err).join('');
    for (const written of [said, records, place.read('t.ndjson'), place.read('p.json')]) {
      expect(written).not.toContain(PASSWORD);
      expect(written).not.toContain(Buffer.from(`me:${PASSWORD}`).toString('base64'));
    }
  });

  it.each([
    ['without its certificate', { NODE_EXTRA_CA_CERTS: '' }, 'tlsFailed'],
    ['past the proxy', { NO_PROXY: '.fleet.test' }, 'unreachable'],
    ['with a proxy that is none', { HTTPS_PROXY: `socks5://me:${PASSWORD}@x:1` }, 'proxyUnusable'],
    ['with verification off', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'verificationOff'],
  ])('nothing is asked %s', async (_, change, code) => {
    using place = createPlace();
    const before = [...served.values()].flat().length;
    const said = await place.run('plan --format json', { ...behind(place), ...change });
    const { error } = JSON.parse(said.out) as Pick<Failure, 'error'>;
    expect(error.code).toBe(code);
    expect(error.next).not.toBe('');
    expect(said.out + said.err).not.toContain(PASSWORD);
    expect([...served.values()].flat().length).toBe(before);
  });

  it('a proxy that refuses is said, with its status', async () => {
    using place = createPlace();
    proxy.verdict = 407;
    const { error, text: said } = await failureOf(place, 'plan', behind(place)).finally(() => {
      proxy.verdict = 'open';
    });
    expect([error.code, said.code]).toEqual(['proxyRefused', 1]);
    expect(said.err).toContain('407');
    expect(said.err).not.toContain(PASSWORD);
  });

  it('a twin on loopback is reached directly', async () => {
    using place = createPlace();
    const { as } = await startTwin(place, { devices: 20 });
    const before = proxy.asked.length;
    const { HTTPS_PROXY = '' } = behind(place);
    const env = { ...as('admin'), HTTPS_PROXY, HTTP_PROXY: HTTPS_PROXY };
    const { code, err } = await place.run('plan', env);
    expect([code, proxy.asked.length], err).toEqual([0, before]);
  });
});
