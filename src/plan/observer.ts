import type { ObservedKind } from '../model/ledger/record.ts';
import type { Changes } from '../model/plan/change.ts';
import type { Judged } from './input.ts';
import type { Instant } from '../lib/time.ts';

/** A reading of the fleet by apply, and the plan made of it. */
export interface Surveyed extends Judged {
  readonly changes: Changes;
}

/** A fact that cannot be read again later: the content of a SEEN record. */
export interface Observation {
  readonly what: ObservedKind;
  readonly subject: string;
  readonly value?: string;
  readonly seenAt: Instant;
}

/**
 * Finds facts that the ledger does not have yet and that later decisions need; a repeated call
 * finds nothing.
 */
export type Observer = (surveyed: Surveyed) => Iterable<Observation>;
