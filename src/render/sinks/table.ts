import { join, type TerminalText } from './sinks.ts';
import { cut, pad, textWidth } from './width.ts';

export interface TableOptions {
  /** Width of the terminal in columns; the widest columns of the table are cut until it fits. */
  readonly width: number;
  readonly header?: readonly TerminalText[];
  /** By column; left if absent. */
  readonly align?: readonly ('left' | 'right')[];
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
  const all = options.header ? [options.header, ...rows] : rows;
  const widths = fit(naturalWidths(all), options.width);
  const lines = all.map((row) => formatRow(row, widths, options.align ?? []));
  const [first, ...rest] = lines;
  if (!options.header || !options.head || first === undefined) return lines;
  return [options.head(first), ...rest];
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

/** Narrows the widest column until the line fits: narrow columns stay whole as long as possible. */
function fit(natural: readonly number[], width: number): readonly number[] {
  const widths = [...natural];
  const columns = width - GAP.length * Math.max(0, widths.length - 1);
  let over = widths.reduce((sum, each) => sum + each, 0) - columns;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    const second = Math.max(NARROWEST, ...widths.filter((each) => each < widest));
    const column = widths.lastIndexOf(widest);
    const tied = widths.filter((each) => each === widest).length;
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
