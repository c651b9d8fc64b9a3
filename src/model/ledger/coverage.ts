import type { Instant } from '../../lib/time.ts';

/** What a run saw of the fleet, and what it left to people. */
export interface CoverageTerms {
  /** Devices that the reading returned, by site ID; `-` for those without a site. */
  readonly seen: Readonly<Record<string, number>>;
  /** Devices for which the service offers each task. */
  readonly offered: Readonly<Record<string, number>>;
  /** Changes that only a person can continue, as `TASK/DEVICE`, sorted. */
  readonly person: readonly string[];
  /** An exception let fewer devices pass: what is known starts with this record. */
  readonly anew?: true;
}

/** The coverage of a record, with its time. */
export interface CoverageRecord extends CoverageTerms {
  readonly seq: number;
  readonly at: Instant;
}
