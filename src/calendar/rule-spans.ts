import { Bug } from '../lib/bug.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import type { OpenSpan, Span, Wall } from '../model/documents/window.ts';
import { clip, isIn, union, type Instants } from './intervals.ts';
import type { Readings, TimedSpan } from './wall-clock.ts';
import type { Zone } from './zones.ts';

/**
 * How a clock change that leaves a choice is resolved: an allow takes the shorter span, a deny the
 * longer.
 */
export type Width = 'narrow' | 'wide';

/** The spans of one rule in one zone. */
export interface RuleSpans {
  readonly spans: Instants;
  /** The wall-clock starts that a clock change skips. */
  readonly lost: readonly Wall[];
}

interface Frame {
  readonly zone: Zone;
  readonly width: Width;
  readonly readings: Readings;
}

/**
 * The spans of one rule in one zone, clipped to the interval of the readings (semantics W26, with
 * the vectors W1 to W22).
 */
export function computeSpans(rule: Span, frame: Frame): RuleSpans {
  const { interval } = frame.readings;
  if (rule.is === 'always') return { spans: [interval], lost: [] };
  const spans: OpenSpan[] = [];
  const lost: Wall[] = [];
  for (const reading of frame.readings.of(rule)) {
    const opened = spansFrom(reading, rule, frame);
    spans.push(...opened);
    if (opened.length > 0) continue;
    if (isIn(interval, first(frame.zone.occurrences(reading)))) lost.push(reading);
  }
  return { spans: clip(union(spans), interval), lost };
}

/** The spans that start at one wall-clock reading: one, two if the hour repeats, none in a gap. */
function spansFrom(reading: Wall, rule: TimedSpan, { zone, width }: Frame): readonly OpenSpan[] {
  const starts = zone.occurrences(reading);
  const opens = width === 'narrow' ? starts.slice(0, 1) : starts;
  if (rule.is === 'cron') return opens.map((open) => ({ open, close: open + rule.duration }));
  const ends = zone.occurrences(reading + wallLength(rule));
  return opens
    .map((open) => ({
      open,
      close: width === 'narrow' ? first(ends) : wideEnd(open, { starts, ends }),
    }))
    .filter(({ open, close }) => open < close);
}

/** The wall-clock length of a rule; `to` is on the next day if it is earlier than `from`. */
function wallLength({ from, to }: TimedSpan & { is: 'days' }): Milliseconds {
  return (to - from + (to <= from ? 1_440 : 0)) * 60_000;
}

/**
 * If the start repeats, each span ends at the first end after it; if the start is unique, at the
 * last end.
 */
function wideEnd(
  open: Instant,
  { starts, ends }: { readonly starts: readonly Instant[]; readonly ends: readonly Instant[] },
): Instant {
  if (starts.length > 1) return ends.find((end) => end > open) ?? open;
  return ends.at(-1) ?? open;
}

function first([instant]: readonly Instant[]): Instant {
  if (instant === undefined) throw new Bug('a wall clock without an instant');
  return instant;
}
