import type { Clock } from '../../src/model/ports.ts';
import type { Instant, Milliseconds } from '../../src/lib/time.ts';

/** A clock whose sleepers do not wait: time jumps to where they want to be. */
export interface JumpingClock extends Clock {
  /** Moves time on, as if nobody had slept. */
  advance(ms: Milliseconds): void;
  /** Moves the wall clock alone, as a person or NTP does; the monotonic clock does not notice. */
  setWall(instant: Instant): void;
  /** Every sleep so far, in the order they began. */
  readonly sleeps: readonly Milliseconds[];
}

/** A clock that starts at an instant and moves only when somebody sleeps, or by hand. */
export function createVirtualClock(start: Instant): JumpingClock {
  const sleeps: Milliseconds[] = [];
  let elapsed = 0;
  let wall = start;
  const advance = (ms: Milliseconds): void => {
    elapsed += ms;
    wall += ms;
  };
  return {
    now: () => wall,
    monotonic: () => elapsed,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      sleeps.push(ms);
      advance(ms);
    },
    advance,
    setWall: (instant) => (wall = instant),
    sleeps,
  };
}
