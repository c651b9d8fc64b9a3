import type { Instant, Milliseconds } from '../lib/time.ts';
import type { OpenSpan, WindowSpec } from '../model/documents/window.ts';
import { intersection, minus, NEVER, spanAt, unite, type Instants } from './intervals.ts';
import { createReadings, type Readings } from './wall-clock.ts';
import { computeSpans, type RuleSpans } from './rule-spans.ts';
import { openZone, type Zone } from './zones.ts';

/** The spans of one window in one zone. */
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
