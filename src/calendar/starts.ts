import type { Instant, Milliseconds } from '../lib/time.ts';
import type { OpenSpan } from '../model/documents/window.ts';
import { indexFrom, spanAt } from './intervals.ts';
import type { WindowOpening } from './windows.ts';

/** How much of the time before a close a start needs. */
export interface StartHeadroom {
  /** What `cutoff: auto` comes to: how long one start takes. */
  readonly autoCutoff: Milliseconds;
  /**
   * Of several starts in a row that all have to be over by the close: how long after the first one
   * the last one begins. Absent: it is a single one.
   */
  readonly lead?: Milliseconds;
}

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

/** The first instant from `from` on at which something may start. */
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

/** Every span in which something may start at some instant of the interval, whole and in order. */
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
 * Where several windows close together the shortest cutoff counts, since several allows never
 * restrict each other; a window that closed earlier has no say. The last of several starts in a row
 * keeps to the cutoff as any other, and is over by the close.
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
