import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/cli/clock.ts';

describe('systemClock', () => {
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
