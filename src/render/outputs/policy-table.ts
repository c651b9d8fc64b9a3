import { isChanging, PLAN_COLUMNS, type PlanColumn } from '../../model/plan/actor.ts';
import { data, own, type Inlines, type TableBlock } from '../tree.ts';
import {
  addRows,
  isUntouched,
  runColumns,
  type RunCounts,
  type RunRow,
} from '../view/run-table.ts';
import {
  cellText,
  doneWords,
  moreWords,
  RUN_TITLES,
  TABLE_TITLES,
  TOTAL,
} from '../words/review/review-words.ts';

/** How many policies a table lists; one row has the sums of the others. */
const LISTED = 12;

interface Policies<Row> {
  readonly rows: readonly Row[];
  readonly most?: number;
  /** The command has `--all`, which lists the others. */
  readonly hasAll?: boolean;
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
  const {
    name = ({ policy }) => [data(policy)],
    isStrong = () => false,
    hasAll = false,
  } = policies;
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
      ...sumOf(moreWords(more.length, hasAll), more),
      ...sumOf(doneWords(idle.length), idle),
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

/** The rows of a table of policies. Those of all three lists add up to the totals. */
interface PolicyList<Row> {
  readonly listed: readonly Row[];
  /** Policies that change something, beyond those that are listed. */
  readonly more: readonly Row[];
  /** Policies without anything to do, now or later, where they are more than a few. */
  readonly idle: readonly Row[];
}

/** Up to this number, policies that change nothing have rows of their own. */
const IDLE = 3;

/**
 * What a table lists of policies: first those that change something, at most `most`. Many that
 * change nothing are one row, so that they do not hide the others.
 */
export function foldPolicies<Row>(
  rows: readonly Row[],
  most: number,
  isIdle: (row: Row) => boolean,
): PolicyList<Row> {
  const idle = rows.filter(isIdle);
  const active = rows.filter((row) => !isIdle(row));
  const isFolded = idle.length > IDLE || rows.length > most;
  const own = isFolded ? active : [...active, ...idle];
  return { listed: own.slice(0, most), more: own.slice(most), idle: isFolded ? idle : [] };
}

/** Whether nothing of a policy starts, runs, waits or needs a person. */
export function isDone(row: Readonly<Record<PlanColumn, number>>): boolean {
  return !PLAN_COLUMNS.some((column) => isChanging(column) && row[column] > 0);
}
