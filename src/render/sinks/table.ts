import { join, type TerminalText } from './sinks.ts';
import { cut, pad, textWidth } from './width.ts';

interface TableOptions {
  /** Width of the terminal in columns; the widest columns of the table are cut until it fits. */
  readonly width: number;
  readonly header?: readonly TerminalText[];
  /** A first line of the header, for titles of two words. */
  readonly above?: readonly TerminalText[];
  /** By column; left if absent. */
  readonly align?: readonly ('left' | 'right')[];
  /** Columns on the right lose nothing until texts are narrow; without it the widest column is cut first. */
  readonly keepsNumbers?: boolean;
  /** Colors the header. */
  readonly head?: (line: TerminalText) => TerminalText;
}

const GAP = '  ';
const NARROWEST = 4;

/**
 * Formats rows of equal length as lines with aligned columns, two spaces between them and none at
 * the end of a line.
 */
export function table(
  rows: readonly (readonly TerminalText[])[],
  options: TableOptions,
): readonly TerminalText[] {
  const { header, above, head = (line) => line } = options;
  const headers = [above, header].filter((row) => row !== undefined);
  const all = [...headers, ...rows];
  const widths = fit(naturalWidths(all), options);
  return all.map((row, n) => {
    const line = formatRow(row, widths, options.align ?? []);
    return n < headers.length ? head(line) : line;
  });
}

function naturalWidths(rows: readonly (readonly TerminalText[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
    });
  }
  return widths;
}

/** Text is cut to so many columns, and further on, before a number loses a digit. */
const NARROW_TEXT = 8;
const SHORTEST_TEXT = 6;

/**
 * Narrows the widest column until the line fits, so that narrow columns stay whole as long as
 * possible: texts first, since half a number says something else.
 */
function fit(
  natural: readonly number[],
  { width, align = [], keepsNumbers = false }: TableOptions,
): readonly number[] {
  const columns = width - GAP.length * Math.max(0, natural.length - 1);
  const isText = (column: number): boolean => keepsNumbers && align[column] !== 'right';
  const texts = narrow(natural, columns, { least: NARROW_TEXT, mayCut: isText });
  const shorter = narrow(texts, columns, { least: SHORTEST_TEXT, mayCut: isText });
  return narrow(shorter, columns, { least: NARROWEST, mayCut: () => true });
}

function narrow(
  before: readonly number[],
  columns: number,
  { least, mayCut }: { readonly least: number; readonly mayCut: (column: number) => boolean },
): readonly number[] {
  const widths = [...before];
  let over = widths.reduce((sum, each) => sum + each, 0) - columns;
  while (over > 0) {
    const open = widths.filter((_, column) => mayCut(column));
    const widest = Math.max(0, ...open);
    if (widest <= least) break;
    const second = Math.max(least, ...open.filter((each) => each < widest));
    const column = widths.findLastIndex((each, index) => each === widest && mayCut(index));
    const tied = open.filter((each) => each === widest).length;
    const taken = Math.max(1, Math.min(Math.ceil(over / tied), widest - second));
    widths[column] = widest - taken;
    over -= taken;
  }
  return widths;
}

function formatRow(
  row: readonly TerminalText[],
  widths: readonly number[],
  align: readonly ('left' | 'right')[],
): TerminalText {
  const cells = row.map((cell, column) => {
    const columns = widths[column] ?? 0;
    return pad(cut(cell, columns), columns, align[column] ?? 'left');
  });
  return join(cells, GAP).trimEnd() as TerminalText;
}
