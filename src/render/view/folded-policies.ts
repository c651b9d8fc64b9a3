import { isChanging, PLAN_COLUMNS, type PlanColumn } from '../../model/plan/actor.ts';

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
