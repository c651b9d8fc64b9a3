import { WorldError, type WorldCode } from '../model/error.ts';
import { MOST_SKEW_MS, type Clock, type Dated } from '../model/ports.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';

/** Known devices that may be missing by coincidence (protocol Y5). */
const MISSING_TOLERATED = 3;

/**
 * A run ends after this many rounds in a row without a useful answer, if they span this time
 * (protocol X19); tasks that the service has keep running. Fast polls alone do not prove that the
 * service is unavailable.
 */
const ABSENT_ROUNDS = 10;
const ABSENT_MS: Milliseconds = 10 * 60_000;

/** The limit with fewer rounds too: in each the service may ask for a delay of 15 minutes. */
const LONGEST_ABSENCE_MS: Milliseconds = 30 * 60_000;

/** Failures without any answer; the client has tried five times where a retry may help. */
const NOBODY: ReadonlySet<WorldCode> = new Set<WorldCode>([
  'proxyRefused',
  'timedOut',
  'tlsFailed',
  'unreachable',
]);

/**
 * Rounds of polling in a row that failed, their start on the monotonic clock, and the last failure.
 */
interface Absence {
  readonly since: Milliseconds;
  readonly rounds: number;
  readonly why: WorldError;
}

/**
 * The health of the service and of this process: clock differences, outages, filters, devices that
 * are no longer returned, and suspension of the process.
 */
export class Health {
  readonly #clock: Clock;
  #ahead: Milliseconds = 0;
  /** The service has answered, although earlier rounds may have failed. */
  hasAnswered = false;
  #absence: Absence | undefined;
  #missing = 0;
  /** The filters were compared with the known fleet, once in a run. */
  areFiltersTried = false;
  /** A filter does not work, so all rows are read. */
  unfiltered = false;
  /** This process slept longer than planned, and has not read the ledger since. */
  hasOverslept = false;
  readonly #unread = new Set<WorldCode>();
  /** The last failure; the run may have recovered from it. */
  failure: Error | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The current time by the service's clock, estimated from its answers. */
  serviceNow(): Instant {
    return this.#clock.now() + this.#ahead;
  }

  /**
   * Records the service's time of an answer and returns it; without one, returns this machine's
   * time, adjusted to the service's clock.
   */
  dateOf(answer: Dated<unknown>): Instant {
    if (answer.date === undefined) return this.serviceNow();
    this.#ahead = answer.date - this.#clock.now();
    return answer.date;
  }

  /** Throws where the clocks differ too much to compare evidence with deadlines. */
  refuseSkew(): void {
    const seconds = Math.round(Math.abs(this.#ahead) / 1_000);
    if (Math.abs(this.#ahead) > MOST_SKEW_MS) throw new WorldError('clockSkew', { seconds });
  }

  /** A whole round was answered, which ends an outage. */
  endAbsence(): void {
    this.hasAnswered = true;
    this.#absence = undefined;
  }

  /**
   * Counts a round that began at `began`, on the monotonic clock, without a useful answer. Throws
   * the failure once the outage is too long. If nothing has answered this run yet, it throws at
   * once, as `plan` does, because the run has started nothing.
   */
  countMissed(began: Milliseconds, why: WorldError): void {
    if (!this.hasAnswered && NOBODY.has(why.code)) throw why;
    const { since, rounds } = this.#absence ?? { since: began, rounds: 0 };
    this.#absence = { since, rounds: rounds + 1, why };
    const absent = this.#clock.monotonic() - since;
    const isLong = rounds + 1 >= ABSENT_ROUNDS && absent >= ABSENT_MS;
    if (isLong || absent >= LONGEST_ABSENCE_MS) throw why;
  }

  /** Why the service is unavailable, and when the run ends for that reason if rounds are fast. */
  get absence(): { readonly why: WorldError; readonly givenUpAt: Instant } | undefined {
    if (!this.#absence) return undefined;
    const { since, why } = this.#absence;
    const left = Math.max(0, ABSENT_MS - (this.#clock.monotonic() - since));
    return { why, givenUpAt: this.#clock.now() + left };
  }

  /**
   * Counts a known device that a read by its ID does not return. More than three in one run mean
   * that permissions have probably changed (protocol Y5), so no further attempt is made.
   */
  countMissing(): void {
    this.#missing += 1;
    if (this.#missing > MISSING_TOLERATED)
      throw new WorldError('permissionsChanged', { gone: this.#missing });
  }

  /** Whether no poll of this run has failed for this reason yet. */
  isNewUnread(code: WorldCode): boolean {
    const isNew = !this.#unread.has(code);
    this.#unread.add(code);
    return isNew;
  }
}
