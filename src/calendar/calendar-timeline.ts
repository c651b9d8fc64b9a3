import { Bug } from '../lib/bug.ts';
import type { Milliseconds } from '../lib/time.ts';
import {
  ANYTIME,
  ANYTIME_WINDOW,
  type FreezeSpec,
  type OpenSpan,
  type Wall,
  type WindowSpec,
} from '../model/documents/window.ts';
import { freezeSpans, needsZone } from './freezes.ts';
import { unite, type Instants } from './intervals.ts';
import { createReadings } from './wall-clock.ts';
import type { WindowQuery, CalendarState } from './window-state.ts';
import {
  openings,
  windowSpans,
  zonesFor,
  type WindowOpening,
  type WindowSpans,
  type ZonedWindow,
} from './windows.ts';
import { openZone, type Zone } from './zones.ts';
import { computeOnce } from '../lib/compute-once.ts';
import { getOrAdd } from '../lib/maps.ts';

/** The spans of one freeze for a device. */
export interface FreezeLine {
  readonly freeze: string;
  readonly spans: Instants;
}

/**
 * The effect of windows and freezes on all devices with the same windows, freezes, zones and task.
 */
export interface CalendarTimeline {
  readonly withoutZone?: NonNullable<CalendarState['withoutZone']>;
  readonly hard: readonly FreezeLine[];
  readonly soft: readonly FreezeLine[];
  readonly openings: readonly WindowOpening[];
}

export interface Timelines {
  of(query: WindowQuery): CalendarTimeline;
  lost(window: string, zone: string): readonly Wall[];
}

/**
 * How far a calendar reads beyond its horizon, to find the real close of a window that is open
 * there. Without a close it would allow starts that never fit.
 */
const READ_AHEAD: Milliseconds = 32 * 86_400_000;

interface Source {
  readonly windows: ReadonlyMap<string, WindowSpec>;
  readonly freezes: ReadonlyMap<string, FreezeSpec>;
  readonly span: OpenSpan;
}

/** Creates timelines on demand, and computes each window once per zone. */
export function createTimelines(source: Source): Timelines {
  const { span } = source;
  const readSpan = { open: span.open, close: span.close + READ_AHEAD };
  const parts = createParts({ ...source, readSpan });
  const known = new Map<string, CalendarTimeline>();
  return {
    of(query) {
      // Names contain neither commas nor semicolons, so the key is unique.
      const { windows, freezes, zones, task } = query;
      const key = `${task};${windows.join()};${freezes.join()};${zones.join()}`;
      return getOrAdd(known, key, () => buildTimeline(query, parts, { span, readSpan }));
    },
    lost: (window, zone) => parts.panes(window, zone).lost,
  };
}

/** The entries by name, and their spans in one zone. */
interface Parts {
  window(name: string): WindowSpec;
  freeze(name: string): FreezeSpec;
  panes(window: string, zone: string): WindowSpans;
  frozen(freeze: string, zone: string): Instants;
}

function createParts(source: Source & { readonly readSpan: OpenSpan }): Parts {
  const { windows, freezes, span, readSpan } = source;
  const readings = createReadings(readSpan);
  const zoneOf = computeOnce((name: string): Zone => openZone(name, readSpan));
  const panes = computeOnce((window: string) => {
    const spec = window === ANYTIME ? ANYTIME_WINDOW : named(windows, window);
    return computeOnce((zone: string) => windowSpans(spec, zoneOf(zone), readings));
  });
  const frozen = computeOnce((freeze: string) => {
    const spec = named(freezes, freeze);
    return computeOnce((zone: string) =>
      extendEdges(freezeSpans(spec, zoneOf(zone), readSpan), span),
    );
  });
  return {
    window: (name) => (name === ANYTIME ? ANYTIME_WINDOW : named(windows, name)),
    freeze: (name) => named(freezes, name),
    panes: (window, zone) => panes(window)(zone),
    frozen: (freeze, zone) => frozen(freeze)(zone),
  };
}

function buildTimeline(
  query: WindowQuery,
  parts: Parts,
  { span, readSpan }: { readonly span: OpenSpan; readonly readSpan: OpenSpan },
): CalendarTimeline {
  const concerns = ({ tasks }: WindowSpec | FreezeSpec): boolean => tasks.includes(query.task);
  const windows = query.windows.filter((name) => concerns(parts.window(name)));
  const freezes = query.freezes.filter((name) => concerns(parts.freeze(name)));
  const withoutZone = query.zones.length === 0 ? missingZone(windows, freezes, parts) : undefined;
  const lines = freezes.map((freeze) => ({
    freeze,
    spans: unite(
      freezeZones(parts.freeze(freeze), query.zones).map((zone) => parts.frozen(freeze, zone)),
    ),
  }));
  const placed = windows.map((name) => placedIn(name, query.zones, parts));
  const closed = unite(lines.map(({ spans }) => spans));
  const open = withoutZone ? [] : extendEdges(openings(placed, closed), readSpan);
  return {
    ...(withoutZone && { withoutZone }),
    hard: lines.filter(({ freeze }) => parts.freeze(freeze).hard),
    soft: lines.filter(({ freeze }) => !parts.freeze(freeze).hard),
    openings: open.filter((opening) => opening.open < span.close),
  };
}

/** The first window or freeze that uses the zone of the site. */
function missingZone(
  windows: readonly string[],
  freezes: readonly string[],
  parts: Parts,
): CalendarTimeline['withoutZone'] {
  const window = windows.find((name) => parts.window(name).timeZone === 'site');
  if (window !== undefined) return { window };
  const freeze = freezes.find((name) => needsZone(parts.freeze(name)));
  return freeze === undefined ? undefined : { freeze };
}

function freezeZones(freeze: FreezeSpec, zones: readonly string[]): readonly string[] {
  if (needsZone(freeze)) return zones;
  return freeze.timeZone === 'site' ? ['UTC'] : [freeze.timeZone];
}

function placedIn(name: string, zones: readonly string[], parts: Parts): ZonedWindow {
  const window = parts.window(name);
  const panes = zonesFor(window.timeZone, zones).map((zone) => parts.panes(name, zone));
  return { window, panes };
}

/** Extends a span that reaches the edge of the known time to infinity. */
function extendEdges<S extends OpenSpan>(spans: readonly S[], known: OpenSpan): readonly S[] {
  return spans.map((span) => {
    if (span.open > known.open && span.close < known.close) return span;
    return {
      ...span,
      open: span.open <= known.open ? -Infinity : span.open,
      close: span.close >= known.close ? Infinity : span.close,
    };
  });
}

function named<T>(entries: ReadonlyMap<string, T>, name: string): T {
  const entry = entries.get(name);
  if (entry === undefined) throw new Bug(`the loader let an unknown name pass: ${name}`);
  return entry;
}
