import type { Clock } from '../model/ports.ts';
import type { Milliseconds } from '../lib/time.ts';

/** The longest delay of a Node timer; a longer one would fire at once. */
const LONGEST_TIMER: Milliseconds = 2 ** 31 - 1;

/**
 * The clock of the machine. Its `sleep` is the only timer of the project and supports waits of any
 * length.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep,
};

async function sleep(ms: Milliseconds, signal?: AbortSignal): Promise<void> {
  const end = performance.now() + ms;
  do {
    const left = Math.max(0, end - performance.now());
    await pause(Math.min(left, LONGEST_TIMER), signal);
  } while (performance.now() < end);
}

function pause(ms: Milliseconds, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
