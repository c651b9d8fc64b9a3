import type { Milliseconds } from '../../lib/time.ts';

interface OwnSignal {
  readonly signal: AbortSignal;
  readonly isLate: boolean;
  release(): void;
}

/**
 * A signal that aborts with another one, or after a time limit in milliseconds. After release it
 * leaves neither a listener on a long-lived signal nor a timer that keeps the request in memory.
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

/** Resolves with the work, or rejects with the reason of the signal as soon as that aborts. */
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
