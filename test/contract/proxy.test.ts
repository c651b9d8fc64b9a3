import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../src/api/client.ts';
import { openTransport } from '../../src/api/transport/transport.ts';
import { classify } from '../../src/apply/send/answer-outcome.ts';
import { systemClock } from '../../src/shell/clock.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import { createAuthority, type Pair } from '../support/certificates.ts';
import { startProxy, type ConnectProxy, type Verdict } from '../support/connect-proxy.ts';
import { CLIENT_SECRETS, JOB_TOKEN } from '../support/canary.ts';
import { watchedTrace } from '../support/canary-watch.ts';

const authority = createAuthority();
const BATCH = { size: 1, deviceIds: ['dev-1'] };
const HTML = '<html><body>upstream is down</body></html>';

/** What the service, or a gateway in front of it, says to a task POST. */
interface Says {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}
const ACCEPTED: Says = { status: 200, type: 'application/json', text: '{"taskId":"t-1"}' };

let service: Server;
let posts: number[] = [];
let says: Says | 'reset' = ACCEPTED;
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  says = ACCEPTED;
  posts = [];
  service = createServer(authority.issue({ names: ['api.fleet.test'] }), (request, response) => {
    if (request.url !== '/v1/tasks') {
      response.end(JSON.stringify({ access_token: 'token', expires_in: 3600 }));
      return;
    }
    posts.push(request.socket.remotePort ?? 0);
    if (says === 'reset') request.socket.destroy();
    else response.writeHead(says.status, { 'content-type': says.type }).end(says.text);
  });
  await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  service.closeAllConnections();
  await new Promise((done) => service.close(done));
});

/** A client of `https://api.fleet.test` that reaches it through this proxy alone. */
async function behind(
  pair?: Pair,
  address = 'localhost',
): Promise<{ readonly client: Client; readonly proxy: ConnectProxy }> {
  const proxy = await startProxy((service.address() as AddressInfo).port, pair);
  const HTTPS_PROXY = `${pair ? 'https' : 'http'}://me:${encodeURIComponent(JOB_TOKEN)}@${address}:${proxy.port}`;
  const env = { HTTPS_PROXY };
  const { transport, close } = openTransport({ ca: [authority.cert], env, postDeadlineMs: 2_000 });
  closers.push(close, () => proxy.close());
  const client = createClient({
    transport,
    clock: systemClock,
    random: () => 0,
    baseUrl: 'https://api.fleet.test',
    organization: 'acme',
    credentials: () => Promise.resolve({ clientId: 'id', clientSecret: CLIENT_SECRETS.admin }),
    dialect: resolveDialect({}),
    pace: { requestsPerSecond: 1000, tokenRequestsPerMinute: 600 },
    secrets: () => undefined,
    trace: watchedTrace('proxy'),
  });
  return { client, proxy };
}

async function rowOf(client: Client): Promise<string> {
  const answer = await client.createTask({
    task: 'restartDevice',
    devices: [{ deviceId: 'dev-1' }],
  });
  return classify(answer, BATCH).row;
}

describe('a POST behind a proxy', () => {
  it('has a tunnel of its own, and the proxy is told who asks', async () => {
    const { client, proxy } = await behind();
    await client.holdToken(0);
    for (let nth = 0; nth < 3; nth += 1) expect(await rowOf(client)).toBe('P03');
    expect(new Set(posts).size).toBe(3);
    expect(proxy.asked.map(({ authority: asked }) => asked)).toEqual(
      Array.from({ length: 4 }, () => 'api.fleet.test:443'),
    );
    const [first] = proxy.asked;
    expect(first?.authorization).toBe(`Basic ${Buffer.from(`me:${JOB_TOKEN}`).toString('base64')}`);
  });

  it('goes through an encrypted proxy, too', async () => {
    const { client } = await behind(authority.issue());
    expect(await rowOf(client)).toBe('P03');
  });

  it.each<[Verdict]>([[403], [407], [502], [503], [301], ['cut'], ['silent']])(
    'is unsent where CONNECT comes to %s',
    async (verdict) => {
      const { client, proxy } = await behind();
      await client.holdToken(0);
      proxy.verdict = verdict;
      expect([await rowOf(client), posts.length]).toEqual(['P01', 0]);
    },
  );

  it('is unsent where the proxy itself cannot be trusted', async () => {
    const { client } = await behind(createAuthority('Stranger').issue());
    expect([await rowOf(client), posts.length]).toEqual(['P01', 0]);
  });

  it('is unsent where nobody listens', async () => {
    const { client, proxy } = await behind();
    await client.holdToken(0);
    await proxy.close();
    expect([await rowOf(client), posts.length]).toEqual(['P01', 0]);
  });

  it.each([502, 503, 504])('is in doubt where a gateway answers %i in HTML', async (status) => {
    const { client } = await behind();
    says = { status, type: 'text/html', text: HTML };
    expect([await rowOf(client), posts.length]).toEqual(['P10', 1]);
  });

  it('is in doubt where the tunnel breaks after it', async () => {
    const { client } = await behind();
    says = 'reset';
    expect([await rowOf(client), posts.length]).toEqual(['P11', 1]);
  });

  it('fails in words that do not hold the password', async () => {
    const { client, proxy } = await behind();
    proxy.verdict = 407;
    const failure: unknown = await client.holdToken(0).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'proxyRefused', params: { status: '407' } });
    const all = `${String(failure)} ${JSON.stringify(failure)} ${String((failure as Error).cause)}`;
    expect(all).not.toContain(JOB_TOKEN);
  });
});
