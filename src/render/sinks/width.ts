import stringWidth from 'string-width';
import type { TerminalText } from './sinks.ts';

/** Splits a text into what a reader sees as characters. */
export const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** ASCII, and what our own texts have besides: each is one column wide. */
const NARROW = /^[ -~…–→]*$/;

/** Width of a text on a terminal in columns; color codes have none. */
export function textWidth(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

/** Cuts the text to at most `columns`, with `…` as its last character; never inside a grapheme. */
export function cut<Text extends string>(text: Text, columns: number): Text {
  if (textWidth(text) <= columns) return text;
  if (columns < 1) return '' as Text;
  let shown = '';
  let used = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    const size = textWidth(segment);
    if (used + size > columns - 1) break;
    shown += segment;
    used += size;
  }
  return `${shown}…` as Text;
}

/** Pads the text with spaces to `columns`, on the right or on the left. */
export function pad(
  text: TerminalText,
  columns: number,
  align: 'left' | 'right' = 'left',
): TerminalText {
  const space = ' '.repeat(Math.max(0, columns - textWidth(text)));
  return (align === 'left' ? text + space : space + text) as TerminalText;
}

/** The end of a text, at most `columns` wide, with `…` as its first character if it was cut. */
export function cutStart<Text extends string>(text: Text, columns: number): Text {
  if (textWidth(text) <= columns) return text;
  let shown = '';
  let used = 0;
  for (const { segment } of [...GRAPHEMES.segment(text)].reverse()) {
    const size = textWidth(segment);
    if (used + size > columns - 1) break;
    shown = segment + shown;
    used += size;
  }
  return `…${shown}` as Text;
}

/** Cuts the text in its middle, so that its start and its end still tell it from others. */
export function cutMiddle<Text extends string>(text: Text, columns: number): Text {
  if (textWidth(text) <= columns) return text;
  if (columns < 3) return cut(text, columns);
  const end = Math.floor((columns - 1) / 2);
  const tail = cutStart(text, end + 1).slice(1);
  return `${cut(text, columns - end).slice(0, -1)}…${tail}` as Text;
}
