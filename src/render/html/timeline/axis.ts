import type { Instant, Milliseconds } from '../../../lib/time.ts';
import { ticksOf, tickText, type ZoneClock } from '../../words/local.ts';
import { htmlText, markup, type HtmlText } from '../../sinks/sinks.ts';

const HOUR: Milliseconds = 3_600_000;
const DAY = 24 * HOUR;

/** Distances between marks of an axis, of which the first that leaves few enough is taken. */
const STEPS = [1, 3, 6, 12, 24, 48, 7 * 24, 14 * 24, 28 * 24, 84 * 24].map((hours) => hours * HOUR);

/** Marks on an axis at the most. */
const MARKS = 8;

/** Time from left to right. Lengths are in units of the drawing. */
export interface Scale {
  readonly from: Instant;
  readonly now: Instant;
  readonly to: Instant;
  readonly left: number;
  readonly width: number;
}

/** Where an instant is; what is before or after stands at the edge. */
export function xOf(instant: Instant, { from, to, left, width }: Scale): number {
  const share = (instant - from) / (to - from);
  return left + Math.max(0, Math.min(1, share)) * width;
}

/** A length or place as an attribute has it. */
export function length(value: number): HtmlText {
  return htmlText(String(Math.round(value * 10) / 10));
}

/** As wide as the text of a mark is. */
const TEXT = 60;

function fits(scale: Scale): (at: Instant) => boolean {
  return (at) => xOf(at, scale) < scale.left + scale.width - TEXT;
}

/** The marks of an axis by the clocks of a zone, and lines down to the end of what is drawn. */
export function axis(
  clock: ZoneClock,
  scale: Scale,
  { y, to }: { readonly y: number; readonly to: number },
): readonly HtmlText[] {
  const every = STEPS.find((step) => (scale.to - scale.from) / step <= MARKS) ?? 365 * DAY;
  const ticks = ticksOf(scale, clock, every);
  return ticks.filter(fits(scale)).map((at) => {
    const x = length(xOf(at, scale));
    const text = htmlText(tickText(at, clock, every));
    return markup`<line class="tick" x1="${x}" y1="${length(y + 5)}" x2="${x}" y2="${length(to)}"/>
<text class="tick" x="${x}" y="${length(y)}" dx="3">${text}</text>`;
  });
}
