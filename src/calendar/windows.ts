import type { Instant, Milliseconds } from '../lib/time.ts';
import type { OpenSpan, WindowSpec, Span, Wall } from '../model/documents/window.ts';
import {
  intersection,
  minus,
  NEVER,
  spanAt,
  unite,
  type Instants,
  clip,
  isIn,
  union,
} from './intervals.ts';
import { createReadings, type Readings, type TimedSpan } from './wall-clock.ts';
import { openZone, type Zone } from './zones.ts';
import { Bug } from '../lib/bug.ts';

export interface WindowSpans {
  readonly allow: Instants;
  readonly deny: Instants;
  /** The `lost` readings of the allows; see `RuleSpans.lost`. */
  readonly lost: RuleSpans['lost'];
}

/**
 * One open span of several windows, and the cutoffs of the windows that stay open until it closes.
 */
export interface WindowOpening extends OpenSpan {
  readonly cutoffs: readonly ('auto' | Milliseconds)[];
}

/** A window with its spans in each zone of a device. */
export interface ZonedWindow {
  readonly window: WindowSpec;
  readonly panes: readonly WindowSpans[];
}

/**
 * The open spans for a device whose sites are in `zones`: the union of the allows minus every deny,
 * clipped to the interval. With several zones an allow must be open in all of them, and a deny
 * counts in any. Spans that touch or overlap become one, with one close.
 */
export function openSpans(
  windows: readonly WindowSpec[],
  zones: readonly string[],
  interval: OpenSpan,
): readonly WindowOpening[] {
  const readings = createReadings(interval);
  const placed = windows.map((window) => ({
    window,
    panes: zonesFor(window.timeZone, zones).map((name) =>
      windowSpans(window, openZone(name, interval), readings),
    ),
  }));
  return openings(placed, NEVER);
}

/** The zones that a `timeZone` means: those of the device's sites, or the named one. */
export function zonesFor(timeZone: string, zones: readonly string[]): readonly string[] {
  return timeZone === 'site' ? zones : [timeZone];
}

/** The spans of one window in one zone, over the interval of the readings. */
export function windowSpans(window: WindowSpec, zone: Zone, readings: Readings): WindowSpans {
  const allow = window.allow.map((rule) => computeSpans(rule, { zone, readings, width: 'narrow' }));
  const deny = window.deny.map((rule) => computeSpans(rule, { zone, readings, width: 'wide' }));
  return {
    allow: unite(allow.map(({ spans }) => spans)),
    deny: unite(deny.map(({ spans }) => spans)),
    lost: allow.flatMap(({ lost }) => lost),
  };
}

/** The open spans of the windows, minus those in `closed`. */
export function openings(
  placed: readonly ZonedWindow[],
  closed: Instants,
): readonly WindowOpening[] {
  const allows = placed.map(({ window, panes }) => ({
    cutoff: window.cutoff,
    spans: intersection(panes.map(({ allow }) => allow)),
  }));
  const denies = placed.flatMap(({ panes }) => panes.map(({ deny }) => deny));
  const cutoffs = [...new Set(allows.map(({ cutoff }) => cutoff))];
  const cutoffsAt = (at: Instant): WindowOpening['cutoffs'] =>
    cutoffs.filter((each) =>
      allows.some(({ cutoff, spans }) => cutoff === each && spanAt(spans, at)),
    );
  return minus(unite(allows.map(({ spans }) => spans)), unite([...denies, closed])).map(
    ({ open, close }) => ({
      open,
      close,
      cutoffs: cutoffs.length === 1 ? cutoffs : cutoffsAt(close - 1),
    }),
  );
}

/**
 * How a clock change that leaves a choice is resolved: an allow takes the shorter span, a deny the
 * longer.
 */
export type Width = 'narrow' | 'wide';

interface RuleSpans {
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
