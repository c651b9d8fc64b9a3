import { WorldError, type WorldCode } from '../model/error.ts';
import type { Clock, Dated } from '../model/ports.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';

/**
 * How far the service's clock may be from ours (protocol Y10): evidence goes by the one, `sendBy` by the other.
 */
const SKEW_MS: Milliseconds = 60_000;

/** Known devices that a run may miss by chance (protocol Y5). */
const MISSING_TOLERATED = 3;

/**
 * Rounds in a row without any answer of use, and the time they must span, before the run goes on
 * without the service (protocol X19); the work goes on there without us. Quick polling alone proves
 * no absence.
 */
const ABSENT_ROUNDS = 10;
const ABSENT_MS: Milliseconds = 10 * 60_000;

/**
 * However few rounds fit into it: a service may ask for a quarter of an hour of patience in each.
 */
const LONGEST_ABSENCE_MS: Milliseconds = 30 * 60_000;

/** Failures in which nobody at all answered: the client has asked five times over, where that may help. */
const NOBODY: ReadonlySet<WorldCode> = new Set<WorldCode>([
  'proxyRefused',
  'timedOut',
  'tlsFailed',
  'unreachable',
]);

/** Rounds of polling in a row that came to nothing, since when on the monotonic clock, and why the last did. */
interface Absence {
  readonly since: Milliseconds;
  readonly rounds: number;
  readonly why: WorldError;
}

/**
 * How the service answers this run, and what has gone wrong: its clock, its absences, its filters, the
 * devices that it no longer shows, and whether this process itself was suspended.
 */
export class Health {
  readonly #clock: Clock;
  #ahead: Milliseconds = 0;
  #hasAnswered = false;
  #absence: Absence | undefined;
  #missing = 0;
  #areFiltersTried = false;
  #isUnfiltered = false;
  #hasOverslept = false;
  #failure: Error | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Now by the service's clock, as well as its answers tell. */
  serviceNow(): Instant {
    return this.#clock.now() + this.#ahead;
  }

  /**
   * Notes the service's time of an answer and returns it; ours, set to the service's, where it said
   * none.
   */
  dateOf(answer: Dated<unknown>): Instant {
    if (answer.date === undefined) return this.serviceNow();
    this.#ahead = answer.date - this.#clock.now();
    return answer.date;
  }

  /** Throws where the clocks are too far apart for evidence and deadlines to mean the same. */
  refuseSkew(): void {
    const seconds = Math.round(Math.abs(this.#ahead) / 1_000);
    if (Math.abs(this.#ahead) > SKEW_MS) throw new WorldError('clockSkew', { seconds });
  }

  /** The service is there, although rounds before this answer may have missed it. */
  countAnswer(): void {
    this.#hasAnswered = true;
  }

  /** A whole round was answered: what was missed before is over. */
  endAbsence(): void {
    this.#hasAnswered = true;
    this.#absence = undefined;
  }

  /**
   * Counts a round that began at `began`, on the monotonic clock, and got nothing out of the service.
   * Throws why, once the service has been away for too long: at once where nobody has answered this run
   * yet, which then has begun nothing, as `plan` would end.
   */
  countMissed(began: Milliseconds, why: WorldError): void {
    if (!this.#hasAnswered && NOBODY.has(why.code)) throw why;
    const { since, rounds } = this.#absence ?? { since: began, rounds: 0 };
    this.#absence = { since, rounds: rounds + 1, why };
    const absent = this.#clock.monotonic() - since;
    const isLong = rounds + 1 >= ABSENT_ROUNDS && absent >= ABSENT_MS;
    if (isLong || absent >= LONGEST_ABSENCE_MS) throw why;
  }

  /** Why the service is away, and when the run ends by it, going by rounds that are not slow. */
  get absence(): { readonly why: WorldError; readonly givenUpAt: Instant } | undefined {
    if (!this.#absence) return undefined;
    const { since, why } = this.#absence;
    const left = Math.max(0, ABSENT_MS - (this.#clock.monotonic() - since));
    return { why, givenUpAt: this.#clock.now() + left };
  }

  /**
   * Counts a known device that the service does not show when it is asked for by its id. Several of
   * them in one run are no chance: permissions have probably changed (protocol Y5), and with more than
   * three nothing is attempted any more.
   */
  countMissing(): void {
    this.#missing += 1;
    if (this.#missing > MISSING_TOLERATED)
      throw new WorldError('permissionsChanged', { gone: this.#missing });
  }

  /** A filter is no help, so that all rows are read and looked at. */
  get unfiltered(): boolean {
    return this.#isUnfiltered;
  }

  /** The filters were held against what is known of the fleet, once in a run. */
  get areFiltersTried(): boolean {
    return this.#areFiltersTried;
  }

  noteFiltersTried(): void {
    this.#areFiltersTried = true;
  }

  doWithoutFilters(): void {
    this.#isUnfiltered = true;
  }

  /** This process slept for longer than it meant to, and has not read the ledger since. */
  get hasOverslept(): boolean {
    return this.#hasOverslept;
  }

  noteOversleep(): void {
    this.#hasOverslept = true;
  }

  noteLedgerRead(): void {
    this.#hasOverslept = false;
  }

  /** The last failure; the run may have got over it. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  fail(failure: Error): void {
    this.#failure = failure;
  }
}
