import { describe, expect, it } from 'vitest';
import {
  answerOrGrace,
  GRACE_MS,
  Interrupted,
  sleepUntilStopped,
  untilStopped,
  type Stop,
} from '../../../src/apply/stop.ts';
import { createVirtualClock } from '../../../src/rehearse/clock.ts';

function createStop(): Stop & { ask(): void } {
  const drain = new AbortController();
  const leave = new AbortController();
  return {
    get requested() {
      if (leave.signal.aborted) return 'now';
      return drain.signal.aborted ? 'drain' : 'no';
    },
    draining: drain.signal,
    signal: leave.signal,
    ask: () => (drain.signal.aborted ? leave.abort() : drain.abort()),
  };
}

function setUp() {
  const clock = createVirtualClock(0);
  const stop = createStop();
  const later = (ms: number, what: () => void): void => void clock.sleep(ms).then(what);
  return { clock, stop, later };
}

const MINUTE = 60_000;

describe('a wish to stop', () => {
  it('ends a read that hangs', async () => {
    const { clock, stop, later } = setUp();
    later(10, stop.ask);
    const read = untilStopped(new Promise(() => undefined), stop.draining);
    await clock.run(expect(read).rejects.toThrow(Interrupted));
  });

  it('ends a sleep, and leaves one alone that is over before', async () => {
    const { clock, stop, later } = setUp();
    await clock.run(sleepUntilStopped(clock, 5, stop));
    later(10, stop.ask);
    await clock.run(expect(sleepUntilStopped(clock, MINUTE, stop)).rejects.toThrow(Interrupted));
    expect(clock.monotonic()).toBe(15);
  });

  it('that came before ends what starts after it', async () => {
    const { stop } = setUp();
    stop.ask();
    await expect(untilStopped(Promise.resolve(1), stop.draining)).rejects.toThrow(Interrupted);
  });
});

describe('a POST on the wire', () => {
  const wait = (answer: Promise<string>, { clock, stop }: ReturnType<typeof setUp>) =>
    clock.run(answerOrGrace(answer, { clock, stop, limit: MINUTE }));

  it('is answered', async () => {
    const up = setUp();
    expect(
      await wait(
        up.clock.sleep(20).then(() => 'yes'),
        up,
      ),
    ).toBe('yes');
  });

  it('is late after its limit', async () => {
    const up = setUp();
    expect(await wait(new Promise(() => undefined), up)).toBe('late');
    expect(up.clock.monotonic()).toBe(MINUTE);
  });

  it('gets three more seconds after the first wish to stop', async () => {
    const up = setUp();
    up.later(1_000, up.stop.ask);
    expect(
      await wait(
        up.clock.sleep(3_900).then(() => 'yes'),
        up,
      ),
    ).toBe('yes');
    const again = setUp();
    again.later(1_000, again.stop.ask);
    expect(await wait(new Promise(() => undefined), again)).toBe('late');
    expect(again.clock.monotonic()).toBe(1_000 + GRACE_MS);
  });

  it('gets none after the second', async () => {
    const up = setUp();
    up.later(1_000, up.stop.ask);
    up.later(1_500, up.stop.ask);
    expect(await wait(new Promise(() => undefined), up)).toBe('late');
    expect(up.clock.monotonic()).toBe(1_500);
  });
});
