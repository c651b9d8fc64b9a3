import type { RunReport } from '../../model/ledger/outcome.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Candidate } from '../send/candidate.ts';
import type { Awaited } from './command.ts';
import type { AttemptEnd } from './reaction.ts';

/** Why a run ended before its work was done. */
export type Ended = NonNullable<RunReport['ended']>;

/** What happened, as the interpreter saw it. */
export type RunEvent =
  | { readonly is: 'recovered'; readonly inFlight: number; readonly pollAt: Instant }
  | {
      readonly is: 'surveyed';
      readonly queue: readonly Candidate[];
      /**
       * Nothing of it may be attempted: refused by a guardrail, or none of what was approved still
       * holds.
       */
      readonly ended?: Ended;
    }
  | {
      readonly is: 'attempted';
      readonly end: AttemptEnd;
      /** Change ids that left the queue for good: sent, or decided against. */
      readonly done: ReadonlySet<string>;
      readonly parked: ReadonlySet<string>;
      /** Devices in the batch that was looked at. */
      readonly size: number;
      readonly inFlight: number;
      readonly pollAt: Instant;
      readonly retryAfter?: Milliseconds;
    }
  | {
      readonly is: 'polled';
      readonly inFlight: number;
      /** Intents that were settled, or given up waiting for. */
      readonly ended: number;
      readonly pollAt: Instant;
      /** The service showed something that must not be: no further attempt. */
      readonly halt: boolean;
    }
  | { readonly is: 'wakeFound'; readonly at: Instant; readonly why: Awaited }
  /** What earlier runs left open could not be looked at: the service was not there. */
  | { readonly is: 'unrecovered'; readonly pollAt: Instant }
  /** `overslept`: for far longer than it was meant to, by one of the clocks. */
  | { readonly is: 'slept'; readonly overslept?: boolean }
  | { readonly is: 'stopped'; readonly ended: Ended };
