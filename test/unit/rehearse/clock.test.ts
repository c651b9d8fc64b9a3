import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/rehearse/virtual-clock.ts';

const START = Date.parse('2026-11-10T01:00:00Z');

describe('a virtual clock', () => {
  it('stands still until everybody sleeps, then jumps to the first sleeper', async () => {
    const clock = createVirtualClock(START);
    const order: string[] = [];
    const nap = (name: string, ms: number) =>
      clock.sleep(ms).then(() => void order.push(`${name} ${clock.monotonic()}`));
    await clock.run(Promise.all([nap('long', 86_400_000 * 30), nap('short', 5), nap('same', 5)]));
    expect(order).toEqual(['short 5', 'same 5', 'long 2592000000']);
    expect(clock.now()).toBe(START + 2_592_000_000);
  });

  it('reads whole milliseconds, however short anybody sleeps', async () => {
    const clock = createVirtualClock(START);
    await clock.run(clock.sleep(1.7));
    expect(clock.now()).toBe(START + 1);
    expect(clock.monotonic()).toBe(1.7);
  });

  it('waits for work that is in flight, however long it really takes', async () => {
    const clock = createVirtualClock(START);
    const slow = async () => {
      for (let turn = 0; turn < 50; turn += 1) await new Promise((next) => setImmediate(next));
      return clock.monotonic();
    };
    const [seen] = await clock.run(Promise.all([clock.track(slow()), clock.sleep(1_000)]));
    expect(seen).toBe(0);
  });

  it('lets time pass inside work in flight that sleeps itself', async () => {
    const clock = createVirtualClock(START);
    await clock.run(clock.track(clock.inside.sleep(7_000)));
    expect(clock.monotonic()).toBe(7_000);
  });

  it('wakes a sleeper whose signal is aborted, with the reason', async () => {
    const clock = createVirtualClock(START);
    const waker = new AbortController();
    const asleep = clock.sleep(1_000, waker.signal);
    const soon = clock.sleep(10).then(() => waker.abort(new Error('up')));
    await clock.run(Promise.all([expect(asleep).rejects.toThrow('up'), soon]));
    expect(clock.monotonic()).toBe(10);
    await expect(clock.sleep(1, waker.signal)).rejects.toThrow('up');
  });

  it('moves on by hand without waking anybody', async () => {
    const clock = createVirtualClock(START);
    let awake = false;
    void clock.sleep(1_000).then(() => (awake = true));
    clock.skip(5_000);
    await Promise.resolve();
    expect([clock.now() - START, awake]).toEqual([5_000, false]);
  });

  it('says so when nothing can ever happen again', async () => {
    const clock = createVirtualClock(START);
    await expect(clock.run(new Promise(() => undefined))).rejects.toThrow('stands still');
  });

  it('passes on what its life ends with', async () => {
    const clock = createVirtualClock(START);
    await expect(clock.run(Promise.resolve(7))).resolves.toBe(7);
    await expect(clock.run(Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});
