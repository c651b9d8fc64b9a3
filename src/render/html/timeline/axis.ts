import type { Instant, Milliseconds } from '../../../lib/time.ts';
import { localTicks, tickText, type ZoneClock } from '../../words/local.ts';
import type { HtmlText } from '../../sinks/sinks.ts';
import { htmlText, markup } from '../../sinks/html-sink.ts';
import { fixed } from '../said.ts';

const HOUR: Milliseconds = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Distances between the marks of an axis, in hours; the first one that leaves few enough marks is
 * used.
 */
const STEPS = [1, 3, 6, 12, 24, 48, 7 * 24, 14 * 24, 28 * 24, 84 * 24].map((hours) => hours * HOUR);

/** The maximum number of marks on an axis. */
const MARKS = 8;

/** A time axis from left to right. Lengths are in units of the drawing. */
export interface Scale {
  readonly from: Instant;
  readonly now: Instant;
  readonly to: Instant;
  readonly left: number;
  readonly width: number;
}

/** The position of an instant; instants outside the axis are at its edge. */
export function axisPosition(instant: Instant, { from, to, left, width }: Scale): number {
  const share = (instant - from) / (to - from);
  return left + Math.max(0, Math.min(1, share)) * width;
}

/** The width of a mark's text. */
const TEXT = 60;

/** A mark is drawn where its text ends on the axis and does not run through the line of now. */
function fits(scale: Scale): (at: Instant) => boolean {
  const now = axisPosition(scale.now, scale);
  return (at) => {
    const x = axisPosition(at, scale);
    const isAcross = x < now && now < x + TEXT;
    return x < scale.left + scale.width - TEXT && !isAcross;
  };
}

/** The marks of an axis in the local time of a zone, with lines to the bottom of the drawing. */
export function axis(
  clock: ZoneClock,
  scale: Scale,
  { y, to }: { readonly y: number; readonly to: number },
): readonly HtmlText[] {
  const every = STEPS.find((step) => (scale.to - scale.from) / step <= MARKS) ?? 365 * DAY;
  const ticks = localTicks(scale, clock, every);
  return ticks.filter(fits(scale)).map((at) => {
    const x = fixed(axisPosition(at, scale));
    const text = htmlText(tickText(at, clock, every));
    return markup`<line class="tick" x1="${x}" y1="${fixed(y + 5)}" x2="${x}" y2="${fixed(to)}"/>
<text class="tick" x="${x}" y="${fixed(y)}" dx="3">${text}</text>`;
  });
}
