import { describe, expect, it } from 'vitest';
import { createLanes, pace } from '../../../src/api/pace.ts';
import { pathSegments, requestFamily } from '../../../src/api/wire.ts';
import type { HttpAnswer, Transport } from '../../../src/model/ports.ts';
import { START } from '../../support/api-service.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { answer, request } from '../../support/http.ts';

const BASE = { origin: 'https://api.test', prefix: '' };

function setUp(requestsPerSecond = 1, respond: () => HttpAnswer = () => answer('{}')) {
  const clock = createVirtualClock(START);
  const starts: (readonly [path: string, at: number])[] = [];
  const next: Transport = async (request) => {
    starts.push([new URL(request.url).pathname, clock.monotonic()]);
    return respond();
  };
  const limits = { requestsPerSecond, tokenRequestsPerMinute: 5 };
  const send = pace(next, createLanes({ clock, limits, base: BASE }));
  const get = (path: string, signal?: AbortSignal) =>
    send(request(`${BASE.origin}${path}`, { signal }));
  return { clock, starts, get };
}

const times = (starts: readonly (readonly [string, number])[]) => starts.map(([, at]) => at);

describe('pace', () => {
  it('spaces the requests of one family, first come, first served', async () => {
    const { get, starts } = setUp(2);
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => get(`/v1/devices/${id}`)));
    expect(times(starts)).toEqual([0, 500, 1_000, 1_500]);
    expect(starts.map(([path]) => path.at(-1))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lets families go side by side', async () => {
    const { get, starts } = setUp();
    for (const path of ['/v1/devices', '/v1/sites', '/v1/tasks/t', '/v1/devices/a/passwords']) {
      await get(path);
    }
    expect(times(starts)).toEqual([0, 0, 0, 0]);
  });

  it('allows no more than five requests for a token in any minute', async () => {
    const { get, starts, clock } = setUp();
    for (let nth = 0; nth < 7; nth += 1) {
      await get('/v1/auth/acme');
      clock.advance(1_000);
    }
    expect(times(starts)).toEqual([0, 1_000, 2_000, 3_000, 4_000, 60_000, 61_000]);
  });

  it('is one for clients that share it, each by its own limit, and another at another service', async () => {
    const clock = createVirtualClock(START);
    const shared = new Map();
    const starts: (readonly [string, number])[] = [];
    const client = (origin: string, requestsPerSecond: number) => {
      const limits = { requestsPerSecond, tokenRequestsPerMinute: 5 };
      const base = { origin, prefix: '' };
      const next: Transport = async ({ url }) => {
        starts.push([url, clock.monotonic()]);
        return answer('{}');
      };
      const send = pace(next, createLanes({ clock, limits, base, shared }));
      return (path: string) => send(request(`${origin}${path}`));
    };
    const [one, other] = [client(BASE.origin, 1), client(BASE.origin, 2)];
    const far = client('https://far.test', 1);
    await Promise.all([one, other, one, far].map((get) => get('/v1/devices')));
    expect(starts.map(([url, at]) => [new URL(url).hostname, at])).toEqual([
      ['api.test', 0],
      ['far.test', 0],
      ['api.test', 500],
      ['api.test', 1_500],
    ]);
  });

  it('does not wait where enough time has passed', async () => {
    const { get, clock } = setUp();
    await get('/v1/devices');
    clock.advance(1_000);
    await get('/v1/devices');
    expect(clock.sleeps).toEqual([]);
  });

  it('holds a whole family after a 429 that says how long', async () => {
    const over = () => answer('', { status: 429, headers: { 'retry-after': '30' } });
    const { get, starts } = setUp(1, over);
    await get('/v1/devices');
    await get('/v1/devices/a');
    await get('/v1/sites');
    expect(times(starts)).toEqual([0, 30_000, 30_000]);
  });

  it('leaves the queue when cancelled, without holding up the others', async () => {
    const { get, starts } = setUp();
    await get('/v1/devices');
    const gone = get('/v1/devices', AbortSignal.abort(new Error('stopped')));
    await expect(gone).rejects.toThrow('stopped');
    await get('/v1/devices');
    expect(starts).toHaveLength(2);
  });

  it.each([
    ['/v1/devices', 'devices'],
    ['/v1/devices/a', 'devices'],
    ['/v1/devices/a/targetFirmware', 'deviceReads'],
    ['/v1/sites/1', 'sites'],
    ['/v1/deviceSources', 'deviceSources'],
    ['/v1/discoveredDevices', 'discoveredDevices'],
    ['/v1/tasks/t-1', 'tasks'],
    ['/v1/firmwarePaths', 'firmwarePaths'],
    ['/v1/auth/acme', 'token'],
    ['/v1/toString', 'token'],
  ])('%s is of the family %s', (path, family) => {
    expect(requestFamily(pathSegments(request(`${BASE.origin}${path}`), BASE))).toBe(family);
  });
});
