import type { Milliseconds } from '../../lib/time.ts';

/** A signal for one request alone. */
export interface OwnSignal {
  readonly signal: AbortSignal;
  /** The time is over. */
  readonly isLate: boolean;
  /** Lets go of the other signal and of the timer. */
  release(): void;
}

/**
 * A signal that ends with another one, or after some time. Released, it leaves nothing behind: no
 * listener at a signal that outlives thousands of requests, and no timer that would keep each of
 * them for as long as it might have taken.
 */
export function ownSignal(outer: AbortSignal | undefined, ms?: Milliseconds): OwnSignal {
  const own = new AbortController();
  let isLate = false;
  const end = (): void => own.abort(outer?.reason);
  const late = (): void => {
    isLate = true;
    own.abort(new Error('too late'));
  };
  const timer = ms === undefined ? undefined : setTimeout(late, ms);
  timer?.unref();
  if (outer?.aborted) end();
  else outer?.addEventListener('abort', end, { once: true });
  return {
    signal: own.signal,
    get isLate() {
      return isLate;
    },
    release: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', end);
    },
  };
}

/** The value of what is waited for, or the reason of the signal as soon as that is aborted. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let end = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    end = () => reject(signal.reason as Error);
  });
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', end);
    work.catch(() => undefined);
  }
}
