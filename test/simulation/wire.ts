import { TransportError, type Transport } from '../../src/model/ports.ts';
import { quiet, type VirtualClock } from '../../src/rehearse/virtual-clock.ts';
import type { Twin } from '../../src/twin/twin.ts';
import type { Chance } from './chance.ts';
import { overFetch } from '../../src/model/http.ts';

/** One thing at a time, in the order asked for; whoever waits for time lets the next one in. */
export interface Turnstile {
  pass<T>(work: () => Promise<T>): Promise<T>;
  /** Waits inside of `work`, outside of the turnstile. */
  wait(ms: number): Promise<void>;
  /** Whether all work is done, also what waits in the middle of it. */
  readonly isEmpty: boolean;
}

/**
 * Requests are served one by one, each when everybody else has come to rest: what leaves the event
 * loop (cryptography) takes real time, and whatever ran meanwhile would be in a race with it. No
 * seed would repeat itself.
 */
export function createTurnstile(clock: VirtualClock): Turnstile {
  const waiting: (() => void)[] = [];
  let [busy, passing] = [false, 0];
  const enter = async (): Promise<void> => {
    if (busy) await new Promise<void>((resolve) => waiting.push(resolve));
    busy = true;
    await quiet();
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else busy = false;
  };
  return {
    pass: (work) =>
      clock.track(
        (async () => {
          passing += 1;
          await enter();
          try {
            return await work();
          } finally {
            passing -= 1;
            leave();
          }
        })(),
      ),
    async wait(ms) {
      leave();
      await clock.inside.sleep(ms);
      await enter();
    },
    get isEmpty() {
      return passing === 0;
    },
  };
}

/** The way to the service and back; `onServed` is called with the world as the answer saw it. */
export function wireTo(
  twin: () => Twin,
  way: {
    readonly clock: VirtualClock;
    readonly turnstile: Turnstile;
    readonly slow: boolean;
    readonly chance: Chance;
    onServed(): void;
  },
): Transport {
  const { clock, turnstile, slow, chance, onServed } = way;
  const send = overFetch((request) => twin().handle(request));
  return async (request) => {
    const answer = await turnstile.pass(async () => {
      try {
        return await send(request);
      } catch (error) {
        throw new TransportError('sent', 'ECONNRESET', { cause: error });
      } finally {
        onServed();
      }
    });
    if (slow && chance.is(0.15)) await clock.sleep(chance.magnitude(5, 4_000));
    return answer;
  };
}
