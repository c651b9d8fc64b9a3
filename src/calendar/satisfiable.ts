import type { Instant, Milliseconds } from '../lib/time.ts';
import type { OpenSpan } from '../model/documents/window.ts';
import { HORIZON, type Calendar } from './calendar.ts';
import { clip, type Instants } from './intervals.ts';
import type { WindowQuery } from './window-state.ts';
import { startSpan, type StartSpan } from './starts.ts';

/**
 * Whether and when something can ever start, over the 400 days from one instant: the static proof (semantics W30).
 */
export interface StartProof {
  readonly over: OpenSpan;
  /** The spans in which something may start; none: nothing ever can. */
  readonly starts: readonly StartSpan[];
  readonly first?: Instant;
  /** Counter-examples: open, but no longer than the cutoff, so nothing can start. */
  readonly tooShort: readonly OpenSpan[];
}

/** Looks at every opening of the 400 days. */
export function proveStarts(calendar: Calendar, query: WindowQuery, from: Instant): StartProof {
  const over = { open: from, close: Math.min(from + HORIZON, calendar.span.close) };
  const starts = calendar.starts(query, over);
  const first = starts[0];
  return {
    over,
    starts,
    ...(first && { first: Math.max(first.open, from) }),
    // Only asked for where nothing can start.
    get tooShort() {
      return calendar
        .open(query)
        .filter(({ open, close }) => open < over.close && close > over.open)
        .filter((opening) => opening.open >= startSpan(opening, query).lastStart);
    },
  };
}

/**
 * Counter-examples for a deadline: the stretches without a possible start that are as long as
 * `within` or longer. What falls due at the start of one is not started `within` that time. None:
 * whenever it falls due, it can start in time.
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
 * The first spans in which something that falls due at one instant may start before another. Of any
 * number of spans it looks at a handful, since every device of a fleet asks.
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

/** Semantics L-floorBroken: at least 8 hours open in any 32 days, in blocks longer than the cutoff. */
export const FLOOR = { open: 8 * 3_600_000, per: 32 * 86_400_000 } as const;

/** A stretch of 32 days that is open for too short a time. */
export interface FloorBreach extends OpenSpan {
  /** For how long it is open. */
  readonly time: Milliseconds;
}

/**
 * The worst 32 days, if they break the floor. Ask without freezes: the floor is about windows and
 * their denies. The least is open right after a block, or right before one: only these stretches
 * have to be looked at.
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

/** For how long the blocks have been open in all before an instant, never an earlier one than the last. */
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
