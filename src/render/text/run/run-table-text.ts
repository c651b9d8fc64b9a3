import type { Ending } from '../../../model/ledger/run-report.ts';
import { tint } from '../../sinks/paint.ts';
import { terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { table } from '../../sinks/table.ts';
import { cutAddress } from '../../sinks/width.ts';
import { countColumns, RUN_COLUMNS, tabulateRun, type RunColumn } from '../../view/run-table.ts';
import { grouped } from '../../words/phrase.ts';
import { cellText, RUN_TITLES, TABLE_TITLES } from '../../words/review/review-words.ts';

/** How many policies are listed; the totals have all of them. */
const LISTED = 24;

/** The least width of the column of policies, and the width of all others at most. */
const LEAST = 16;
const BESIDE = 54;

/** What became of a plan: a line for each policy, in the columns of what happened. */
export function runTable(
  endings: readonly Ending[],
  { width, paint }: TextStyle,
): readonly TerminalText[] {
  const rows = tabulateRun(endings);
  const listed = rows.slice(0, LISTED).map((row) => [nameText(row.policy, width), ...cells(row)]);
  const more = rows.length - listed.length;
  const rest = terminal(more > 0 ? `and ${grouped(more)} more` : '');
  const titles = [TABLE_TITLES.policy, ...RUN_COLUMNS.map((column) => RUN_TITLES[column])];
  const sums = rows.length > 1 ? [[rest, ...cells(countColumns(endings))]] : [];
  return table([...listed, ...sums], {
    width,
    header: titles.map((title) => terminal(title.toUpperCase())),
    align: ['left', ...RUN_COLUMNS.map(() => 'right' as const)],
    head: (line) => tint(paint, 'dim', line),
  });
}

function nameText(policy: string, width: number): TerminalText {
  return cutAddress(terminal(policy), Math.max(LEAST, width - BESIDE));
}

function cells(counts: Readonly<Record<RunColumn, number>>): readonly TerminalText[] {
  return RUN_COLUMNS.map((column) => terminal(cellText(counts[column])));
}
