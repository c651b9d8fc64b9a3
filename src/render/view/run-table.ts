import {
  classifyEnding,
  countUnread,
  type Ending,
  type RunReport,
} from '../../model/ledger/run-report.ts';
import type { RunClass } from '../../model/ledger/run-sums.ts';
import { findColumn, type PlanColumn } from '../../model/plan/actor.ts';
import { groupBy } from '../../lib/group-by.ts';
import { compareTexts } from '../../lib/text-order.ts';

/**
 * What became of a plan; each change and each note is in exactly one column, as in the table of the
 * plan. `done` is what was verified after a task; what was right already is `unchanged`.
 */
export const RUN_COLUMNS = [
  'done',
  'failed',
  'open',
  'later',
  'person',
  'unchanged',
  'out',
] as const;
export type RunColumn = (typeof RUN_COLUMNS)[number];

/** How many changes and notes are in each column. */
export type RunCounts = Readonly<Record<RunColumn, number>>;

/** The changes and notes of one policy by what became of them. */
export type RunRow = RunCounts & {
  readonly policy: string;
  /** Those of `later` that no run has read yet. */
  readonly unread: number;
};

type Tabulated = Pick<RunReport, 'endings' | 'notes'>;

/** The columns of classes; a change for which nothing was sent goes by who has to act. */
const COLUMN_OF: Readonly<
  Record<
    Exclude<RunClass, 'betweenSteps' | 'skipped' | 'unreadable' | 'stale' | 'notStarted'>,
    RunColumn
  >
> = {
  verified: 'done',
  converged: 'unchanged',
  unverified: 'failed',
  failed: 'failed',
  rolledBack: 'failed',
  aborted: 'failed',
  timedOut: 'open',
  atWork: 'open',
  inDoubt: 'open',
};

/** A row for each policy of a run: those with most changes first, then those that are only noted. */
export function tabulateRun({ endings, notes }: Tabulated): readonly RunRow[] {
  const changed = groupBy(endings, ({ change }) => change.at.policy);
  const noted = groupBy(notes, ({ at }) => at.policy);
  return [...new Set([...changed.keys(), ...noted.keys()])]
    .map((policy) => ({ policy, mine: changed.get(policy) ?? [] }))
    .sort((a, b) => b.mine.length - a.mine.length || compareTexts(a.policy, b.policy))
    .map(({ policy, mine }) => ({
      policy,
      ...countColumns({ endings: mine, notes: noted.get(policy) ?? [] }),
      unread: countUnread({ notes: noted.get(policy) ?? [] }),
    }));
}

/** How many changes and notes are in each column. */
export function countColumns({ endings, notes }: Tabulated): RunCounts {
  const counts = { done: 0, failed: 0, open: 0, later: 0, person: 0, unchanged: 0, out: 0 };
  for (const ending of endings) counts[findRunColumn(ending)] += 1;
  for (const { reason, count } of notes)
    counts[RUN_COLUMN_OF[findColumn({ action: 'note', reason })]] += count;
  return counts;
}

export function addRows(rows: readonly RunCounts[]): RunCounts {
  const sums = RUN_COLUMNS.map(
    (column) => [column, rows.reduce((sum, row) => sum + row[column], 0)] as const,
  );
  return Object.fromEntries(sums) as Record<RunColumn, number>;
}

/** The columns that a table of these sums has: what is left out has one only where there is any. */
export function runColumns({ out }: RunCounts): readonly RunColumn[] {
  return RUN_COLUMNS.filter((column) => column !== 'out' || out > 0);
}

function isSent(name: RunClass): name is keyof typeof COLUMN_OF {
  return name in COLUMN_OF;
}

export function findRunColumn(ending: Ending): RunColumn {
  const name = classifyEnding(ending);
  if (isSent(name)) return COLUMN_OF[name];
  if (!ending.reason) return 'later';
  return RUN_COLUMN_OF[findColumn({ action: 'wait', reason: ending.reason })];
}

/** Where a change for which nothing was sent is counted; what is right already is `unchanged`. */
const RUN_COLUMN_OF: Readonly<Record<PlanColumn, RunColumn>> = {
  now: 'later',
  running: 'open',
  later: 'later',
  person: 'person',
  done: 'unchanged',
  out: 'out',
};

/** Whether a run changed nothing of a policy, and nothing of it is left. */
export function isUntouched(row: RunCounts): boolean {
  return RUN_COLUMNS.every(
    (column) => column === 'unchanged' || column === 'out' || row[column] === 0,
  );
}
