import { Bug } from '../lib/bug.ts';
import type { Clock } from '../model/ports.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';

/** A clock that advances only when everything sleeps. */
export interface VirtualClock extends Clock {
  /**
   * Runs until the promise settles: whenever nothing is in flight, time advances to the next
   * sleeper. Throws a `Bug` if nothing sleeps and nothing is in flight, since nothing can happen
   * then.
   */
  run<T>(life: Promise<T>): Promise<T>;
  /** Marks work that takes no virtual time but may leave the event loop (disk, cryptography). */
  track<T>(effect: Promise<T>): Promise<T>;
  /**
   * Advances the clock without waking sleepers in between: time that passes while no process runs.
   */
  skip(ms: Milliseconds): void;
  /** The same clock for tracked work: while it sleeps, that work does not hold time back. */
  readonly inside: Clock;
}

interface Sleeper {
  readonly at: Milliseconds;
  readonly wake: () => void;
}

/**
 * A virtual clock that starts at an instant. Sleepers due at the same time wake in the order in
 * which they fell asleep. Like a wall clock it reads whole milliseconds, whatever the lengths of
 * the sleeps. `isBusy` says that work that is not tracked is still going on: time waits for it.
 */
export function createVirtualClock(
  start: Instant,
  { isBusy }: { readonly isBusy?: () => boolean } = {},
): VirtualClock {
  const sleepers = new Set<Sleeper>();
  let elapsed: Milliseconds = 0;
  let working = 0;
  /** Notifies the waiting loop that work has ended or sleeps. */
  let notify = (): void => undefined;

  const sleep = async (ms: Milliseconds, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => {
        sleepers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const sleeper = { at: elapsed + Math.max(0, ms), wake };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', stop, { once: true });
    });
  };

  const pause = (): void => {
    working -= 1;
    notify();
  };

  const track = async <T>(effect: Promise<T>): Promise<T> => {
    working += 1;
    try {
      return await effect;
    } finally {
      pause();
    }
  };

  const wakeNext = (): void => {
    const next = earliest(sleepers);
    if (!next) throw new Bug('virtual time stands still: nobody sleeps and nothing is in flight');
    sleepers.delete(next);
    elapsed = Math.max(elapsed, next.at);
    next.wake();
  };

  const run = async <T>(life: Promise<T>): Promise<T> => {
    const state = { alive: true };
    const end = (): void => {
      state.alive = false;
      notify();
    };
    life.then(end, end);
    let waited = 0;
    for (await quiet(isBusy); state.alive; await quiet(isBusy)) {
      const canWake = working === 0 && (sleepers.size > 0 || !isBusy);
      waited = canWake ? 0 : waited + 1;
      if (canWake) wakeNext();
      else if (isBusy) await eventLoopTurn(waited);
      else await new Promise<void>((resolve) => (notify = resolve));
    }
    return life;
  };

  const view = { now: () => Math.floor(start + elapsed), monotonic: () => elapsed };
  const inside = {
    ...view,
    sleep: async (ms: Milliseconds, signal?: AbortSignal): Promise<void> => {
      pause();
      await sleep(ms, signal).finally(() => (working += 1));
    },
  };
  return { ...view, sleep, run, track, inside, skip: (ms) => void (elapsed += ms) };
}

function earliest(sleepers: Iterable<Sleeper>): Sleeper | undefined {
  let first: Sleeper | undefined;
  for (const sleeper of sleepers) if (!first || sleeper.at < first.at) first = sleeper;
  return first;
}

/** Runs everything that needs no time: promises that are ready, and those that follow from them. */
export async function quiet(isBusy: () => boolean = () => false): Promise<void> {
  let busy = 0;
  for (let turn = 0; turn < 3; turn = isBusy() ? 0 : turn + 1) {
    busy = turn === 0 ? busy + 1 : 0;
    await eventLoopTurn(busy);
  }
}

/**
 * Lets the event loop turn, for the nth time while work goes on that nobody tells of. A process or a module that is
 * loaded takes milliseconds: asking all the time would take the core that it runs on.
 */
function eventLoopTurn(nth: number): Promise<void> {
  return new Promise<void>((next) => void (nth > 20 ? setTimeout(next, 1) : setImmediate(next)));
}
