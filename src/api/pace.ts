import type {
  Clock,
  HttpAnswer,
  HttpRequest,
  RequestLane,
  RequestLimit,
  SharedLanes,
  Transport,
} from '../model/ports.ts';
import type { Milliseconds } from '../lib/time.ts';
import { retryAfter } from './retry-after.ts';
import type { BaseUrl } from './base-url.ts';
import { pathSegments, requestFamily, type Family } from './wire.ts';
import { getOrAdd } from '../lib/maps.ts';

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
  readonly shared?: SharedLanes | undefined;
}): Lanes {
  const { clock, limits, base, shared: lanes = new Map<string, RequestLane>() } = parts;
  const familyOf = (request: HttpRequest): Family => requestFamily(pathSegments(request, base));
  const laneOf = (family: Family): RequestLane =>
    getOrAdd(lanes, `${base.origin} ${family}`, () => new Lane(clock));
  return {
    enter(request) {
      const family = familyOf(request);
      return laneOf(family).enter(request.signal, requestLimit(family, limits));
    },
    notice(request, answer) {
      if (answer.status !== 429) return;
      laneOf(familyOf(request)).hold(retryAfter(answer, clock.now()) ?? 0);
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

function requestLimit(family: Family, limits: RequestPace): RequestLimit {
  return family === 'token'
    ? { count: limits.tokenRequestsPerMinute, within: 60_000 }
    : { count: 1, within: 1_000 / limits.requestsPerSecond };
}

class Lane implements RequestLane {
  readonly #clock: Clock;
  readonly #starts: Milliseconds[] = [];
  #most = 0;
  #heldUntil = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  enter(signal: AbortSignal | undefined, limit: RequestLimit): Promise<void> {
    const turn = this.#last.then(() => this.#wait(signal, limit));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  hold(ms: Milliseconds): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.monotonic() + ms);
  }

  /** Checks again after each sleep, since the lane may have been held meanwhile. */
  async #wait(signal: AbortSignal | undefined, limit: RequestLimit): Promise<void> {
    for (let ms = this.#wanted(limit); ms > 0; ms = this.#wanted(limit))
      await this.#clock.sleep(ms, signal);
    signal?.throwIfAborted();
    this.#most = Math.max(this.#most, limit.count);
    this.#starts.push(this.#clock.monotonic());
    if (this.#starts.length > this.#most) this.#starts.shift();
  }

  #wanted({ count, within }: RequestLimit): Milliseconds {
    const nth = this.#starts.at(-count);
    const freeAt = nth === undefined ? 0 : nth + within;
    return Math.max(freeAt, this.#heldUntil) - this.#clock.monotonic();
  }
}
