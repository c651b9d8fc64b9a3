import type { Ending } from '../../../model/ledger/run-report.ts';
import { tint } from '../../sinks/paint.ts';
import { terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { table } from '../../sinks/table.ts';
import { cutAddresses } from '../../sinks/addresses.ts';
import {
  addRows,
  countColumns,
  RUN_COLUMNS,
  tabulateRun,
  type RunColumn,
} from '../../view/run-table.ts';
import { grouped } from '../../words/phrase.ts';
import {
  ALL_POLICIES,
  cellText,
  RUN_TITLES,
  TABLE_TITLES,
} from '../../words/review/review-words.ts';

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
  const shown = rows.slice(0, LISTED);
  const names = cutAddresses(
    shown.map(({ policy }) => terminal(policy)),
    Math.max(LEAST, width - BESIDE),
  );
  const listed = shown.map((row, index) => [names[index] ?? terminal(row.policy), ...cells(row)]);
  const more = rows.slice(LISTED);
  const rest =
    more.length > 0
      ? [[terminal(`and ${grouped(more.length)} more`), ...cells(addRows(more))]]
      : [];
  const titles = [TABLE_TITLES.policy, ...RUN_COLUMNS.map((column) => RUN_TITLES[column])];
  const all = terminal(more.length > 0 ? ALL_POLICIES : '');
  const sums = rows.length > 1 ? [[all, ...cells(countColumns(endings))]] : [];
  return table([...listed, ...rest, ...sums], {
    width,
    header: titles.map((title) => terminal(title.toUpperCase())),
    align: ['left', ...RUN_COLUMNS.map(() => 'right' as const)],
    head: (line) => tint(paint, 'dim', line),
  });
}

function cells(counts: Readonly<Record<RunColumn, number>>): readonly TerminalText[] {
  return RUN_COLUMNS.map((column) => terminal(cellText(counts[column])));
}
