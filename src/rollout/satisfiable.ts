import type { Instant, Milliseconds } from '../model/time.ts';
import type { OpenSpan } from '../model/window.ts';
import { HORIZON, type Calendar } from './calendar.ts';
import { clip, indexFrom, type Instants } from './intervals.ts';
import type { Asked } from './standing.ts';
import { startSpan, type StartSpan } from './starts.ts';

/**
 * Whether and when something can ever start, over the 400 days from one instant: the static proof
 * of semantics 4.6.
 */
export interface Proof {
  readonly over: OpenSpan;
  /** The spans in which something may start; none: nothing ever can. */
  readonly starts: readonly StartSpan[];
  readonly first?: Instant;
  /** Counter-examples: open, but no longer than the cutoff, so nothing can start. */
  readonly tooShort: readonly OpenSpan[];
}

/** Looks at every opening of the 400 days. */
export function prove(calendar: Calendar, asked: Asked, from: Instant): Proof {
  const over = { open: from, close: Math.min(from + HORIZON, calendar.span.close) };
  const starts = calendar.starts(asked, over);
  const first = starts[0];
  return {
    over,
    starts,
    ...(first && { first: Math.max(first.open, from) }),
    tooShort: calendar
      .open(asked)
      .filter((opening) => opening.open >= startSpan(opening, asked).lastStart)
      .filter(({ open, close }) => open < over.close && close > over.open),
  };
}

/**
 * Counter-examples for a deadline: the stretches without a possible start that are as long as
 * `within` or longer. What falls due at the start of one is not started `within` that time. None:
 * whenever it falls due, it can start in time.
 */
export function gaps({ over, starts }: Proof, within: Milliseconds): readonly OpenSpan[] {
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
export function chances(
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

/** Semantics 4.4: at least 8 hours open in any 32 days, in blocks longer than the cutoff. */
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
export function floorBreach({ over, starts }: Proof): FloorBreach | undefined {
  const blocks = clip(starts, over);
  const openUntil = timeOpen(blocks);
  const begins = [over.open, ...blocks.flatMap(({ open, close }) => [close, open - FLOOR.per])];
  let worst: FloorBreach | undefined;
  for (const open of begins) {
    const close = open + FLOOR.per;
    if (open < over.open || close > over.close) continue;
    const time = openUntil(close) - openUntil(open);
    if (time < FLOOR.open && time < (worst?.time ?? Infinity)) worst = { open, close, time };
  }
  return worst;
}

/** For how long the blocks have been open in all before an instant. */
function timeOpen(blocks: Instants): (at: Instant) => Milliseconds {
  const before: Milliseconds[] = [0];
  for (const { open, close } of blocks) before.push((before.at(-1) ?? 0) + close - open);
  return (at) => {
    const index = indexFrom(blocks, at);
    return (before[index] ?? 0) + Math.max(0, at - (blocks[index]?.open ?? Infinity));
  };
}
