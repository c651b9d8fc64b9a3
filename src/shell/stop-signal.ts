import { setMaxListeners } from 'node:events';
import type { Stop } from '../model/ports.ts';

const MOST_WAITS = 64;

/** A stop signal that calls of `request` trigger, once or twice. */
export function createStopSignal(): Stop & { request(): void } {
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
