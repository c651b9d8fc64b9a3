import type { Instant, Milliseconds } from '../lib/time.ts';
import type { StartSpan } from './starts.ts';

/** Work that limits force into rounds, one after another. */
export interface Rounds {
  readonly count: number;
  /** How long one round takes. */
  readonly each: Milliseconds;
}

/**
 * The earliest end of all rounds if nothing fails: the rounds follow each other and each starts in
 * a span. Infinite if the spans end first.
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
