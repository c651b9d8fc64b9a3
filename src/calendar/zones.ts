import { Temporal } from 'temporal-polyfill';
import { Bug } from '../lib/bug.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import type { OpenSpan, Wall } from '../model/documents/window.ts';

/** The wall clock of one time zone, over some time. */
export interface Zone {
  /**
   * The instants at which the clock shows this reading, in order: two if a change repeats the hour,
   * and the instant of the change if it skips the reading. Never empty.
   */
  occurrences(wall: Wall): readonly Instant[];
  /** The wall-clock reading at an instant. */
  wallAt(instant: Instant): Wall;
}

/** A piece of time with one UTC offset; it ends where the next begins. */
interface Piece {
  readonly from: Instant;
  readonly offset: Milliseconds;
}

/**
 * Opens a zone for a span and a few days around it. The clock changes are looked up once, so that a
 * reading costs a subtraction. Throws a `Bug` for a name that is no zone, since the loader refuses
 * those.
 */
export function openZone(name: string, span: OpenSpan): Zone {
  const pieces = offsetPieces(name, { open: span.open - MARGIN, close: span.close + MARGIN });
  return {
    occurrences: (wall) => occurrences(pieces, wall),
    wallAt: (instant) => instant + (pieces.findLast(({ from }) => from <= instant)?.offset ?? 0),
  };
}

/** A clock change: the UTC offset before and after. */
export interface ClockChange {
  readonly at: Instant;
  readonly before: Milliseconds;
  readonly after: Milliseconds;
}

/**
 * The clock changes of a zone within a span, in order. Throws a `Bug` for a name that is no zone.
 */
export function clockChanges(name: string, span: OpenSpan): readonly ClockChange[] {
  const pieces = offsetPieces(name, span);
  return pieces
    .slice(1)
    .map(({ from, offset }, index) => ({
      at: from,
      before: pieces[index]?.offset ?? offset,
      after: offset,
    }))
    .filter(({ before, after }) => before !== after);
}

/** More than any UTC offset, and longer than any span. */
const MARGIN: Milliseconds = 8 * 86_400_000;

function offsetPieces(name: string, { open, close }: OpenSpan): readonly Piece[] {
  const start = readingAt(open, name);
  const pieces: Piece[] = [{ from: -Infinity, offset: start.offsetNanoseconds / 1e6 }];
  for (let at = start.getTimeZoneTransition('next'); at; at = at.getTimeZoneTransition('next')) {
    if (at.epochMilliseconds >= close) break;
    pieces.push({ from: at.epochMilliseconds, offset: at.offsetNanoseconds / 1e6 });
  }
  return pieces;
}

function readingAt(at: Instant, name: string): Temporal.ZonedDateTime {
  try {
    return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name);
  } catch (cause) {
    throw new Bug(`the loader let an unknown time zone pass: ${name}`, { cause });
  }
}

function occurrences(pieces: readonly Piece[], wall: Wall): readonly Instant[] {
  const found: Instant[] = [];
  let skippedAt = -Infinity;
  for (const [index, { from, offset }] of pieces.entries()) {
    const at = wall - offset;
    if (at < from) continue;
    if (at < (pieces[index + 1]?.from ?? Infinity)) found.push(at);
    else skippedAt = pieces[index + 1]?.from ?? from;
  }
  return found.length > 0 ? found : [skippedAt];
}
