import type { Instant, Milliseconds } from '../model/time.ts';
import type { OpenSpan } from '../model/window.ts';
import { indexFrom, spanAt } from './intervals.ts';
import type { Opening } from './windows.ts';

/**
 * A span in which something may start: from `open` until before `lastStart`, and has to be over at
 * `close`.
 */
export interface StartSpan extends OpenSpan {
  readonly lastStart: Instant;
}

/**
 * How a change stands to its windows at one moment. `opens` is the next possible start; absent
 * where none is known.
 */
export type WindowState =
  | {
      readonly is: 'open';
      readonly open: Instant;
      readonly close: Instant;
      readonly lastStart: Instant;
    }
  | {
      readonly is: 'pastCutoff';
      readonly open: Instant;
      readonly close: Instant;
      readonly lastStart: Instant;
      readonly opens?: Instant;
    }
  | { readonly is: 'closed'; readonly opens?: Instant };

/** Whether something may start at an instant, `[open, lastStart)`, and otherwise when. */
export function stateIn(
  openings: readonly Opening[],
  at: Instant,
  autoCutoff: Milliseconds,
): WindowState {
  const opening = spanAt(openings, at);
  const span = opening && startSpan(opening, autoCutoff);
  if (span && at < span.lastStart) return { is: 'open', ...span };
  const opens = nextStartIn(openings, at, autoCutoff);
  const next = opens === undefined ? {} : { opens };
  return span ? { is: 'pastCutoff', ...span, ...next } : { is: 'closed', ...next };
}

/** The first instant from `from` on at which something may start. */
export function nextStartIn(
  openings: readonly Opening[],
  from: Instant,
  autoCutoff: Milliseconds,
): Instant | undefined {
  for (let index = indexFrom(openings, from); index < openings.length; index++) {
    const opening = openings[index];
    if (!opening) break;
    const { open, lastStart } = startSpan(opening, autoCutoff);
    if (Math.max(open, from) < lastStart) return Math.max(open, from);
  }
  return undefined;
}

/** Every span in which something may start at some instant of the interval, whole and in order. */
export function startsIn(
  openings: readonly Opening[],
  interval: OpenSpan,
  autoCutoff: Milliseconds,
): readonly StartSpan[] {
  const end = indexFrom(openings, interval.close) + 1;
  return openings
    .slice(indexFrom(openings, interval.open), end)
    .map((opening) => startSpan(opening, autoCutoff))
    .filter(({ open, lastStart }) => open < lastStart)
    .filter(({ open, lastStart }) => open < interval.close && lastStart > interval.open);
}

/**
 * Where several windows close together the shortest cutoff counts, since several allows never
 * restrict each other; a window that closed earlier has no say.
 */
export function startSpan({ open, close, cutoffs }: Opening, autoCutoff: Milliseconds): StartSpan {
  const cutoff = Math.min(...cutoffs.map((each) => (each === 'auto' ? autoCutoff : each)));
  return { open, close, lastStart: close - cutoff };
}
