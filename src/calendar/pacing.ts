import type { Instant, Milliseconds } from '../lib/time.ts';
import type { StartSpan } from './starts.ts';

/** What has to be done one round after another, since limits let only so many run at once. */
export interface Rounds {
  readonly count: number;
  /** How long one of them takes. */
  readonly each: Milliseconds;
}

/**
 * When the last of some rounds is over at the earliest, if nothing fails: each starts where a span
 * takes starts, one after another. Infinite where the spans end before.
 */
export function endOfRounds(
  starts: readonly StartSpan[],
  from: Instant,
  { count, each }: Rounds,
): Instant {
  let left = count;
  let at = from;
  for (const { open, lastStart } of starts) {
    const first = Math.max(open, at);
    if (first >= lastStart) continue;
    const fit = Number.isFinite(lastStart) ? Math.ceil((lastStart - first) / each) : Infinity;
    if (left <= fit) return first + left * each;
    left -= fit;
    at = first + fit * each;
  }
  return Infinity;
}
