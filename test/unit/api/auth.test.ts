import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/api/client.ts';
import { fakeService, json, pageOf, START, type Answer } from '../../support/api-service.ts';
import { WorldError } from '../../../src/model/error.ts';
import { CLIENT_SECRETS } from '../../support/canary.ts';

const devices: Answer = ({ query }) => pageOf('devices', [{ id: 'd-1' }], query);
const isToken = ({ path }: { readonly path: string }) => path.includes('/auth/');
const HOUR = 3_600_000;

/** Reads the device list once. */
const readOnce = (client: ReturnType<typeof fakeService>['client']) =>
  client.list('devices').next();

describe('the token', () => {
  it('is asked for with Basic credentials and carried as Bearer', async () => {
    const { client, seen } = fakeService(devices);
    await readOnce(client);
    const basic = Buffer.from(`ci:${CLIENT_SECRETS.admin}`).toString('base64');
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/v1/auth/acme',
      authorization: `Basic ${basic}`,
      body: '',
    });
    expect(seen[1]).toMatchObject({ method: 'GET', authorization: 'Bearer token-1' });
  });

  it('is asked for once, however many wait for it', async () => {
    const { client, seen } = fakeService(devices);
    await Promise.all([readOnce(client), readOnce(client), client.holdToken(1_000)]);
    expect(seen.filter(isToken)).toHaveLength(1);
  });

  it.each([
    [3_600, 2_879, 2_881],
    [300, 179, 181],
    [60, 29, 31],
    [12, 5, 7],
    ['3600', 2_879, 2_881],
    [86_400, 69_119, 69_121],
  ])('of %s seconds is good at %i and renewed at %i', async (life, good, due) => {
    const tokens: Answer = (_, nth) => json({ access_token: `token-${nth}`, expires_in: life });
    const { client, clock, seen } = fakeService(devices, { tokens });
    await readOnce(client);
    clock.advance(good * 1_000);
    await readOnce(client);
    expect(seen.filter(isToken)).toHaveLength(1);
    clock.advance((due - good) * 1_000);
    await readOnce(client);
    expect(seen.filter(isToken)).toHaveLength(2);
  });

  it('lives from when it was asked for, not from when the answer came', async () => {
    const tokens: Answer = () => {
      clock.advance(20_000);
      return json({ access_token: 'token', expires_in: 300 });
    };
    const { client, clock, seen } = fakeService(devices, { tokens });
    await readOnce(client);
    clock.advance(179_000 - 20_000);
    await readOnce(client);
    expect(seen.filter(isToken)).toHaveLength(1);
    clock.advance(2_000);
    await readOnce(client);
    expect(seen.filter(isToken)).toHaveLength(2);
  });

  it.each([undefined, null, 0, -1, 'soon', '', 1e12, 1e-3, 11, true, [3_600], 86_401, {}])(
    'with a life of %s is believed for five minutes',
    async (life) => {
      const tokens: Answer = () => json({ access_token: 'token', expires_in: life });
      const { client, clock, seen } = fakeService(devices, { tokens });
      await readOnce(client);
      clock.advance(179_000);
      await readOnce(client);
      expect(seen.filter(isToken)).toHaveLength(1);
      clock.advance(2_000);
      await readOnce(client);
      expect(seen.filter(isToken)).toHaveLength(2);
    },
  );

  it('lives by the monotonic clock, whatever the wall clock does', async () => {
    const { client, clock, seen } = fakeService(devices);
    await readOnce(client);
    clock.setWall(clock.now() + 100 * HOUR);
    await readOnce(client);
    clock.setWall(0);
    await readOnce(client);
    expect(seen.filter(isToken)).toHaveLength(1);
  });

  it('is held for a write: renewed when too little is left, kept when enough is', async () => {
    const { client, clock, seen } = fakeService(devices);
    await client.holdToken(120_000);
    clock.advance(2_000_000);
    await client.holdToken(120_000);
    expect(seen).toHaveLength(1);
    clock.advance(1_500_000);
    await client.holdToken(120_000);
    expect(seen).toHaveLength(2);
  });

  it('that a read finds refused is renewed once', async () => {
    const once: Answer = (call, nth) => (nth === 1 ? json({}, 401) : devices(call, nth));
    const { client, calls } = fakeService(once);
    await readOnce(client);
    expect(calls().map(({ authorization }) => authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
    const always = fakeService(() => json({}, 401));
    await expect(readOnce(always.client)).rejects.toMatchObject({ code: 'credentialsRefused' });
    expect(always.calls()).toHaveLength(2);
  });

  it('that a write finds refused is dropped, and the write is not repeated', async () => {
    const { client, calls, seen } = fakeService(() => json({}, 401));
    const request = { task: 'restartDevice', devices: [{ deviceId: 'd-1' }] } as const;
    expect(await client.createTask(request)).toMatchObject({ kind: 'answered', status: 401 });
    expect(calls()).toHaveLength(1);
    await client.holdToken(1_000);
    expect(seen.filter(isToken)).toHaveLength(2);
  });

  it('is asked for five times a minute at the most', async () => {
    const tokens: Answer = () => json({ access_token: 't', expires_in: 3_600 });
    const { client, seen } = fakeService(() => json({}, 401), { tokens });
    for (let nth = 0; nth < 7; nth += 1) await readOnce(client).catch(() => undefined);
    const at = seen.filter(isToken).map((one) => one.at);
    expect(at).toHaveLength(8);
    for (const [index, time] of at.entries()) {
      expect(time - (at[index - 5] ?? -60_000)).toBeGreaterThanOrEqual(60_000);
    }
  });

  it.each([
    [401, 'credentialsRefused'],
    [403, 'credentialsRefused'],
    [404, 'organizationUnknown'],
    [302, 'redirected'],
    [400, 'unexpectedStatus'],
    [429, 'tooManyRequests'],
    [500, 'unexpectedStatus'],
  ])('refused with %i is %s', async (status, code) => {
    const { client, calls } = fakeService(devices, { tokens: () => json({}, status) });
    await expect(readOnce(client)).rejects.toMatchObject({ code });
    expect(calls()).toHaveLength(0);
  });

  it.each([
    [{ token: 'secret-token' }, 'token'],
    [{ access_token: '' }, 'access_token'],
    [{ access_token: 'two words' }, 'access_token'],
    [{ access_token: 17 }, 'access_token'],
    [{ __proto__: { access_token: 'lent' } }, ''],
  ])('is exactly the field of the dialect, and %j is none', async (body, found) => {
    const { client } = fakeService(devices, { tokens: () => json(body) });
    const failure = await readOnce(client).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'tokenUnreadable',
      params: { field: 'access_token', found },
    });
    expect(String(failure)).not.toContain('secret-token');
  });

  it('is not asked for before it is needed, and an odd organization never leaves', async () => {
    const { client, seen } = fakeService(devices);
    expect(client.dialect.tokenPath).toBe('/v1/auth/{organization}');
    expect(seen).toHaveLength(0);
    expect(() => fakeService(devices, { organization: '../v1/devices' })).toThrow('idUnsafe');
    expect(typeof createClient).toBe('function');
  });
});

