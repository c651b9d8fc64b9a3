import type { RunReport } from '../../model/ledger/outcome.ts';
import type { Milliseconds } from '../../lib/time.ts';
import type { Next } from '../send/outcome.ts';

/**
 * How an attempt ended: by the way on of its row, or before its POST. `nothing`: the last look left
 * no device; `lost`: somebody else appended first; `tooSlow`: the reads were too old when the last
 * was in; `unread`: a read failed; `refused`: a guardrail says no by now; `unwritten`: the ledger did
 * not take its ATTEMPT; `held`: the lease could not be renewed for long, or the outbox holds a RESULT;
 * `snapshotStale`: a device is down that the last reading of the fleet did not show.
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
  | 'snapshotStale';

/** What an end means for the attempts that would follow. */
export interface Reaction {
  /** Whether it ends the row of ends that got nowhere, or makes it longer. */
  readonly counts: 'success' | 'failure' | 'throttle' | 'neither';
  readonly pause: 'none' | 'backOff' | 'asTold';
  /** No further attempt in this run. */
  readonly closes: boolean;
  /** The fleet is read anew before anything else. */
  readonly reads?: boolean;
  /** How the run ended, where this end alone says it. */
  readonly ends?: NonNullable<RunReport['ended']>;
  /** How the run ended once too many in a row ended so. */
  readonly exhausted?: NonNullable<RunReport['ended']>;
}

/**
 * Attempts in a row that may get nowhere before the run makes no more (protocol X15, P01).
 */
export const TRIES = 3;

/** Refusals in a row for its pace alone. */
export const PATIENCE = 10;

/** Every end and what follows from it. A refusal for its pace is no failure: it only waits. */
export const REACTIONS: Readonly<Record<AttemptEnd, Reaction>> = {
  poll: { counts: 'success', pause: 'none', closes: false },
  settle: { counts: 'failure', pause: 'none', closes: false },
  giveUp: { counts: 'failure', pause: 'none', closes: false },
  backOff: { counts: 'failure', pause: 'backOff', closes: false, exhausted: 'error' },
  renewToken: { counts: 'neither', pause: 'none', closes: false, exhausted: 'error' },
  waitAsTold: { counts: 'throttle', pause: 'asTold', closes: false, exhausted: 'error' },
  // Like a refused token or a service that is away, a missing right is an error as it is for a read.
  stopAttempts: { counts: 'neither', pause: 'none', closes: true, ends: 'error' },
  halt: { counts: 'neither', pause: 'none', closes: true, ends: 'unfit' },
  nothing: { counts: 'neither', pause: 'none', closes: false },
  lost: { counts: 'failure', pause: 'none', closes: false, exhausted: 'locked' },
  refused: { counts: 'neither', pause: 'none', closes: true, ends: 'guardrail' },
  tooSlow: { counts: 'neither', pause: 'none', closes: false },
  unread: { counts: 'failure', pause: 'backOff', closes: false, exhausted: 'error' },
  unwritten: { counts: 'failure', pause: 'backOff', closes: false, exhausted: 'unfit' },
  held: { counts: 'neither', pause: 'backOff', closes: false },
  // A list of all devices that goes on without one that a list of the down ones shows ends the run.
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
 * How long no attempt is made after an end: growing back-off, or what the service asked for, within
 * 1 s and 15 min.
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
    case 'asTold':
      return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, event.retryAfter ?? 6 * BACK_OFF_MS));
  }
}
