import type { RunReport } from '../../model/ledger/run-report.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Candidate } from '../send/candidate.ts';
import type { Awaited } from './command.ts';
import type { AttemptEnd } from './reaction.ts';

/** Why a run ended early. */
export type Ended = NonNullable<RunReport['ended']>;

/** The events that the interpreter reports. */
export type RunEvent =
  | { readonly is: 'recovered'; readonly inFlight: number; readonly pollAt: Instant }
  | {
      readonly is: 'surveyed';
      readonly queue: readonly Candidate[];
      /**
       * Why none of it may be attempted: a guardrail refused it, or no approved change is still
       * valid.
       */
      readonly ended?: Ended;
    }
  | {
      readonly is: 'attempted';
      readonly end: AttemptEnd;
      /** Change IDs that left the queue permanently: sent, or decided against. */
      readonly done: ReadonlySet<string>;
      readonly parked: ReadonlySet<string>;
      /** Devices in the batch that was checked. */
      readonly size: number;
      readonly inFlight: number;
      readonly pollAt: Instant;
      readonly retryAfter?: Milliseconds;
    }
  | {
      readonly is: 'polled';
      readonly inFlight: number;
      /** Intents that were closed, or that the run no longer waits for. */
      readonly ended: number;
      readonly pollAt: Instant;
      /** No poll before shows anything new, unless a change waits for headroom. */
      readonly quietUntil: Instant;
      /** The service returned something that must not happen: no further attempt. */
      readonly halt: boolean;
    }
  | { readonly is: 'wakeFound'; readonly at: Instant; readonly why: Awaited }
  /** Open intents of earlier runs could not be checked, because the service was unavailable. */
  | { readonly is: 'unrecovered'; readonly pollAt: Instant }
  /** `anew`: it slept far longer than planned, by one of the clocks, or people let something go on meanwhile. */
  | { readonly is: 'slept'; readonly anew?: boolean }
  | { readonly is: 'stopped'; readonly ended: Ended };
