import { HOUR, DAY, type Instant } from '../../lib/time.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';
import { escapeInvisible, type HtmlText } from '../sinks/sinks.ts';
import type { Lane, LaneGroup, LaneSpan, PlotBlock } from '../tree.ts';
import { localTicks, tickText, UTC } from '../words/local.ts';
import { moment } from '../words/moment.ts';

/** Lengths in units of a drawing. */
const WIDTH = 1_000;
const LABELS = 280;
const RIGHT = 10;
/** Space at the top for the label of the current instant. */
const TOP = 12;
const AXIS = 28;
const LANE = 36;
/** The height of a lane of points, and of a heading. */
const TALL = 150;
const HEADING = 20;
const BAR = 16;

/** The maximum number of letters of a label, and of the smaller text below it. */
const LETTERS = 36;
const SMALL = 46;

/** A plot as SVG: its lanes with their labels, under axes in local time. */
export function plotSvg(plot: PlotBlock): HtmlText {
  const scale = scaleOf(plot);
  const pieces: HtmlText[] = [];
  let y = TOP;
  for (const group of plot.groups) {
    const drawn = groupSvg(group, scale, y);
    pieces.push(...drawn.pieces);
    y = drawn.y;
  }
  const height = y - 6;
  return markup`<svg class="plot" viewBox="0 0 ${WIDTH} ${fixed(height)}" role="img"
aria-labelledby="plot-name plot-about">
<title id="plot-name">${htmlText(plot.label)}</title>
<desc id="plot-about">${htmlText(plot.about)}</desc>
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse"
patternTransform="rotate(45)"><rect class="ground" width="6" height="6"/><rect class="stripe"
width="2.5" height="6"/></pattern></defs>
${pieces}${nowSvg(scale, height)}</svg>`;
}

/** A time axis from left to right. */
interface Scale {
  readonly from: Instant;
  readonly now: Instant | undefined;
  readonly to: Instant;
  /** The most of all counts. */
  readonly top: number;
}

function scaleOf({ from, to, now, groups }: PlotBlock): Scale {
  const counts = groups.flatMap(({ lanes }) => lanes.map(({ counts: each = [] }) => each));
  const top = Math.max(1, ...counts.map((each) => each.reduce((a, b) => Math.max(a, b), 0)));
  if (now === undefined) return { from, to, now, top };
  return { from: from - (to - from) * 0.03, to: to + (to - from) * 0.02, now, top };
}

/** The position of an instant; instants outside the axis are at its edge. */
function positionOf(instant: Instant, { from, to }: Scale): number {
  const share = (instant - from) / (to - from);
  return LABELS + Math.max(0, Math.min(1, share)) * (WIDTH - LABELS - RIGHT);
}

function nowSvg(scale: Scale, height: number): HtmlText {
  if (scale.now === undefined) return markup``;
  const x = fixed(positionOf(scale.now, scale));
  return markup`<line class="now" x1="${x}" y1="${TOP}" x2="${x}" y2="${fixed(height)}"/>
<text class="now" x="${x}" y="9" text-anchor="middle">now</text>`;
}

/** Pieces of a drawing, and the position of the next one. */
interface Drawn {
  readonly pieces: readonly HtmlText[];
  readonly y: number;
}

function groupSvg({ title, clock = UTC, lanes, more }: LaneGroup, scale: Scale, start: number) {
  const pieces = [label(title, { x: 0, y: start + 14, kind: 'zone', letters: LETTERS })];
  let y = start + AXIS;
  for (const [index, lane] of lanes.entries()) {
    const { under = '' } = lane;
    if (under !== '' && under !== lanes[index - 1]?.under) {
      pieces.push(label(under, { x: 0, y: y + 14, kind: 'policy', letters: LETTERS }));
      y += HEADING;
    }
    pieces.push(laneSvg(lane, scale, y));
    y += lane.points ? TALL : LANE;
  }
  if (more !== undefined) {
    pieces.push(label(more, { x: 12, y: y + 15, kind: 'about', letters: SMALL }));
    y += 22;
  }
  const ticks = axisSvg(clock, scale, { y: start + 14, to: y });
  return { pieces: [...ticks, ...pieces], y: y + 14 } satisfies Drawn;
}

function laneSvg(lane: Lane, scale: Scale, y: number): HtmlText {
  const { name, about, times, under, spans = [], counts = [], points = [] } = lane;
  const of = under === undefined || under === name ? '' : `${under} `;
  const says = `${of}${name}: ${about}${times === undefined ? '' : `, ${times}`}`;
  return markup`${label(name, { x: 12, y: y + 15, kind: 'name', letters: LETTERS })}
${label(about, { x: 12, y: y + 28, kind: 'about', letters: SMALL })}<g>
<title>${htmlText(says)}</title>
${spans.map((span) => spanSvg(span, scale, y))}${countsSvg(counts, scale, y)}${pointsSvg(points, scale, y)}</g>`;
}

/** A time span in a lane, wide enough to be visible; nothing if it is outside the axis. */
function spanSvg({ open, close, kind }: LaneSpan, scale: Scale, y: number): HtmlText {
  if (close <= scale.from || open >= scale.to) return markup``;
  const [from, to] = [positionOf(open, scale), positionOf(close, scale)];
  return markup`<rect class="${htmlText(kind)}" x="${fixed(from)}" y="${fixed(y + (LANE - BAR) / 2)}"
width="${fixed(Math.max(3, to - from))}" height="${BAR}" rx="2"/>`;
}

