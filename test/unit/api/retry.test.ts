import { describe, expect, it } from 'vitest';
import { retry, retryAll } from '../../../src/api/retry.ts';
import { retryAfter } from '../../../src/api/retry-after.ts';
import {
  TransportError,
  type HttpAnswer,
  type HttpRequest,
  type Transport,
} from '../../../src/model/ports.ts';
import { START } from '../../support/api-service.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { answer, request } from '../../support/http.ts';

type Outcome = number | TransportError | HttpAnswer;

function setUp(outcomes: readonly Outcome[], layer = retry) {
  const clock = createVirtualClock(START);
  let tries = 0;
  const next: Transport = async () => {
    const outcome = outcomes[Math.min(tries, outcomes.length - 1)] ?? 200;
    tries += 1;
    if (outcome instanceof TransportError) throw outcome;
    return typeof outcome === 'number' ? answer('', { status: outcome }) : outcome;
  };
  const send = layer(next, { clock, random: () => 0.5 });
  return { send, clock, tries: () => tries };
}

const get = (more: Partial<HttpRequest> = {}) => request('https://api.test/v1/devices', more);
const lost = new TransportError('sent', 'ECONNRESET');

describe('retry', () => {
  it.each([408, 429, 500, 502, 503, 504])('repeats a read after %i', async (status) => {
    const { send, tries } = setUp([status, status, 200]);
    expect((await send(get())).status).toBe(200);
    expect(tries()).toBe(3);
  });

  it.each([400, 401, 403, 404, 409, 501, 302])('takes %i for an answer', async (status) => {
    const { send, tries } = setUp([status, 200]);
    expect((await send(get())).status).toBe(status);
    expect(tries()).toBe(1);
  });

  it('tells of each wait before it, and of none after the last try', async () => {
    const clock = createVirtualClock(START);
    const told: unknown[] = [];
    const parts = { clock, random: () => 0.5, onRetry: (retried: unknown) => told.push(retried) };
    await expect(retry(() => Promise.reject(lost), parts)(get())).rejects.toBe(lost);
    expect(told).toHaveLength(4);
    expect(told[0]).toEqual({ tried: 1, most: 5, until: START + 750 });
  });

  it('Y7 gives up after five tries, with the last answer or failure', async () => {
    const answered = setUp([503]);
    expect((await answered.send(get())).status).toBe(503);
    expect(answered.tries()).toBe(5);
    const failed = setUp([lost]);
    await expect(failed.send(get())).rejects.toBe(lost);
    expect(failed.tries()).toBe(5);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('never repeats a %s', async (method) => {
    for (const outcome of [503, 429, lost]) {
      const { send, tries } = setUp([outcome, 200]);
      await send(get({ method })).catch(() => undefined);
      expect(tries()).toBe(1);
    }
  });

  it('repeats the request for a token, which changes nothing', async () => {
    const { send, tries } = setUp([429, 200], retryAll);
    expect((await send(get({ method: 'POST' }))).status).toBe(200);
    expect(tries()).toBe(2);
  });

  it.each(['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'tooLarge', 'cancelled'])(
    'does not repeat what cannot end differently: %s',
    async (code) => {
      const { send, tries } = setUp([new TransportError('unsent', code), 200]);
      await expect(send(get())).rejects.toMatchObject({ code });
      expect(tries()).toBe(1);
    },
  );

  it('backs off longer each time, with chance in it', async () => {
    const { send, clock } = setUp([500]);
    await send(get());
    expect(clock.sleeps).toEqual([750, 1_500, 3_000, 6_000]);
  });

  it('waits as long as the service asks', async () => {
    const asking = answer('', { status: 429, headers: { 'retry-after': '7' } });
    const { send, clock } = setUp([asking, 200]);
    await send(get());
    expect(clock.sleeps).toEqual([7_000]);
  });

  it('waits once for a service that asks for years, not time after time', async () => {
    const headers = { 'retry-after': '99999999' };
    const { send, clock, tries } = setUp([answer('', { status: 429, headers })]);
    expect((await send(get())).status).toBe(429);
    expect([tries(), clock.now() - START]).toEqual([2, 15 * 60_000]);
  });

  it('stops waiting when it is cancelled', async () => {
    const stop = new AbortController();
    const { send, tries } = setUp([500]);
    stop.abort(new Error('stopped'));
    const answer = await send(get({ signal: stop.signal }));
    expect(answer.status).toBe(500);
    expect(tries()).toBe(1);
  });

  it('lets our own errors through', async () => {
    const broken: Transport = () => Promise.reject(new Error('ours'));
    const send = retry(broken, { clock: createVirtualClock(START), random: () => 0 });
    await expect(send(get())).rejects.toThrow('ours');
  });
});

describe('Retry-After', () => {
  it.each([
    ['5', 5_000],
    ['0', 1_000],
    ['86400', 900_000],
    ['99999999999999999999', 900_000],
    ['Fri, 20 Nov 2026 20:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2099 20:00:30 GMT', 900_000],
    ['Fri, 20 Nov 1999 20:00:30 GMT', 1_000],
    ['-5', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('%s is clamped to between a second and 15 minutes', (header, expected) => {
    const after = answer('', { headers: { 'retry-after': header } });
    expect(retryAfter(after, START)).toBe(expected);
  });

  it('counts a date from the service clock, not from ours', () => {
    const headers = {
      'retry-after': 'Fri, 20 Nov 2026 21:00:30 GMT',
      date: 'Fri, 20 Nov 2026 21:00:00 GMT',
    };
    expect(retryAfter(answer('', { headers }), START)).toBe(30_000);
  });
});
