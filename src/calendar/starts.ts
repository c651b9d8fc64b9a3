import type { Instant, Milliseconds } from '../lib/time.ts';
import type { OpenSpan } from '../model/documents/window.ts';
import { indexFrom, spanAt } from './intervals.ts';
import type { WindowOpening } from './windows.ts';

/** The time that a start needs before its window closes. */
export interface StartHeadroom {
  /** The value of `cutoff: auto`: how long one start takes. */
  readonly autoCutoff: Milliseconds;
  /**
   * For several starts in a row that must all finish by the close: the time from the first start to
   * the last. Absent for a single start.
   */
  readonly lead?: Milliseconds;
}

/** A span that allows starts in `[open, lastStart)`; the work must finish by `close`. */
export interface StartSpan extends OpenSpan {
  readonly lastStart: Instant;
}

/**
 * The state of a change's windows at one moment. `opens` is the next possible start, if one is
 * known.
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

/**
 * The window state at an instant: open in `[open, lastStart)`, else with the next possible start.
 */
export function stateIn(
  openings: readonly WindowOpening[],
  at: Instant,
  headroom: StartHeadroom,
): WindowState {
  const opening = spanAt(openings, at);
  const span = opening && startSpan(opening, headroom);
  if (span && at < span.lastStart) return { is: 'open', ...span };
  const opens = nextStartIn(openings, at, headroom);
  const next = opens === undefined ? {} : { opens };
  return span ? { is: 'pastCutoff', ...span, ...next } : { is: 'closed', ...next };
}

/** The first instant from `from` on at which something may start; undefined if there is none. */
export function nextStartIn(
  openings: readonly WindowOpening[],
  from: Instant,
  headroom: StartHeadroom,
): Instant | undefined {
  for (let index = indexFrom(openings, from); index < openings.length; index++) {
    const opening = openings[index];
    if (!opening) break;
    const { open, lastStart } = startSpan(opening, headroom);
    if (Math.max(open, from) < lastStart) return Math.max(open, from);
  }
  return undefined;
}

/** Every span that allows a start at some instant of the interval, unclipped and in order. */
export function startsIn(
  openings: readonly WindowOpening[],
  interval: OpenSpan,
  headroom: StartHeadroom,
): readonly StartSpan[] {
  const end = indexFrom(openings, interval.close) + 1;
  const starts: StartSpan[] = [];
  for (let index = indexFrom(openings, interval.open); index < end; index++) {
    const opening = openings[index];
    if (!opening) break;
    const start = startSpan(opening, headroom);
    const { open, lastStart } = start;
    if (open < lastStart && open < interval.close && lastStart > interval.open) starts.push(start);
  }
  return starts;
}

/**
 * The span that allows starts. If several windows close together the shortest cutoff counts, since
 * several allows never restrict each other; a window that closed earlier does not count. The last
 * of several starts in a row keeps the cutoff and finishes by the close.
 */
export function startSpan(
  { open, close, cutoffs }: WindowOpening,
  { autoCutoff, lead }: StartHeadroom,
): StartSpan {
  let cutoff = Infinity;
  for (const each of cutoffs) cutoff = Math.min(cutoff, each === 'auto' ? autoCutoff : each);
  const needed = lead === undefined ? cutoff : lead + Math.max(cutoff, autoCutoff);
  return { open, close, lastStart: close - needed };
}
