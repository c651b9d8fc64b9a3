import type { Instant } from '../../../lib/time.ts';
import { escapeInvisible, type HtmlText } from '../../sinks/sinks.ts';
import { htmlText, markup } from '../../sinks/html-sink.ts';
import { axisPosition, type Scale } from './axis.ts';
import { fixed } from '../said.ts';

/** Lengths in units of a drawing. */
export const WIDTH = 1_000;
export const LABELS = 280;
export const LANE = 36;
export const AXIS = 28;

/** The maximum number of letters of a label. */
const LETTERS = 36;
const SMALL = 46;

/** Pieces of a drawing, and the position of the next one. */
export interface Drawn {
  readonly pieces: readonly HtmlText[];
  readonly y: number;
}

/** The label of a lane: a name, and smaller text below it. */
export function laneLabel(name: string, about: string, y: number): HtmlText {
  return markup`${label(name, { x: 12, y: y + 15, kind: markup`name`, letters: LETTERS })}
${label(about, { x: 12, y: y + 28, kind: markup`about`, letters: SMALL })}`;
}

/** The label of an axis, or of a group of lanes. */
export function heading(text: string, y: number, kind: HtmlText): HtmlText {
  return label(text, { x: 0, y, kind, letters: LETTERS });
}

/** The number of lanes that are not drawn. */
export function left(text: string, y: number): HtmlText {
  return label(text, { x: 12, y: y + 15, kind: markup`about`, letters: SMALL });
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
    readonly kind: HtmlText;
    readonly letters: number;
  },
): HtmlText {
  return markup`<text class="${kind}" x="${fixed(x)}"
y="${fixed(y)}">${htmlText(cutTo(text, letters))}<title>${htmlText(text)}</title></text>`;
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

/** A time span in a lane, wide enough to be visible; undefined if it is outside the scale. */
export function bar(
  { open, close }: { readonly open: Instant; readonly close: Instant },
  scale: Scale,
  {
    y,
    kind,
    height = 16,
  }: { readonly y: number; readonly kind: HtmlText; readonly height?: number },
): HtmlText | undefined {
  if (close <= scale.from || open >= scale.to) return undefined;
  const [from, to] = [axisPosition(open, scale), axisPosition(close, scale)];
  const top = y + (LANE - height) / 2;
  return markup`<rect class="${kind}" x="${fixed(from)}" y="${fixed(top)}"
width="${fixed(Math.max(3, to - from))}" height="${fixed(height)}" rx="2"/>`;
}
