import { data, own, type TableBlock } from '../tree.ts';
import { addRows, foldRows, runColumns, type RunCounts, type RunRow } from '../view/run-table.ts';
import {
  ALL_POLICIES,
  cellText,
  foldedName,
  RUN_TITLES,
  TABLE_TITLES,
} from '../words/review/review-words.ts';

/** How many policies are listed; the totals have all of them. */
const LISTED = 24;

/** What became of a plan: a line for each policy, in the columns of what happened. */
export function runTable(rows: readonly RunRow[]): TableBlock {
  const { listed, more, unchanged } = foldRows(rows, LISTED);
  const totals = addRows(rows);
  const columns = runColumns(totals);
  const counts = (row: RunCounts) => columns.map((column) => own(cellText(row[column])));
  const folded = (
    [
      ['more', more],
      ['unchanged', unchanged],
    ] as const
  ).flatMap(([kind, some]) =>
    some.length > 0
      ? [{ cells: [own(foldedName(kind, some.length)), ...counts(addRows(some))] }]
      : [],
  );
  const all = own(folded.length > 0 ? ALL_POLICIES : '');
  return {
    is: 'table',
    label: 'Policies',
    kind: 'policies',
    hasAddresses: true,
    columns: [
      { title: TABLE_TITLES.policy },
      ...columns.map((column) => ({ title: RUN_TITLES[column], isNumber: true })),
    ],
    rows: listed.map((row) => ({ cells: [[data(row.policy)], ...counts(row)] })),
    sums: [...folded, ...(rows.length > 1 ? [{ cells: [all, ...counts(totals)] }] : [])],
  };
}
