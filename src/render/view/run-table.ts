import type { Ending, Outcome } from '../../model/ledger/run-report.ts';
import { findActor } from '../../model/plan/actor.ts';
import { groupBy } from '../../lib/group-by.ts';
import { compareTexts } from '../../lib/text-order.ts';

/** What became of the changes of a plan; each change is in exactly one column. */
export const RUN_COLUMNS = ['done', 'failed', 'open', 'later', 'person', 'unchanged'] as const;
export type RunColumn = (typeof RUN_COLUMNS)[number];

/** The changes of one policy by what became of them. */
export type RunRow = Readonly<Record<RunColumn, number>> & { readonly policy: string };

/** The columns of what was sent. What was not sent goes by who has to act. */
const COLUMN_OF: Readonly<Record<Exclude<Outcome, 'skipped' | 'notStarted'>, RunColumn>> = {
  verified: 'done',
  unverified: 'failed',
  failed: 'failed',
  rolledBack: 'failed',
  aborted: 'failed',
  timedOut: 'open',
  inDoubt: 'open',
};

/** A row for each policy of a run, largest first. */
export function tabulateRun(endings: readonly Ending[]): readonly RunRow[] {
  const groups = groupBy(endings, ({ change }) => change.at.policy);
  return [...groups]
    .sort(([a, x], [b, y]) => y.length - x.length || compareTexts(a, b))
    .map(([policy, mine]) => ({ policy, ...countColumns(mine) }));
}

/** How many changes are in each column. */
export function countColumns(endings: readonly Ending[]): Readonly<Record<RunColumn, number>> {
  const counts = { done: 0, failed: 0, open: 0, later: 0, person: 0, unchanged: 0 };
  for (const ending of endings) counts[findRunColumn(ending)] += 1;
  return counts;
}

/** The sums of several rows. */
export function addRows(rows: readonly RunRow[]): Readonly<Record<RunColumn, number>> {
  const sums = RUN_COLUMNS.map(
    (column) => [column, rows.reduce((sum, row) => sum + row[column], 0)] as const,
  );
  return Object.fromEntries(sums) as Record<RunColumn, number>;
}

/** The column of one ending. */
export function findRunColumn({ outcome, reason }: Ending): RunColumn {
  if (outcome !== 'skipped' && outcome !== 'notStarted') return COLUMN_OF[outcome];
  const actor = reason ? findActor(reason) : 'time';
  if (actor === 'person') return 'person';
  return actor === 'time' ? 'later' : 'unchanged';
}
