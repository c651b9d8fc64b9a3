import { pick } from '../../lib/objects.ts';
import type { Milliseconds } from '../../lib/time.ts';

export interface ReadingLimits {
  /** Single reads of this command; absent: as many as the pace makes in `seconds`. */
  readonly maxReads?: number;
  /** The greatest age of a fact that is believed. */
  readonly maxAge?: Milliseconds;
  /** Absent: those of a command that only reads. */
  readonly seconds?: number;
}

/** The single reads that a command makes by default, in seconds of the pace (semantics N20). */
export const READING_SECONDS = { read: 300, apply: 600, ci: 1_800 } as const;

/** The greatest age of a fact that is believed, by default (semantics N8). */
export const MAX_AGE: Milliseconds = 7 * 86_400_000;

export function pickLimits(flags: ReadingLimits): ReadingLimits {
  return pick(flags, 'maxReads', 'maxAge', 'seconds');
}