/** Counts as bars, one for each step, on a line. */
function countsSvg(counts: readonly number[], { top }: Scale, y: number): HtmlText {
  if (counts.length === 0) return markup``;
  const [bottom, most] = [y + LANE - 2, LANE - 8];
  const width = (WIDTH - LABELS - RIGHT) / counts.length;
  const bars = counts.map((count, step) => {
    if (count === 0) return '';
    const height = ((count / top) * most).toFixed(1);
    const bar = Math.max(1, width).toFixed(2);
    return `M${(LABELS + step * width).toFixed(2)} ${bottom}v-${height}h${bar}v${height}z`;
  });
  return markup`<line class="tick" x1="${LABELS}" y1="${bottom}" x2="${WIDTH - RIGHT}" y2="${bottom}"/>
<path class="fill wait" d="${htmlText(bars.join(''))}"/>`;
}

/** Shares as a line between the lowest tens and 100 percent. */
function pointsSvg(points: NonNullable<Lane['points']>, scale: Scale, y: number): HtmlText {
  if (points.length === 0) return markup``;
  const lowest = Math.min(...points.map(({ percent }) => percent));
  const floor = Math.max(0, Math.min(90, Math.floor(lowest / 10) * 10));
  const heightOf = (percent: number): number =>
    y + 14 + ((100 - percent) / (100 - floor)) * (TALL - 28);
  const grid = [floor, (floor + 100) / 2, 100].map((percent) => {
    const height = fixed(heightOf(percent));
    return markup`<line class="tick" x1="${LABELS}" x2="${WIDTH - RIGHT}" y1="${height}" y2="${height}"/>
<text class="tick" x="${LABELS - 8}" y="${fixed(heightOf(percent) + 4)}" text-anchor="end">${percent}%</text>`;
  });
  const dots = points.map(({ at, percent }) => ({
    x: fixed(positionOf(at, scale)),
    y: fixed(heightOf(percent)),
    says: htmlText(`${moment(at)}: ${percent.toFixed(1)}%`),
  }));
  const circles = dots.map(
    ({ x, y: at, says }) =>
      markup`<circle class="dot" cx="${x}" cy="${at}" r="3"><title>${says}</title></circle>`,
  );
  const path = markup`${dots.map(({ x, y: at }) => markup`${x},${at} `)}`;
  return markup`${grid}<polyline class="line" points="${path}"/>${circles}`;
}

/**
 * Distances between the marks of an axis, in hours; the first one that leaves few enough marks is
 * used.
 */
const STEPS = [1, 3, 6, 12, 24, 48, 7 * 24, 14 * 24, 28 * 24, 84 * 24].map((hours) => hours * HOUR);

/** The maximum number of marks on an axis. */
const MARKS = 8;

/** The width of a mark's text. */
const TEXT = 60;

/** The marks of an axis in the local time of a zone, with lines to the bottom of its lanes. */
function axisSvg(
  clock: NonNullable<LaneGroup['clock']>,
  scale: Scale,
  { y, to }: { readonly y: number; readonly to: number },
): readonly HtmlText[] {
  const every = STEPS.find((step) => (scale.to - scale.from) / step <= MARKS) ?? 365 * DAY;
  const ticks = localTicks(scale, clock, every);
  return ticks.filter(fits(scale)).map((at) => {
    const x = fixed(positionOf(at, scale));
    const text = htmlText(tickText(at, clock, every));
    return markup`<line class="tick" x1="${x}" y1="${fixed(y + 5)}" x2="${x}" y2="${fixed(to)}"/>
<text class="tick" x="${x}" y="${fixed(y)}" dx="3">${text}</text>`;
  });
}

/** A mark is drawn where its text ends on the axis and does not run through the line of now. */
function fits(scale: Scale): (at: Instant) => boolean {
  const now = scale.now === undefined ? -TEXT : positionOf(scale.now, scale);
  return (at) => {
    const x = positionOf(at, scale);
    const isAcross = x < now && now < x + TEXT;
    return x < WIDTH - RIGHT - TEXT && !isAcross;
  };
}

/** A text, cut if it is long; its tooltip has the whole text. */
function label(
  text: string,
  {
    x,
    y,
    kind,
    letters,
  }: {
    readonly x: number;
    readonly y: number;
    readonly kind: string;
    readonly letters: number;
  },
): HtmlText {
  return markup`<text class="${htmlText(kind)}" x="${x}" y="${fixed(y)}">${htmlText(cutTo(text, letters))}<title>${htmlText(text)}</title></text>`;
}

/** A text cut to a maximum length, counted with escaped hidden characters. */
function cutTo(text: string, most: number): string {
  if (escapeInvisible(text).length <= most) return text;
  let shown = '';
  for (const letter of text) {
    if (escapeInvisible(shown + letter).length >= most) return `${shown}…`;
    shown += letter;
  }
  return shown;
}

/** A length or position in a drawing. */
function fixed(length: number): HtmlText {
  return htmlText(String(Math.round(length * 10) / 10));
}
