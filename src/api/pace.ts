import type { Clock, HttpAnswer, HttpRequest, Transport } from '../model/ports.ts';
import type { Milliseconds } from '../lib/time.ts';
import { retryAfter } from './retry-after.ts';
import type { BaseUrl } from './base-url.ts';
import { pathSegments, requestFamily, type Family } from './wire.ts';

export interface RequestPace {
  /** Requests per second to each endpoint family, above 0. */
  readonly requestsPerSecond: number;
  readonly tokenRequestsPerMinute: number;
}

/** The queues of all endpoint families, first come, first served. */
export interface Lanes {
  /**
   * Resolves when the request may be sent; rejects with the reason of its signal if that aborts.
   */
  enter(request: HttpRequest): Promise<void>;
  /** After a 429 with a delay, the whole family waits, not only that request. */
  notice(request: HttpRequest, answer: HttpAnswer): void;
}

export function createLanes(parts: {
  readonly clock: Clock;
  readonly limits: RequestPace;
  readonly base: BaseUrl;
}): Lanes {
  const lanes = new Map<Family, Lane>();
  const laneOf = (request: HttpRequest): Lane => {
    const family = requestFamily(pathSegments(request, parts.base));
    const lane = lanes.get(family) ?? new Lane(parts.clock, ...requestLimit(family, parts.limits));
    lanes.set(family, lane);
    return lane;
  };
  return {
    enter: (request) => laneOf(request).enter(request.signal),
    notice(request, answer) {
      if (answer.status !== 429) return;
      laneOf(request).hold(retryAfter(answer, parts.clock.now()) ?? 0);
    },
  };
}

export function pace(next: Transport, lanes: Lanes): Transport {
  return async (request) => {
    await lanes.enter(request);
    return noticing(next, lanes)(request);
  };
}

/** For requests that have already waited: only reports answers to the lanes. */
export function noticing(next: Transport, lanes: Lanes): Transport {
  return async (request) => {
    const answer = await next(request);
    lanes.notice(request, answer);
    return answer;
  };
}

function requestLimit(family: Family, limits: RequestPace): [count: number, within: Milliseconds] {
  return family === 'token'
    ? [limits.tokenRequestsPerMinute, 60_000]
    : [1, 1_000 / limits.requestsPerSecond];
}

/** A queue with at most `count` starts in any period. */
class Lane {
  readonly #clock: Clock;
  readonly #count: number;
  readonly #within: Milliseconds;
  readonly #starts: Milliseconds[] = [];
  #heldUntil = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(clock: Clock, count: number, within: Milliseconds) {
    this.#clock = clock;
    this.#count = count;
    this.#within = within;
  }

  enter(signal: AbortSignal | undefined): Promise<void> {
    const turn = this.#last.then(() => this.#wait(signal));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  hold(ms: Milliseconds): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.monotonic() + ms);
  }

  /** Checks again after each sleep, since the lane may have been held meanwhile. */
  async #wait(signal: AbortSignal | undefined): Promise<void> {
    for (let ms = this.#wanted(); ms > 0; ms = this.#wanted()) await this.#clock.sleep(ms, signal);
    signal?.throwIfAborted();
    this.#starts.push(this.#clock.monotonic());
    if (this.#starts.length > this.#count) this.#starts.shift();
  }

  #wanted(): Milliseconds {
    const [oldest] = this.#starts;
    const isFull = oldest !== undefined && this.#starts.length === this.#count;
    const freeAt = isFull ? oldest + this.#within : 0;
    return Math.max(freeAt, this.#heldUntil) - this.#clock.monotonic();
  }
}
