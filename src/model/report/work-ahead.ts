import type { Instant } from '../../lib/time.ts';

/** From when on a scheduled run of a fleet has work, as far as documents, ledger and clock tell. */
export interface WorkAhead {
  readonly from: Instant;
  readonly why: WorkReason;
  /** The policy, window or entry, or what is unclear; and an instant of it. */
  readonly name?: string;
  readonly of?: Instant;
}

export type WorkReason =
  | 'none'
  | 'open'
  | 'unread'
  | 'edited'
  | 'anytime'
  | 'window'
  | 'next'
  | 'date'
  | 'day'
  | 'unclear';
