import { Bug } from '../model/bug.ts';
import type { Instant, Milliseconds } from '../model/time.ts';
import { WEEKDAYS, type OpenSpan, type Span, type Wall } from '../model/window.ts';
import { parseCron, type Cron } from './cron.ts';
import { clip, isIn, union, type Instants } from './intervals.ts';
import type { Zone } from './zones.ts';

/**
 * Where a change of the clock leaves a choice, an allow takes the shorter span and a deny the
 * longer.
 */
export type Width = 'narrow' | 'wide';

/** What one rule means in one zone over some time. */
export interface Enumerated {
  readonly spans: Instants;
  /** What the clock would have read at the starts of spans that a change of it swallowed. */
  readonly lost: readonly Wall[];
}

interface Frame {
  readonly zone: Zone;
  readonly width: Width;
  readonly interval: OpenSpan;
}

/**
 * The spans of one rule in one zone, cut to an interval (semantics 4.6, the rules and vectors for
 * clock changes).
 */
export function spansOf(rule: Span, frame: Frame): Enumerated {
  if (rule.is === 'always') return { spans: [frame.interval], lost: [] };
  const found = rule.is === 'days' ? dayFormSpans(rule, frame) : cronFormSpans(rule, frame);
  const lost = found.filter(({ spans }) => spans.length === 0).map(({ start }) => start);
  return {
    spans: clip(union(found.flatMap(({ spans }) => spans)), frame.interval),
    lost: lost.filter((start) => isIn(frame.interval, first(frame.zone.occurrences(start)))),
  };
}

const MINUTE: Milliseconds = 60_000;
const DAY: Milliseconds = 86_400_000;

/** A day before and two after the interval no span reaches into it, whatever the zone. */
const MARGIN: Milliseconds = 3 * DAY;

/** One start by the wall clock, and the spans it opens: none, one, or two where it comes twice. */
interface Occurrence {
  readonly start: Wall;
  readonly spans: readonly OpenSpan[];
}

function dayFormSpans(rule: Span & { is: 'days' }, frame: Frame): readonly Occurrence[] {
  const days = new Set(rule.days.map((day) => WEEKDAYS.indexOf(day)));
  const found: Occurrence[] = [];
  const { open, close } = frame.interval;
  const first = Math.floor((open - MARGIN) / DAY) * DAY;
  for (let day = first; day < close + MARGIN; day += DAY) {
    if (!days.has(new Date(day).getUTCDay())) continue;
    const start = day + rule.from * MINUTE;
    const end = day + rule.to * MINUTE + (rule.to <= rule.from ? DAY : 0);
    found.push({ start, spans: between(start, end, frame) });
  }
  return found;
}

/** From one reading of the wall clock to another. */
function between(start: Wall, end: Wall, { zone, width }: Frame): readonly OpenSpan[] {
  const starts = zone.occurrences(start);
  const ends = zone.occurrences(end);
  const spans = startsThatCount(starts, width).map((open) => ({
    open,
    close: width === 'narrow' ? first(ends) : wideEnd(open, { starts, ends }),
  }));
  return spans.filter(({ open, close }) => open < close);
}

/**
 * The start that comes twice ends at the first end after each; the start that comes once, at the
 * last end.
 */
function wideEnd(
  open: Instant,
  { starts, ends }: { readonly starts: readonly Instant[]; readonly ends: readonly Instant[] },
): Instant {
  if (starts.length > 1) return ends.find((end) => end > open) ?? open;
  return ends.at(-1) ?? open;
}

function cronFormSpans(rule: Span & { is: 'cron' }, frame: Frame): readonly Occurrence[] {
  const { open, close } = frame.interval;
  const cron = readCron(rule.cron);
  const days = cron.days(Math.floor((open - MARGIN) / DAY) * DAY, close + MARGIN);
  return days.flatMap((day) =>
    cron.times.map((time) => {
      const start = day + time * MINUTE;
      const starts = startsThatCount(frame.zone.occurrences(start), frame.width);
      return { start, spans: starts.map((at) => ({ open: at, close: at + rule.duration })) };
    }),
  );
}

function readCron(text: string): Cron {
  const cron = parseCron(text);
  if ('problem' in cron) throw new Bug(`the loader let a cron expression pass: ${text}`);
  return cron;
}

function startsThatCount(starts: readonly Instant[], width: Width): readonly Instant[] {
  return width === 'narrow' ? [first(starts)] : starts;
}

function first([instant]: readonly Instant[]): Instant {
  if (instant === undefined) throw new Bug('a wall clock without an instant');
  return instant;
}
