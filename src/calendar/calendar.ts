import { Bug } from '../lib/bug.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import type { FreezeSpec, OpenSpan, Wall, WindowSpec } from '../model/documents/window.ts';
import { isIn, spanAt } from './intervals.ts';
import type { WindowQuery, ActiveFreeze, CalendarState } from './window-state.ts';
import { nextStartIn, startsIn, stateIn, type StartSpan } from './starts.ts';
import { createTimelines, type FreezeLine } from './timeline.ts';
import type { WindowOpening } from './windows.ts';

/** How far ahead a calendar looks: what does not open within it counts as never (semantics W30). */
export const HORIZON: Milliseconds = 400 * 86_400_000;

/** How far back it looks, for windows that were missed. */
export const HISTORY_SPAN: Milliseconds = 100 * 86_400_000;

/**
 * Answers for windows and freezes around one moment. What was worked out once is kept, so asking
 * again is cheap.
 */
export interface Calendar {
  /**
   * The time it knows: from `LOOK_BACK` before now to `HORIZON` after the last moment that it is
   * good for. To ask for another instant is a Bug.
   */
  readonly span: OpenSpan;
  stateAt(query: WindowQuery, at: Instant): CalendarState;
  /**
   * The first instant from `from` on at which a start is allowed; undefined: none within the
   * horizon.
   */
  nextStart(query: WindowQuery, from: Instant): Instant | undefined;
  /** Every span in which a start is allowed at some instant of the interval, whole and in order. */
  starts(query: WindowQuery, interval: OpenSpan): readonly StartSpan[];
  /** What is open, whatever the cutoff; an edge that the calendar does not see is infinite. */
  open(query: WindowQuery): readonly WindowOpening[];
  /** The freezes that concern it, hard ones first, and when each holds. */
  frozen(query: WindowQuery): readonly FreezeLine[];
  /**
   * What the clock would read where an allow of the window should open and a change of the clock
   * swallows it.
   */
  lost(window: string, zone: string): readonly Wall[];
}

/**
 * Opens a calendar for the windows and freezes of the documents, by name; `anytime` is built in.
 */
export function createCalendar(input: {
  readonly windows: ReadonlyMap<string, WindowSpec>;
  readonly freezes: ReadonlyMap<string, FreezeSpec>;
  readonly now: Instant;
  /** How long the answers are good for: for so long it looks the whole horizon ahead. */
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
    frozen(query) {
      const { hard, soft } = timelines.of(query);
      return [...hard, ...soft];
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

/** The freeze that ends last of those that hold; by name where two end together. */
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
