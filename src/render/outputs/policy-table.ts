import {
  addColumns,
  isChanging,
  PLAN_COLUMNS,
  type ColumnCounts,
  type PlanColumn,
} from '../../model/plan/actor.ts';
import { data, own, type Inlines, type TableBlock } from '../tree.ts';
import {
  cellText,
  COLUMN_TITLES,
  doneText,
  doneWords,
  moreWords,
  TABLE_TITLES,
  TOTAL,
} from '../words/review/review-words.ts';

/** How many policies a table lists; one row has the sums of the others. */
const LISTED = 12;

/** The counts of a policy; `verified` are those of `done` that a run brought there. */
type Counts = ColumnCounts & {
  readonly verified?: number;
  /** A finding refuses it (semantics K27): it is not done, whatever its counts say. */
  readonly isRefused?: true;
};

interface Policies<Row> {
  readonly rows: readonly Row[];
  /** What a row is, where it is no policy. */
  readonly of?: string;
  /** Without the columns of counts, and the totals. */
  readonly isUncounted?: boolean;
  readonly most?: number;
  /** The command has `--all`, which lists the others. */
  readonly hasAll?: boolean;
  /** Policies that are done have rows of their own. */
  readonly isUnfolded?: boolean;
  /** The columns after the counts, and what they say of a policy. */
  readonly beside?: TableBlock['columns'];
  readonly besideOf?: (row: Row) => readonly Inlines[];
  readonly name?: (row: Row) => Inlines;
  readonly isStrong?: (row: Row) => boolean;
}

/**
 * The one table of policies, in every format: a line for each, one for those that are done, and the totals.
 */
export function policyTable<Row extends Counts & { readonly policy: string }>(
  policies: Policies<Row>,
): TableBlock {
  const { rows, most = LISTED, beside = [], besideOf = () => [] } = policies;
  const { of = TABLE_TITLES.policy, isUncounted = false } = policies;
  const { isUnfolded = false, hasAll = false, isStrong = () => false } = policies;
  const { name = ({ policy }) => [data(policy)] } = policies;
  const { listed, more, idle } = foldPolicies(rows, most, isUnfolded ? () => false : isDone);
  const totals = addColumns(rows);
  const shown = isUncounted ? [] : shownColumns(totals);
  const cells = (counts: Counts) =>
    shown.map((column) => own(column === 'done' ? doneText(counts) : cellText(counts[column])));
  const sumOf = (title: string, some: readonly Row[]) => {
    const verified = some.reduce((sum, row) => sum + (row.verified ?? 0), 0);
    const sums = cells({ ...addColumns(some), verified });
    return some.length > 0 && !isUncounted
      ? [{ cells: [own(title), ...sums, ...beside.map(() => [])] }]
      : [];
  };
  return {
    is: 'table',
    label: of === TABLE_TITLES.policy ? 'Policies' : `${of}s`,
    kind: 'policies',
    hasAddresses: true,
    columns: [
      { title: of },
      ...shown.map((column) => ({
        title: COLUMN_TITLES[column],
        isNumber: true,
        kind: column,
      })),
      ...beside,
    ],
    rows: listed.map((row) => ({
      cells: [name(row), ...cells(row), ...besideOf(row)],
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

/** The columns that a table of these totals has: what runs and what is left out only where there is any. */
export function shownColumns(totals: ColumnCounts): readonly PlanColumn[] {
  return PLAN_COLUMNS.filter(
    (column) => (column !== 'running' && column !== 'out') || totals[column] > 0,
  );
}

/** The rows of a table of policies. Those of all three lists add up to the totals. */
interface PolicyList<Row> {
  readonly listed: readonly Row[];
  /** Policies that change something, beyond those that are listed. */
  readonly more: readonly Row[];
  /** Policies without anything to do, now or later, where they are several. */
  readonly idle: readonly Row[];
}

/**
 * What a table lists of policies: first those that change something, at most `most`. Several that
 * are done are one row, so that they do not hide the others.
 */
export function foldPolicies<Row>(
  rows: readonly Row[],
  most: number,
  isIdle: (row: Row) => boolean,
): PolicyList<Row> {
  const idle = rows.filter(isIdle);
  const active = rows.filter((row) => !isIdle(row));
  const isFolded = idle.length > 1 || rows.length > most;
  const own = isFolded ? active : [...active, ...idle];
  return { listed: own.slice(0, most), more: own.slice(most), idle: isFolded ? idle : [] };
}

/** Whether nothing of a policy starts, runs, waits or needs a person, and nothing refuses it. */
export function isDone(row: Counts): boolean {
  return (
    row.isRefused !== true && !PLAN_COLUMNS.some((column) => isChanging(column) && row[column] > 0)
  );
}
