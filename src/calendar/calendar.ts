import { Bug } from '../lib/bug.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import type { FreezeSpec, OpenSpan, Wall, WindowSpec } from '../model/documents/window.ts';
import { isIn, spanAt } from './intervals.ts';
import type { Asked, Frozen, Standing } from './window-state.ts';
import { nextStartIn, startsIn, stateIn, type StartSpan } from './starts.ts';
import { createTimelines, type FreezeLine } from './timeline.ts';
import type { Opening } from './windows.ts';

/** How far ahead a calendar looks: what does not open within it counts as never (semantics W30). */
export const HORIZON: Milliseconds = 400 * 86_400_000;

/** How far back it looks, for windows that were missed. */
export const LOOK_BACK: Milliseconds = 100 * 86_400_000;

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
  stateAt(asked: Asked, at: Instant): Standing;
  /**
   * The first instant from `from` on at which a start is allowed; undefined: none within the
   * horizon.
   */
  nextStart(asked: Asked, from: Instant): Instant | undefined;
  /** Every span in which a start is allowed at some instant of the interval, whole and in order. */
  starts(asked: Asked, interval: OpenSpan): readonly StartSpan[];
  /** What is open, whatever the cutoff; an edge that the calendar does not see is infinite. */
  open(asked: Asked): readonly Opening[];
  /** The freezes that concern it, hard ones first, and when each holds. */
  frozen(asked: Asked): readonly FreezeLine[];
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
  const span = { open: now - LOOK_BACK, close: now + goodFor + HORIZON };
  const timelines = createTimelines({ ...input, span });
  const known = (at: Instant): Instant => {
    if (!isIn(span, at)) throw new Bug('asked a calendar for a time it does not know');
    return at;
  };
  return {
    span,
    stateAt(asked, at) {
      const { withoutZone, hard, soft, openings } = timelines.of(asked);
      return {
        ...stands('hard', frozenBy(hard, known(at))),
        ...(withoutZone && { withoutZone }),
        ...stands('soft', frozenBy(soft, at)),
        window: stateIn(openings, at, asked),
      };
    },
    nextStart: (asked, from) => nextStartIn(timelines.of(asked).openings, known(from), asked),
    starts: (asked, interval) => startsIn(timelines.of(asked).openings, interval, asked),
    open: (asked) => timelines.of(asked).openings,
    frozen(asked) {
      const { hard, soft } = timelines.of(asked);
      return [...hard, ...soft];
    },
    lost: timelines.lost,
  };
}

function stands<K extends 'hard' | 'soft'>(
  key: K,
  frozen: Frozen | undefined,
): Partial<Record<K, Frozen>> {
  const standing: Partial<Record<K, Frozen>> = {};
  if (frozen) standing[key] = frozen;
  return standing;
}

/** The freeze that ends last of those that hold; by name where two end together. */
function frozenBy(lines: readonly FreezeLine[], at: Instant): Frozen | undefined {
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
