import { clockOf, localMoment, type Clock } from '../local.ts';
import { moment } from '../moment.ts';
import { counted } from '../phrase.ts';
import { htmlText, markup, visible, type HtmlText } from '../sinks.ts';
import type { Timeline, WaveBar, WindowMark } from '../timeline.ts';
import { axis, length, xOf, type Scale } from './axis.ts';

const WIDTH = 1_000;
const LABELS = 200;
const ROW = 24;
const AXIS = 26;

/** What of a timeline fits one drawing; the rest is in its table. */
const LANES = 40;
const ZONES = 12;
const MARKS = 6;

/** Letters of a name that fit beside a lane. */
const LETTERS = 26;

const UTC: Clock = { zone: 'UTC', offsetAt: () => 0 };

/** Pieces of a drawing, and where the next one begins. */
interface Drawn {
  readonly pieces: readonly HtmlText[];
  readonly y: number;
}

/**
 * The waves of each policy as bars under an axis in UTC, then the windows that changes wait for,
 * those of each time zone under an axis by its own clocks.
 */
export function timelineDrawing(timeline: Timeline): HtmlText {
  const pad = (timeline.to - timeline.from) * 0.02;
  const scale: Scale = {
    from: timeline.from,
    to: timeline.to + pad,
    left: LABELS,
    width: WIDTH - LABELS - 10,
  };
  const waves = lanes(timeline.waves.slice(0, LANES), scale);
  const windows = zones(timeline.windows, scale, waves.y + 14);
  const now = length(xOf(timeline.from, scale));
  const height = length(windows.y + 6);
  return markup`<svg class="timeline" viewBox="0 0 ${WIDTH} ${height}" role="img"
aria-labelledby="timeline-name timeline-about">
<title id="timeline-name">Waves and windows, at the earliest</title>
<desc id="timeline-about">${htmlText(aboutText(timeline))} The table below says the same.</desc>
${waves.pieces}${windows.pieces}
<line class="now" x1="${now}" y1="8" x2="${now}" y2="${height}"/>
</svg>`;
}

function aboutText({ waves, windows, from, to }: Timeline): string {
  const parts = [counted(waves.length, 'wave'), counted(windows.length, 'window')].join(' and ');
  return `${parts}, from ${moment(from)} to ${moment(to)}.`;
}

function lanes(waves: readonly WaveBar[], scale: Scale): Drawn {
  if (waves.length === 0) return { pieces: [], y: 0 };
  const pieces: HtmlText[] = [];
  let y = AXIS;
  let policy: string | undefined;
  for (const wave of waves) {
    if (wave.policy !== policy) {
      policy = wave.policy;
      pieces.push(label(policy, { y: y + 16, kind: markup`policy` }));
      if (wave.wave !== '') y += ROW - 4;
    }
    pieces.push(lane(wave, scale, y));
    y += ROW;
  }
  const ticks = axis(UTC, scale, { y: 14, to: y });
  return { pieces: [label('UTC', { y: 14, kind: markup`zone` }), ...ticks, ...pieces], y };
}

/** A name at the left, cut where it is long; the whole of it is its tooltip. */
function label(
  text: string,
  { y, kind }: { readonly y: number; readonly kind: HtmlText },
): HtmlText {
  const x = kind === 'wave' ? 14 : 0;
  return markup`<text class="${kind}" x="${x}"
y="${length(y)}">${htmlText(cutTo(text, LETTERS))}<title>${htmlText(text)}</title></text>`;
}

/** A text that is as long at the most once its hidden characters are shown. */
function cutTo(text: string, most: number): string {
  if (visible(text).length <= most) return text;
  let kept = '';
  for (const letter of text) {
    if (visible(kept + letter).length >= most) return `${kept}…`;
    kept += letter;
  }
  return kept;
}

function lane(wave: WaveBar, scale: Scale, y: number): HtmlText {
  const [from, to] = [xOf(wave.from, scale), xOf(wave.to, scale)];
  const width = Math.max(4, to - from);
  const text = counted(wave.changes, 'change');
  const name = wave.wave === '' ? markup`` : label(wave.wave, { y: y + 16, kind: markup`wave` });
  const title = `${wave.policy} ${wave.wave}: ${text}, from ${moment(wave.from)} until ${moment(wave.to)}`;
  return markup`${name}<g><title>${htmlText(title)}</title>
<rect class="wave" x="${length(from)}" y="${length(y + 4)}" width="${length(width)}" height="${ROW - 8}"
rx="3"/>${beside(text, { from, to: from + width, y: y + 16 })}</g>`;
}

/** A text right of what it is about, or left of it where no room is left. */
function beside(
  text: string,
  { from, to, y }: { readonly from: number; readonly to: number; readonly y: number },
): HtmlText {
  const fits = to + 6 + text.length * 6.5 < WIDTH;
  const anchor = fits ? markup`start` : markup`end`;
  const x = length(fits ? to + 6 : from - 6);
  return markup`<text class="note" x="${x}" y="${length(y)}" text-anchor="${anchor}">${htmlText(text)}</text>`;
}

function zones(windows: readonly WindowMark[], scale: Scale, start: number): Drawn {
  const names = [...new Set(windows.map(({ zone }) => zone ?? ''))].slice(0, ZONES);
  let y = start;
  const pieces: HtmlText[] = [];
  for (const name of names) {
    const marks = windows.filter(({ zone }) => (zone ?? '') === name).slice(0, MARKS);
    const clock = clockOf(name) ?? UTC;
    const end = y + AXIS + marks.length * ROW;
    pieces.push(label(name === '' ? 'UTC' : name, { y: y + 14, kind: markup`zone` }));
    pieces.push(...axis(clock, scale, { y: y + 14, to: end }));
    marks.forEach((mark, n) => pieces.push(opening(mark, { clock, scale, y: y + AXIS + n * ROW })));
    y = end + 8;
  }
  return { pieces, y };
}

function opening(
  { name, opens, changes }: WindowMark,
  { clock, scale, y }: { readonly clock: Clock; readonly scale: Scale; readonly y: number },
): HtmlText {
  const x = xOf(opens, scale);
  const text = `${localMoment(opens, clock)}, ${counted(changes, 'change')}`;
  const [left, top] = [length(x), length(y + 4)];
  const flag = markup`<path class="window" d="M${left} ${top}l11 7l-11 7z"/>`;
  return markup`${label(name, { y: y + 16, kind: markup`wave` })}<g>
<title>${htmlText(`${name} opens ${text} (${moment(opens)})`)}</title>${flag}
${beside(text, { from: x, to: x + 10, y: y + 16 })}</g>`;
}
