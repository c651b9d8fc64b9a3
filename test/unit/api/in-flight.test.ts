import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/model/ports.ts';
import { fakeService, json, type Answer } from '../../support/api-service.ts';
import { quiet } from '../../../src/rehearse/virtual-clock.ts';

const PACE = { requestsPerSecond: 1e6, tokenRequestsPerMinute: 5 };
const device: Answer = ({ path }) => json({ id: path.split('/').at(-1) });

function ids(count: number): readonly string[] {
  return Array.from({ length: count }, (_, nth) => `d-${nth}`);
}

describe('reads', () => {
  it('leave no listener behind at the signal that outlives them', async () => {
    const stop = new AbortController();
    const warnings: string[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', onWarning);
    const { client } = fakeService(device, { signal: stop.signal, pace: PACE });
    for (const id of ids(200)) await client.device(id);
    await Promise.all(ids(200).map((id) => client.device(id)));
    await quiet();
    process.off('warning', onWarning);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('are eight in flight at the most; the others wait, and come in their order', async () => {
    let [now, most] = [0, 0];
    const order: string[] = [];
    const open: (() => void)[] = [];
    const { client } = fakeService(
      async (seen, nth) => {
        order.push(seen.path.split('/').at(-1) ?? '');
        most = Math.max(most, (now += 1));
        if (nth <= 8) await new Promise<void>((go) => open.push(go));
        now -= 1;
        return device(seen, nth);
      },
      { pace: PACE },
    );
    const all = Promise.all(ids(100).map((id) => client.device(id)));
    while (open.length < 8) await quiet();
    expect(order).toHaveLength(8);
    for (const go of open) go();
    expect(await all).toHaveLength(100);
    expect(most).toBe(8);
    expect(order).toEqual(ids(100));
  });
});

describe('a wish to stop', () => {
  it('ends every read that waits for a token, and the tries to get one', async () => {
    const stop = new AbortController();
    const tokens: Answer = () => json({}, 503, { 'retry-after': '600' });
    const { client, seen, clock } = fakeService(device, {
      tokens,
      signal: stop.signal,
      hurry: stop.signal,
      onRetry: () => stop.abort(new Error('stopping')),
    });
    const began = clock.monotonic();
    const answers = await Promise.allSettled(ids(20).map((id) => client.device(id)));
    for (const answer of answers)
      expect(answer).toMatchObject({ reason: { params: { cause: 'cancelled' } } });
    expect(seen).toHaveLength(1);
    expect(clock.monotonic() - began).toBeLessThan(1_000);
  });

  it('leaves a POST unsent that has no token yet', async () => {
    const stop = new AbortController();
    const tokens: Answer = () => Promise.reject(new TransportError('unsent', 'ECONNREFUSED'));
    const { client, calls } = fakeService(device, {
      tokens,
      hurry: stop.signal,
      onRetry: () => stop.abort(new Error('stopping')),
    });
    const request = { task: 'restartDevice', devices: [{ deviceId: 'd-1' }] } as const;
    expect(await client.createTask(request)).toMatchObject({ phase: 'unsent' });
    expect(calls()).toEqual([]);
  });
});

describe('credentials that are refused', () => {
  it.each([401, 403])(
    'with %i are asked for once, however many reads want them',
    async (status) => {
      const { client, seen } = fakeService(device, { tokens: () => json({}, status) });
      for (const id of ids(50))
        await expect(client.device(id)).rejects.toMatchObject({ code: 'credentialsRefused' });
      expect(seen).toHaveLength(1);
    },
  );

  it('are tried again after longer and longer pauses, four times at the most', async () => {
    const { client, seen, clock } = fakeService(device, { tokens: () => json({}, 401) });
    for (const id of ids(100)) {
      await expect(client.device(id)).rejects.toMatchObject({ code: 'credentialsRefused' });
      clock.advance(20_000);
    }
    expect(seen.map(({ at }) => at - (seen[0]?.at ?? 0))).toEqual([0, 60_000, 240_000, 540_000]);
  });

  it('by a service that was wrong about them are good again', async () => {
    const tokens: Answer = (_, nth) =>
      nth === 1 ? json({}, 401) : json({ access_token: 'token-2', expires_in: 3_600 });
    const { client, clock } = fakeService(device, { tokens });
    await expect(client.device('d-1')).rejects.toMatchObject({ code: 'credentialsRefused' });
    clock.advance(60_000);
    expect((await client.device('d-1')).value).toMatchObject({ id: 'd-1' });
  });
});
