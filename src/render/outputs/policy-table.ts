import { data, own, type Inlines, type TableBlock } from '../tree.ts';
import { foldPolicies } from '../view/folded-policies.ts';
import {
  addRows,
  isUntouched,
  runColumns,
  type RunCounts,
  type RunRow,
} from '../view/run-table.ts';
import {
  cellText,
  foldedName,
  RUN_TITLES,
  TABLE_TITLES,
  TOTAL,
} from '../words/review/review-words.ts';

/** How many policies a table lists; the totals have the others. */
export const LISTED = 24;

interface Policies<Row> {
  readonly rows: readonly Row[];
  readonly most?: number;
  readonly isIdle: (row: Row) => boolean;
  /** The columns behind the name. */
  readonly columns: TableBlock['columns'];
  readonly cells: (row: Row) => readonly Inlines[];
  readonly sums: (rows: readonly Row[]) => readonly Inlines[];
  readonly name?: (row: Row) => Inlines;
  readonly isStrong?: (row: Row) => boolean;
}

/** The one table of policies: a line for each, one for those with nothing to do, and the totals. */
export function policyTable<Row extends { readonly policy: string }>(
  policies: Policies<Row>,
): TableBlock {
  const { rows, most = LISTED, isIdle, columns, cells, sums } = policies;
  const { name = ({ policy }) => [data(policy)], isStrong = () => false } = policies;
  const { listed, more, idle } = foldPolicies(rows, most, isIdle);
  const sumOf = (title: string, some: readonly Row[]) =>
    some.length > 0 ? [{ cells: [own(title), ...sums(some)] }] : [];
  return {
    is: 'table',
    label: 'Policies',
    kind: 'policies',
    hasAddresses: true,
    columns: [{ title: TABLE_TITLES.policy }, ...columns],
    rows: listed.map((row) => ({
      cells: [name(row), ...cells(row)],
      ...(isStrong(row) && { isStrong: true }),
    })),
    sums: [
      ...sumOf(foldedName('more', more.length), more),
      ...sumOf(foldedName('done', idle.length), idle),
      ...sumOf(
        TOTAL,
        listed.length + Math.sign(more.length) + Math.sign(idle.length) > 1 ? rows : [],
      ),
    ],
  };
}

/** What became of a plan: the policies of a run in the columns of what happened. */
export function runTable(rows: readonly RunRow[]): TableBlock {
  const columns = runColumns(addRows(rows));
  const cells = (counts: RunCounts) => columns.map((column) => own(cellText(counts[column])));
  return policyTable({
    rows,
    isIdle: isUntouched,
    columns: columns.map((column) => ({ title: RUN_TITLES[column], isNumber: true })),
    cells,
    sums: (some) => cells(addRows(some)),
  });
}
