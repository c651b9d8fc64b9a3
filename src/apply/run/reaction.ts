import type { RunReport } from '../../model/ledger/run-report.ts';
import type { Milliseconds } from '../../lib/time.ts';
import type { Next } from '../send/answer-outcome.ts';

/**
 * How an attempt ended: by the `next` of its row, or before its POST. `nothing`: the last look left
 * no device; `lost`: another run appended first; `tooSlow`: the reads were too old when the last
 * one finished; `unread`: a read failed; `refused`: a guardrail now refuses it; `unwritten`: the
 * ledger did not take its ATTEMPT; `held`: the lease was not renewed for too long, or the outbox
 * holds a RESULT; `snapshotStale`: a down device is missing from the last reading of the fleet;
 * `overtaken`: other documents are the newest; `unlooked`: which are the newest could not be read.
 */
export type AttemptEnd =
  | Next
  | 'nothing'
  | 'lost'
  | 'tooSlow'
  | 'unread'
  | 'refused'
  | 'unwritten'
  | 'held'
  | 'snapshotStale'
  | 'overtaken'
  | 'unlooked';

/** The effect of an end on later attempts. */
export interface Reaction {
  /** Whether it resets or extends the sequence of failed attempts. */
  readonly counts: 'success' | 'failure' | 'throttle' | 'neither';
  readonly pause: 'none' | 'backOff' | 'asRequested';
  /** No further attempt in this run. */
  readonly closes: boolean;
  /** The fleet is read again before anything else. */
  readonly reads?: boolean;
  /** How the run ends, where this end decides it. */
  readonly ends?: NonNullable<RunReport['ended']>;
  /** How the run ends after too many such ends in a row. */
  readonly exhausted?: NonNullable<RunReport['ended']>;
}

/** Failed attempts in a row after which the run makes no more (protocol X15, P01). */
export const TRIES = 3;

/** Throttled attempts in a row. */
export const PATIENCE = 10;

/** Every end with its effect. Throttling is not a failure; the run only waits. */
export const REACTIONS: Readonly<Record<AttemptEnd, Reaction>> = {
  poll: { counts: 'success', pause: 'none', closes: false },
  settle: { counts: 'failure', pause: 'none', closes: false },
  giveUp: { counts: 'failure', pause: 'none', closes: false },
  backOff: { counts: 'failure', pause: 'backOff', closes: false, exhausted: 'error' },
  renewToken: { counts: 'neither', pause: 'none', closes: false, exhausted: 'error' },
  throttled: { counts: 'throttle', pause: 'asRequested', closes: false, exhausted: 'error' },
  // A missing permission is an error, as it is for a read, a refused token or an unavailable
  // service.
  stopAttempts: { counts: 'neither', pause: 'none', closes: true, ends: 'error' },
  halt: { counts: 'neither', pause: 'none', closes: true, ends: 'unfit' },
  nothing: { counts: 'neither', pause: 'none', closes: false },
  lost: { counts: 'failure', pause: 'none', closes: false, exhausted: 'locked' },
  refused: { counts: 'neither', pause: 'none', closes: true, ends: 'guardrail' },
  tooSlow: { counts: 'neither', pause: 'none', closes: false },
  unread: { counts: 'failure', pause: 'backOff', closes: false, exhausted: 'error' },
  unwritten: { counts: 'failure', pause: 'backOff', closes: false, exhausted: 'unfit' },
  held: { counts: 'neither', pause: 'backOff', closes: false },
  overtaken: { counts: 'neither', pause: 'none', closes: true, ends: 'overtaken' },
  unlooked: { counts: 'throttle', pause: 'backOff', closes: false, exhausted: 'unfit' },
  // If the list of all devices still lacks a device that the list of down devices has, the run
  // ends.
  snapshotStale: {
    counts: 'throttle',
    pause: 'backOff',
    closes: false,
    reads: true,
    exhausted: 'error',
  },
};

const BACK_OFF_MS: Milliseconds = 5_000;
const SHORTEST_MS: Milliseconds = 1_000;
const LONGEST_MS: Milliseconds = 15 * 60_000;

/**
 * The pause before the next attempt: an increasing back-off, or the time that the service asked
 * for, between 1 s and 15 min.
 */
export function pauseAfter(
  event: { readonly end: AttemptEnd; readonly retryAfter?: Milliseconds },
  streak: number,
): Milliseconds {
  switch (REACTIONS[event.end].pause) {
    case 'none':
      return 0;
    case 'backOff':
      return BACK_OFF_MS * 3 ** Math.max(0, streak - 1);
    case 'asRequested':
      return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, event.retryAfter ?? 6 * BACK_OFF_MS));
  }
}
