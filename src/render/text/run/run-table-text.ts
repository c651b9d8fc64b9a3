import { tint } from '../../sinks/paint.ts';
import { terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { table } from '../../sinks/table.ts';
import { cutAddresses } from '../../sinks/addresses.ts';
import {
  addRows,
  countColumns,
  foldRows,
  runColumns,
  tabulateRun,
  type RunCounts,
  type Tabulated,
} from '../../view/run-table.ts';
import {
  ALL_POLICIES,
  foldedName,
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
export function runTable(run: Tabulated, { width, paint }: TextStyle): readonly TerminalText[] {
  const rows = tabulateRun(run);
  const { listed, more, unchanged } = foldRows(rows, LISTED);
  const totals = countColumns(run);
  const columns = runColumns(totals);
  const cells = (counts: RunCounts): readonly TerminalText[] =>
    columns.map((column) => terminal(cellText(counts[column])));
  const names = cutAddresses(
    listed.map(({ policy }) => terminal(policy)),
    Math.max(LEAST, width - BESIDE),
  );
  const folded = [
    { kind: 'more', rows: more } as const,
    { kind: 'unchanged', rows: unchanged } as const,
  ].flatMap(({ kind, rows: some }) =>
    some.length > 0 ? [[terminal(foldedName(kind, some.length)), ...cells(addRows(some))]] : [],
  );
  const all = terminal(folded.length > 0 ? ALL_POLICIES : '');
  const sums = rows.length > 1 ? [[all, ...cells(totals)]] : [];
  const own = listed.map((row, index) => [names[index] ?? terminal(row.policy), ...cells(row)]);
  const titles = [TABLE_TITLES.policy, ...columns.map((column) => RUN_TITLES[column])];
  return table([...own, ...folded, ...sums], {
    width,
    header: titles.map((title) => terminal(title.toUpperCase())),
    align: ['left', ...columns.map(() => 'right' as const)],
    head: (line) => tint(paint, 'dim', line),
  });
}
