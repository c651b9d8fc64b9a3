import { shownQuote, type QuotedText } from '../../model/documents/quoted.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import { tint, type Paint } from './paint.ts';
import { join, say, terminal, type TerminalText } from './sinks.ts';
import { cut, cutStart, pad, textWidth } from './width.ts';

/** The style of terminal text: its colors, and its width in columns. */
export interface TextStyle {
  readonly paint: Paint;
  readonly width: number;
}

/** How many characters of a long line are kept on either side of the caret. */
const REACH = 400;

/**
 * The line of a place with the line before it, numbered, and a caret under the place. Long lines
 * are cut around the caret; secrets are hidden. Empty if the text does not have the line.
 */
export function snippet(
  place: SourceLocation & { readonly length?: number },
  text: QuotedText,
  style: TextStyle,
): readonly TerminalText[] {
  const lines = text.split(/\r\n|\n|\r/, place.line);
  const line = lines[place.line - 1];
  if (line === undefined) return [];
  const digits = String(place.line).length;
  const columns = Math.max(20, style.width - digits - 5);
  const { shown, caret } = frame(line, place, columns);
  const before = lines[place.line - 2];
  const rows: TerminalText[] = [];
  if (before !== undefined && before.trim() !== '') {
    const earlier = cut(lineText(before.slice(0, REACH)), columns);
    rows.push(tint(style.paint, 'dim', gutter(place.line - 1, digits, earlier)));
  }
  rows.push(gutter(place.line, digits, shown));
  rows.push(gutter('', digits, tint(style.paint, 'red', caret)));
  return rows;
}

function frame(
  line: string,
  place: SourceLocation & { readonly length?: number },
  columns: number,
) {
  const start = Math.min(Math.max(0, place.column - 1), line.length);
  const end = start + Math.max(1, place.length ?? 1);
  const head = lineText(line.slice(Math.max(0, start - REACH), start));
  const marked = lineText(line.slice(start, Math.min(end, start + REACH)));
  const rest = lineText(line.slice(end, end + REACH));
  const fits = textWidth(head) + textWidth(marked) + textWidth(rest) <= columns;
  const lead = fits || start === 0 ? head : cutStart(head, Math.floor(columns / 3));
  const offset = textWidth(lead);
  const carets = Math.max(1, Math.min(textWidth(marked), columns - offset));
  return {
    shown: cut(join([lead, marked, rest], ''), columns),
    caret: say`${pad(say``, offset)}${terminal('^'.repeat(carets))}`,
  };
}

/** A part of a document's line; a tab becomes two spaces, so that carets align. */
function lineText(piece: string): TerminalText {
  return terminal(shownQuote(piece).replaceAll('\t', '  '));
}

function gutter(line: number | '', digits: number, content: TerminalText): TerminalText {
  const number = pad(terminal(String(line)), digits, 'right');
  return say`  ${number} | ${content}`.trimEnd() as TerminalText;
}