const REQUEST = { task: 'restartDevice', devices: [{ deviceId: 'd-1' }] } as const;

/** Credentials that end, each with a number of its own. */
function numbered(life?: number) {
  const asked: (AbortSignal | undefined)[] = [];
  const credentials = (signal?: AbortSignal) => {
    const clientId = `id-${asked.push(signal)}`;
    const expiresAt = life === undefined ? {} : { expiresAt: START + asked.length * life };
    return Promise.resolve({ clientId, clientSecret: CLIENT_SECRETS.admin, ...expiresAt });
  };
  return { asked, credentials };
}

const idOf = (authorization: string | null): string =>
  Buffer.from((authorization ?? '').replace('Basic ', ''), 'base64')
    .toString()
    .replace(/:.*/, '');

describe('credentials of a program', () => {
  it('are asked for with each token, once however many wait for it', async () => {
    const { asked, credentials } = numbered();
    const { client, clock, seen } = fakeService(devices, { credentials });
    await Promise.all([readOnce(client), readOnce(client), client.holdToken(1_000)]);
    expect(asked).toHaveLength(1);
    clock.advance(HOUR);
    await readOnce(client);
    const ids = seen.filter(isToken).map(({ authorization }) => idOf(authorization));
    expect(ids).toEqual(['id-1', 'id-2']);
  });

  it('are asked for again before they end, though the token would live on', async () => {
    const { credentials } = numbered(10 * 60_000);
    const { client, clock, seen } = fakeService(devices, { credentials });
    await readOnce(client);
    clock.advance(7 * 60_000);
    await readOnce(client);
    expect(seen.filter(isToken)).toHaveLength(1);
    clock.advance(2 * 60_000);
    await client.holdToken(120_000);
    await readOnce(client);
    expect(seen.filter(isToken)).toHaveLength(2);
  });

  it('that the service refuses are asked for again after a pause', async () => {
    const { credentials } = numbered();
    const tokens: Answer = ({ authorization }) =>
      idOf(authorization) === 'id-1' ? json({}, 401) : json({ access_token: 'new' });
    const { client, clock, calls } = fakeService(devices, { credentials, tokens });
    await expect(readOnce(client)).rejects.toMatchObject({ code: 'credentialsRefused' });
    clock.advance(60_000);
    await readOnce(client);
    expect(calls()[0]?.authorization).toBe('Bearer new');
  });

  it('that a program does not give send nothing, and are asked for four times in all', async () => {
    let asked = 0;
    const credentials = () => {
      asked += 1;
      return Promise.reject(new WorldError('credentialCommandFailed', { why: 'exit' }));
    };
    const { client, clock, seen } = fakeService(devices, { credentials });
    for (let minute = 0; minute < 120; minute += 1) {
      const failed = { code: 'credentialCommandFailed' };
      await expect(readOnce(client)).rejects.toMatchObject(failed);
      clock.advance(60_000);
    }
    expect([asked, seen]).toEqual([4, []]);
    const post = await client.createTask(REQUEST);
    expect(post).toEqual({ kind: 'failed', phase: 'unsent', code: 'credentialCommandFailed' });
  });

  it('are waited for no longer than the command goes on, and nothing is sent', async () => {
    const stop = new AbortController();
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const credentials = (signal?: AbortSignal): Promise<never> =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
        begin();
      });
    const { client, seen } = fakeService(devices, { credentials, hurry: stop.signal });
    const post = client.createTask(REQUEST);
    const read = readOnce(client);
    await begun;
    stop.abort(new Error('stopped'));
    await expect(read).rejects.toMatchObject({ code: 'cut', params: { cause: 'cancelled' } });
    expect(await post).toMatchObject({ kind: 'failed', phase: 'unsent' });
    expect(seen).toEqual([]);
  });
});
