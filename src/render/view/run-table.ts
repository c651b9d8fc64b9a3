import {
  classifyEnding,
  countUnread,
  type Ending,
  type RunReport,
} from '../../model/ledger/run-report.ts';
import type { RunClass } from '../../model/ledger/run-sums.ts';
import { addColumns, findColumn, type PlanColumn } from '../../model/plan/actor.ts';
import { groupBy } from '../../lib/group-by.ts';
import { compareTexts } from '../../lib/text-order.ts';

/** What became of the changes and notes of a run, in the columns of a plan: each is in exactly one. */
export interface RunCounts extends Readonly<Record<PlanColumn, number>> {
  /** Those of `done` that a task brought there, as a read has shown. */
  readonly verified: number;
  /** Those of `person` whose task failed. */
  readonly failed: number;
  /** Those of `later` that no run has read yet. */
  readonly unread: number;
}

/** The changes and notes of one policy. */
export interface RunRow extends RunCounts {
  readonly policy: string;
}

type Tabulated = Pick<RunReport, 'endings' | 'notes'>;

/** The columns of classes; a change for which nothing was sent goes by who has to act. */
const COLUMN_OF: Readonly<Partial<Record<RunClass, PlanColumn>>> = {
  verified: 'done',
  converged: 'done',
  unverified: 'person',
  failed: 'person',
  rolledBack: 'person',
  aborted: 'person',
  timedOut: 'running',
  atWork: 'running',
  inDoubt: 'running',
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
    }));
}

/** How many changes and notes are in each column. */
export function countColumns({ endings, notes }: Tabulated): RunCounts {
  const counts = { now: 0, running: 0, later: 0, person: 0, done: 0, out: 0 };
  for (const ending of endings) counts[findRunColumn(ending)] += 1;
  for (const { reason, count } of notes) counts[findColumn({ action: 'note', reason })] += count;
  const sent = endings.filter((ending) => classifyEnding(ending) in COLUMN_OF);
  return {
    ...counts,
    verified: sent.filter((ending) => classifyEnding(ending) === 'verified').length,
    failed: sent.filter((ending) => findRunColumn(ending) === 'person').length,
    unread: countUnread({ notes }),
  };
}

export function addRows(rows: readonly RunCounts[]): RunCounts {
  const sum = (key: 'verified' | 'failed' | 'unread') =>
    rows.reduce((all, row) => all + row[key], 0);
  return {
    ...addColumns(rows),
    verified: sum('verified'),
    failed: sum('failed'),
    unread: sum('unread'),
  };
}

/** The column of a change at the end of a run; what only the end of the run kept may start in the next one. */
export function findRunColumn(ending: Ending): PlanColumn {
  const { reason } = ending;
  const column = COLUMN_OF[classifyEnding(ending)];
  if (column) return column;
  const isCut = !reason || (CUT.has(reason.code) && reason.why !== 'refused');
  return isCut ? 'now' : findColumn({ action: 'wait', reason });
}

/** Reasons under which a change may start at once in the next run. */
export const CUT: ReadonlySet<string> = new Set(['interrupted', 'notReached']);
