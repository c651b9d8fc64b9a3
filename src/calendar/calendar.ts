import { Bug } from '../lib/bug.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import {
  type FreezeSpec,
  type OpenSpan,
  type Wall,
  type WindowSpec,
  ANYTIME,
  ANYTIME_WINDOW,
} from '../model/documents/window.ts';
import { clip, isIn, spanAt, unite, type Instants } from './intervals.ts';
import type { WindowQuery, ActiveFreeze, CalendarState } from './window-state.ts';
import { nextStartIn, startsIn, stateIn, type StartSpan } from './starts.ts';
import { needsZone, freezeSpans } from './freezes.ts';
import {
  type WindowOpening,
  openings,
  windowSpans,
  zonesFor,
  type WindowSpans,
  type ZonedWindow,
} from './windows.ts';
import { createReadings } from './wall-clock.ts';
import { openZone, type Zone } from './zones.ts';
import { computeOnce } from '../lib/compute-once.ts';
import { getOrAdd } from '../lib/maps.ts';

/**
 * How far ahead a calendar reaches. A window that does not open within this time counts as never
 * open (semantics W30).
 */
export const HORIZON: Milliseconds = 400 * 86_400_000;

/** How far back a calendar reaches, to find missed windows. */
export const HISTORY_SPAN: Milliseconds = 100 * 86_400_000;

/** Time in which a start would be allowed but for a freeze. */
export interface FrozenSpan extends OpenSpan {
  readonly freeze: string;
  /** The whole freeze, and the zone of the site where it follows that. */
  readonly of: OpenSpan;
  readonly zone: string | undefined;
}

/** Answers questions about windows and freezes around one moment, and caches what it computes. */
export interface Calendar {
  /**
   * The time that the calendar covers: from `HISTORY_SPAN` before now to `HORIZON` after the end of
   * `goodFor`. A query for an instant outside throws a `Bug`.
   */
  readonly span: OpenSpan;
  stateAt(query: WindowQuery, at: Instant): CalendarState;
  /**
   * The first instant from `from` on at which a start is allowed; undefined if there is none within
   * the horizon.
   */
  nextStart(query: WindowQuery, from: Instant): Instant | undefined;
  /** Every span that allows a start at some instant of the interval, unclipped and in order. */
  starts(query: WindowQuery, interval: OpenSpan): readonly StartSpan[];
  /** The open spans, whatever the cutoff. An edge beyond the calendar is infinite. */
  open(query: WindowQuery): readonly WindowOpening[];
  /** The first instant from `from` on at which no hard freeze is on; Infinity if there is none. */
  afterHardFreezes(query: WindowQuery, from: Instant): Instant;
  /** The names of the soft freezes that are on, in order. */
  softFreezes(query: WindowQuery, at: Instant): readonly string[];
  /** What freezes take from the spans that would allow a start. */
  frozenStarts(query: WindowQuery, interval: OpenSpan): readonly FrozenSpan[];
  /** The wall-clock starts of the window's allows that a clock change skips. */
  lost(window: string, zone: string): readonly Wall[];
}

/** Creates a calendar for the windows and freezes of the documents; `anytime` is built in. */
export function createCalendar(input: {
  readonly windows: ReadonlyMap<string, WindowSpec>;
  readonly freezes: ReadonlyMap<string, FreezeSpec>;
  readonly now: Instant;
  /** How long the calendar is valid: throughout this time it covers the whole horizon ahead. */
  readonly goodFor?: Milliseconds;
}): Calendar {
  const { now, goodFor = 0 } = input;
  const span = { open: now - HISTORY_SPAN, close: now + goodFor + HORIZON };
  const timelines = createTimelines({ ...input, span });
  const known = (at: Instant): Instant => {
    if (!isIn(span, at)) throw new Bug('asked a calendar for a time it does not know');
    return at;
  };
  return {
    span,
    stateAt(query, at) {
      const { withoutZone, hard, soft, openings } = timelines.of(query);
      return {
        ...stateAt('hard', frozenBy(hard, known(at))),
        ...(withoutZone && { withoutZone }),
        ...stateAt('soft', frozenBy(soft, at)),
        window: stateIn(openings, at, query),
      };
    },
    nextStart: (query, from) => nextStartIn(timelines.of(query).openings, known(from), query),
    starts: (query, interval) => startsIn(timelines.of(query).openings, interval, query),
    open: (query) => timelines.of(query).openings,
    afterHardFreezes(query, from) {
      const frozen = unite(timelines.of(query).hard.map(({ spans }) => spans));
      return spanAt(frozen, from)?.close ?? from;
    },
    softFreezes: (query, at) =>
      timelines
        .of(query)
        .soft.filter(({ spans }) => spanAt(spans, known(at)) !== undefined)
        .map(({ freeze }) => freeze)
        .sort(compareTexts),
    frozenStarts(query, interval) {
      const { hard, soft } = timelines.of(query);
      if (hard.length + soft.length === 0) return [];
      const { openings } = timelines.of({ ...query, freezes: [] });
      const free = startsIn(openings, interval, query).map(({ open, lastStart: close }) => {
        return { open, close };
      });
      return [...hard, ...soft].flatMap(({ freeze, spans }) => {
        const spec = input.freezes.get(freeze);
        const zone = spec && needsZone(spec) ? query.zones[0] : undefined;
        const shared = { freeze, zone };
        return spans.flatMap((of) => clip(free, of).map((span) => ({ ...span, ...shared, of })));
      });
    },
    lost: timelines.lost,
  };
}

function stateAt<K extends 'hard' | 'soft'>(
  key: K,
  frozen: ActiveFreeze | undefined,
): Partial<Record<K, ActiveFreeze>> {
  const state: Partial<Record<K, ActiveFreeze>> = {};
  if (frozen) state[key] = frozen;
  return state;
}

/** The active freeze that ends last; by name if two end together. */
function frozenBy(lines: readonly FreezeLine[], at: Instant): ActiveFreeze | undefined {
  let last: { readonly freeze: string; readonly close: Instant } | undefined;
  for (const { freeze, spans } of lines) {
    const close = spanAt(spans, at)?.close;
    if (close !== undefined && close > (last?.close ?? -Infinity)) last = { freeze, close };
  }
  if (!last) return undefined;
  return last.close === Infinity
    ? { freeze: last.freeze }
    : { freeze: last.freeze, to: last.close };
}

/** The spans of one freeze for a device. */
interface FreezeLine {
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
function createTimelines(source: Source): Timelines {
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
