import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { ProgressEvent } from '../../model/progress.ts';
import { readsAheadWords, readsLeftWords } from '../words/reading-words.ts';

type SingleReads = Extract<ProgressEvent, { name: 'details' }>;

/** Reads that take at least this long are worth a sentence beforehand. */
const WORTH_SAYING: Milliseconds = 10_000;

/** How long it takes until the speed of a few reads says something about the rest. */
const SETTLED: Milliseconds = 5_000;

/** What can be said of the single reads at one event. */
interface ReadingRate {
  /** At the first event, if they take long: how many are ahead, and how long they take. */
  readonly ahead?: string;
  /** Their speed and the time left, by what was read so far. */
  readonly left?: string;
}

/**
 * Follows the single reads of one reading of the fleet after another, to say how long they take
 * before they begin, and how long they still take (semantics N30).
 */
export function followReadingRate(): (event: SingleReads, now: Instant) => ReadingRate {
  let first: { readonly done: number; readonly at: Instant } | undefined;
  let last = Infinity;
  return (event, now) => {
    const isFirst = first === undefined || event.done < last;
    if (first === undefined || isFirst) first = { done: event.done, at: now };
    last = event.done;
    return isFirst ? timeAhead(event) : timeLeft(event, now - first.at, event.done - first.done);
  };
}

function timeAhead({ done, total, perSecond, due = 0 }: SingleReads): ReadingRate {
  if (perSecond === undefined) return {};
  const takes = ((total - done) / perSecond) * 1_000;
  return takes < WORTH_SAYING
    ? {}
    : { ahead: readsAheadWords({ reads: total - done, perSecond, takes, due }) };
}

function timeLeft({ done, total }: SingleReads, took: Milliseconds, read: number): ReadingRate {
  if (read <= 0 || took < SETTLED || done >= total) return {};
  return { left: readsLeftWords(read / (took / 1_000), ((total - done) / read) * took) };
}
