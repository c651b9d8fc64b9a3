import { setMaxListeners } from 'node:events';

const MOST_WAITS = 64;

/**
 * A request to stop. The first one lets the work on the wire finish and starts nothing new; the second leaves at once
 * (protocol Z4).
 */
export interface StopSignal {
  readonly requested: 'no' | 'drain' | 'now';
  /** Aborted by the first request to stop: ends every wait. */
  readonly draining: AbortSignal;
  /** Aborted by the second: ends everything. */
  readonly signal: AbortSignal;
}

/** A stop that is asked for by calling `request`, once or twice. */
export function createStopSignal(): StopSignal & { request(): void } {
  const drain = new AbortController();
  const leave = new AbortController();
  // A bounded number of requests and waits listens at once, and each lets go when it is over.
  setMaxListeners(MOST_WAITS, drain.signal, leave.signal);
  return {
    get requested() {
      if (leave.signal.aborted) return 'now';
      return drain.signal.aborted ? 'drain' : 'no';
    },
    draining: drain.signal,
    signal: leave.signal,
    request() {
      if (drain.signal.aborted) leave.abort(new Error('stopped'));
      else drain.abort(new Error('stopping'));
    },
  };
}
