import type { Clock, Stop } from '../../src/model/ports.ts';
import { FAILING_OBSERVER } from '../support/effects.ts';

/** What becomes of a process while it works, counted by its effects on the world. */
export interface Fate {
  /** It dies at the nth effect of this kind, or of any: before it, or after it was done. */
  readonly dies?: { readonly of: string; readonly nth: number; readonly when: 'before' | 'after' };
  /** It stands still at the nth effect of this kind, or of any; a suspended machine's monotonic clock stands still too. */
  readonly pauses?: {
    readonly of: string;
    readonly nth: number;
    readonly ms: number;
    readonly suspended: boolean;
  };
  /** Wishes to stop arrive at these effects: the first, and perhaps the second. */
  readonly signals: readonly number[];
  /** Whoever watches it fails at the nth effect of this kind, or of any: its trace and its progress. */
  readonly unwatched?: { readonly of: string; readonly nth: number; readonly forGood: boolean };
  /** Its wall clock is this far ahead of the world's. */
  readonly skewMs: number;
  /** It is gone for good after so much time, whatever it does. */
  readonly limitMs: number;
}

/** A process: everything that it does to the world goes through `perform`. */
export interface Life {
  readonly clock: Clock;
  readonly stop: Stop;
  readonly died: Promise<'died'>;
  readonly isDead: boolean;
  readonly effects: number;
  /** Does it, unless the process is dead: then it never comes back. */
  perform<T>(kind: string, effect: () => Promise<T>): Promise<T>;
  /** What its observers do: throw, from some moment on. */
  watched(): void;
}

/** Begins a process in the world's time. */
export function createLife(world: Clock, fate: Fate): Life {
  const born = world.monotonic();
  const drain = new AbortController();
  const leave = new AbortController();
  const counts = { dying: 0, pausing: 0, watching: 0 };
  let isWatched = true;
  let tell = (): void => undefined;
  const died = new Promise<'died'>((resolve) => (tell = () => resolve('died')));
  let [effects, dead, awakeAt, frozenMs] = [0, false, 0, 0];

  const die = (): Promise<never> => {
    dead = true;
    tell();
    return new Promise<never>(() => undefined);
  };
  const standStill = async (kind: string): Promise<void> => {
    const { pauses } = fate;
    if (pauses && kind.startsWith(pauses.of) && (counts.pausing += 1) === pauses.nth) {
      awakeAt = world.monotonic() + pauses.ms;
      if (pauses.suspended) frozenMs = pauses.ms;
    }
    while (world.monotonic() < awakeAt) await world.sleep(awakeAt - world.monotonic());
  };
  const hear = (): void => {
    if (fate.signals[0] !== undefined && effects >= fate.signals[0]) drain.abort();
    if (fate.signals[1] !== undefined && effects >= fate.signals[1]) leave.abort();
  };
  const lookAway = (kind: string): void => {
    const { unwatched } = fate;
    if (!unwatched) return;
    if (kind.startsWith(unwatched.of)) counts.watching += 1;
    const { nth, forGood } = unwatched;
    const isNow = kind.startsWith(unwatched.of) && counts.watching === nth;
    isWatched = !isNow && (counts.watching < nth || !forGood);
  };
  const isFatal = (kind: string, when: 'before' | 'after'): boolean =>
    fate.dies?.when === when && kind.startsWith(fate.dies.of) && counts.dying === fate.dies.nth;

  const perform = async <T>(kind: string, effect: () => Promise<T>): Promise<T> => {
    if (dead || world.monotonic() - born > fate.limitMs) return die();
    effects += 1;
    if (fate.dies && kind.startsWith(fate.dies.of)) counts.dying += 1;
    hear();
    lookAway(kind);
    await standStill(kind);
    if (dead || isFatal(kind, 'before')) return die();
    const value = await effect();
    await standStillAfter();
    return dead || isFatal(kind, 'after') ? die() : value;
  };
  const standStillAfter = async (): Promise<void> => {
    while (world.monotonic() < awakeAt) await world.sleep(awakeAt - world.monotonic());
  };

  const clock: Clock = {
    now: () => world.now() + fate.skewMs,
    monotonic: () => world.monotonic() - frozenMs,
    sleep: (ms, signal) => perform('sleep', () => world.sleep(ms, signal)),
  };
  const stop: Stop = {
    get requested() {
      if (leave.signal.aborted) return 'now';
      return drain.signal.aborted ? 'drain' : 'no';
    },
    draining: drain.signal,
    signal: leave.signal,
  };
  return {
    clock,
    stop,
    died,
    perform,
    watched: () => {
      if (!isWatched) throw FAILING_OBSERVER;
    },
    get isDead() {
      return dead;
    },
    get effects() {
      return effects;
    },
  };
}
