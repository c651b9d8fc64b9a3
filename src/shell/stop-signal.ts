import { setMaxListeners } from 'node:events';

const MOST_WAITS = 64;

/**
 * A request to stop. The first one lets work in progress finish and starts nothing new; the second
 * one ends the run at once (protocol Z4).
 */
export interface StopSignal {
  readonly requested: 'no' | 'drain' | 'now';
  /** Aborted by the first request to stop; ends every wait. */
  readonly draining: AbortSignal;
  /** Aborted by the second request; ends everything. */
  readonly signal: AbortSignal;
}

/** A stop signal that calls of `request` trigger, once or twice. */
export function createStopSignal(): StopSignal & { request(): void } {
  const drain = new AbortController();
  const leave = new AbortController();
  // A bounded number of requests and waits listens at once, and each one removes its listener.
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
