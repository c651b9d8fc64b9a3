import type { Instant, Milliseconds } from '../lib/time.ts';
import type { OpenSpan } from '../model/documents/window.ts';
import { HORIZON, type Calendar } from './calendar.ts';
import { clip, type Instants } from './intervals.ts';
import type { WindowQuery } from './window-state.ts';
import { startSpan, type StartSpan } from './starts.ts';

/**
 * Whether and when something can ever start in the 400 days after an instant: the static proof
 * (semantics W30).
 */
export interface StartProof {
  readonly over: OpenSpan;
  /** The spans that allow a start; empty if nothing can ever start. */
  readonly starts: readonly StartSpan[];
  /**
   * Counter-examples: open spans that are no longer than the cutoff, so nothing can start in them.
   */
  readonly tooShort: readonly OpenSpan[];
}

/** Proves starts for one query over the 400 days after `from`. */
export function proveStarts(calendar: Calendar, query: WindowQuery, from: Instant): StartProof {
  const over = { open: from, close: Math.min(from + HORIZON, calendar.span.close) };
  const starts = calendar.starts(query, over);
  return {
    over,
    starts,
    // Computed on demand: only callers that find no start read it.
    get tooShort() {
      return calendar
        .open(query)
        .filter(({ open, close }) => open < over.close && close > over.open)
        .filter((opening) => opening.open >= startSpan(opening, query).lastStart);
    },
  };
}

/**
 * Counter-examples for a deadline: stretches without a possible start that are at least `within`
 * long. Work that falls due at the beginning of one cannot start in time. An empty result proves
 * that all work can.
 */
export function startGaps({ over, starts }: StartProof, within: Milliseconds): readonly OpenSpan[] {
  const found: OpenSpan[] = [];
  let open = over.open;
  for (const start of [...starts, { open: over.close, lastStart: over.close }]) {
    if (start.open - open >= within) found.push({ open, close: start.open });
    open = Math.max(open, start.lastStart);
  }
  return found;
}

/**
 * The first `most` spans in which work that falls due at `due` may start before `before`. Every
 * device calls this, so it uses a binary search.
 */
export function startChances(
  starts: readonly StartSpan[],
  { due, before, most }: { readonly due: Instant; readonly before: Instant; readonly most: number },
): readonly StartSpan[] {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle]?.lastStart ?? Infinity) <= due) low = middle + 1;
    else high = middle;
  }
  return starts.slice(low, low + most).filter(({ open }) => open < before);
}

/**
 * At least 8 hours open in any 32 days, in blocks longer than the cutoff (semantics L-floorBroken).
 */
export const FLOOR = { open: 8 * 3_600_000, per: 32 * 86_400_000 } as const;

/** 32 days that are open for too short a time. */
export interface FloorBreach extends OpenSpan {
  /** How long these days are open. */
  readonly time: Milliseconds;
}

/**
 * The 32 days that are open least, if that breaks the floor. Pass a proof without freezes: the
 * floor concerns windows and their denies. The minimum begins or ends at an edge of a block, so
 * only those stretches are checked.
 */
export function floorBreach({ over, starts }: StartProof): FloorBreach | undefined {
  const blocks = clip(starts, over);
  const [until, before] = [timeOpen(blocks), timeOpen(blocks)];
  let worst: FloorBreach | undefined;
  const consider = (open: Instant, time: Milliseconds): void => {
    const close = open + FLOOR.per;
    if (open < over.open || close > over.close) return;
    if (time < FLOOR.open && time < (worst?.time ?? Infinity)) worst = { open, close, time };
  };
  consider(over.open, timeOpen(blocks)(over.open + FLOOR.per));
  let sum = 0;
  for (const { open, close } of blocks) {
    const opened = sum;
    sum += close - open;
    consider(close, until(close + FLOOR.per) - sum);
    consider(open - FLOOR.per, opened - before(open - FLOOR.per));
  }
  return worst;
}

/**
 * Returns a function that sums the open time before an instant. Successive calls must not go back
 * in time.
 */
function timeOpen(blocks: Instants): (at: Instant) => Milliseconds {
  let [index, sum] = [0, 0];
  return (at) => {
    let block = blocks[index];
    for (; block && block.close <= at; block = blocks[index]) {
      sum += block.close - block.open;
      index += 1;
    }
    return sum + Math.max(0, at - (block?.open ?? Infinity));
  };
}
