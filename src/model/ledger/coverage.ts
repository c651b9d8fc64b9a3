import { counts, listOf, optional, type Shaped, text, yes } from '../../lib/shape.ts';
import type { Instant } from '../../lib/time.ts';

/** What a run saw of the fleet, and what it left to people. */
export const COVERAGE = {
  /** Devices that the reading returned, by site ID; `-` for those without a site. */
  seen: counts,
  /** Devices for which the service offers each task. */
  offered: counts,
  /** Changes that only a person can continue, as `TASK/DEVICE`, sorted. */
  person: listOf(text),
  /** An exception let fewer devices pass: what is known starts with this record. */
  anew: optional(yes),
  /** Digest of the documents of the run; absent where it planned a part of the fleet. */
  documents: optional(text),
  /** From when on a run has something to do, by this reading: an instant, or `never`. */
  next: optional(text),
};
export type CoverageTerms = Shaped<typeof COVERAGE>;

export interface CoverageRecord extends CoverageTerms {
  readonly seq: number;
  readonly at: Instant;
}
