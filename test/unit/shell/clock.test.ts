import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/shell/clock.ts';

const DAY = 86_400_000;

describe('systemClock', () => {
  afterEach(() => void vi.useRealTimers());

  it('sleeps longer than one timer can hold', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const awake = vi.fn();
    void systemClock.sleep(50 * DAY).then(awake);
    await vi.advanceTimersByTimeAsync(50 * DAY - 1);
    expect(awake).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(awake).toHaveBeenCalled();
  });

  it('ends a sleep longer than a timer can hold when it is told to stop', async () => {
    const stop = new AbortController();
    const sleep = systemClock.sleep(2 ** 40, stop.signal);
    stop.abort(new Error('stopping'));
    await expect(sleep).rejects.toThrow('stopping');
  });

  it('does not begin to sleep after a stop', async () => {
    await expect(
      systemClock.sleep(2 ** 40, AbortSignal.abort(new Error('stopped'))),
    ).rejects.toThrow('stopped');
  });
});
