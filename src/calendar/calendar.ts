import { Bug } from '../lib/bug.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import type { FreezeSpec, OpenSpan, Wall, WindowSpec } from '../model/documents/window.ts';
import { clip, isIn, spanAt, unite } from './intervals.ts';
import type { WindowQuery, ActiveFreeze, CalendarState } from './window-state.ts';
import { nextStartIn, startsIn, stateIn, type StartSpan } from './starts.ts';
import { needsZone } from './freezes.ts';
import { createTimelines, type FreezeLine } from './calendar-timeline.ts';
import type { WindowOpening } from './windows.ts';

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
