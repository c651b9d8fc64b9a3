import { describe, expect, it } from 'vitest';
import { createStopSignal } from '../../../src/shell/stop-signal.ts';

describe('createStop', () => {
  it('Z4 drains at the first wish and leaves at the second', () => {
    const stop = createStopSignal();
    expect([stop.requested, stop.draining.aborted, stop.signal.aborted]).toEqual([
      'no',
      false,
      false,
    ]);
    stop.request();
    expect([stop.requested, stop.draining.aborted, stop.signal.aborted]).toEqual([
      'drain',
      true,
      false,
    ]);
    stop.request();
    expect([stop.requested, stop.signal.aborted]).toEqual(['now', true]);
  });
});
