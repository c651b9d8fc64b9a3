import type { Instant } from '../../../lib/time.ts';
import { htmlText, markup, escapeInvisible, type HtmlText } from '../../sinks/sinks.ts';
import { length, xOf, type Scale } from './axis.ts';

/** Lengths in units of a drawing. */
export const WIDTH = 1_000;
export const LABELS = 280;
export const LANE = 36;
export const AXIS = 28;

/** Letters of a name, and of what stands below it, that fit beside a lane. */
const LETTERS = 36;
const SMALL = 46;

/** Pieces of a drawing, and where the next one begins. */
export interface Drawn {
  readonly pieces: readonly HtmlText[];
  readonly y: number;
}

/** What stands left of a lane: a name, and smaller below it what there is to say. */
export function laneLabel(name: string, about: string, y: number): HtmlText {
  return markup`${label(name, { x: 12, y: y + 15, kind: markup`name`, letters: LETTERS })}
${label(about, { x: 12, y: y + 28, kind: markup`about`, letters: SMALL })}`;
}

/** What stands left of an axis, or above lanes. */
export function heading(text: string, y: number, kind: HtmlText): HtmlText {
  return label(text, { x: 0, y, kind, letters: LETTERS });
}

/** What is too much to draw is a number. */
export function left(text: string, y: number): HtmlText {
  return label(text, { x: 12, y: y + 15, kind: markup`about`, letters: SMALL });
}

/** A text, cut where it is long; the whole of it is its tooltip. */
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
  return markup`<text class="${kind}" x="${length(x)}"
y="${length(y)}">${htmlText(cutTo(text, letters))}<title>${htmlText(text)}</title></text>`;
}

/** A text that is as long at the most once its hidden characters are shown. */
function cutTo(text: string, most: number): string {
  if (escapeInvisible(text).length <= most) return text;
  let kept = '';
  for (const letter of text) {
    if (escapeInvisible(kept + letter).length >= most) return `${kept}…`;
    kept += letter;
  }
  return kept;
}

/** A span of time in a lane, wide enough to be seen; undefined where it is beyond the scale. */
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
  const [from, to] = [xOf(open, scale), xOf(close, scale)];
  const top = y + (LANE - height) / 2;
  return markup`<rect class="${kind}" x="${length(from)}" y="${length(top)}"
width="${length(Math.max(3, to - from))}" height="${length(height)}" rx="2"/>`;
}
