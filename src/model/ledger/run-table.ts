import { groupBy, sumCounts } from '../../lib/group-by.ts';
import { compareTexts } from '../../lib/text-order.ts';
import { refusedBy } from '../documents/diagnostic.ts';
import { TASK_OF } from '../fleet/task.ts';
import {
  addColumns,
  findColumn,
  PLAN_COLUMNS,
  type ColumnCounts,
  type PlanColumn,
} from '../plan/actor.ts';
import type { NoteClass } from '../plan/change.ts';
import { classifyEnding, countUnread, type Ending, type RunReport } from './run-report.ts';
import { countClasses, sumFailed, type RunClass, type RunSums } from './run-sums.ts';

/** What became of the changes and notes of a run, in the columns of a plan: each is in exactly one. */
export interface RunCounts extends ColumnCounts {
  /** Those of `done` that a task brought there, as a read has shown. */
  readonly verified: number;
  /** Those of `person` whose task failed in this run. */
  readonly failed: number;
  /** Those of `later` that no run has read yet. */
  readonly unread: number;
}

/** The changes and notes of one policy. */
export interface RunRow extends RunCounts {
  readonly policy: string;
  /** A finding refuses it (semantics K27). */
  readonly isRefused?: true;
}

type Tabulated = Pick<RunReport, 'endings' | 'notes' | 'left'> & {
  readonly surveyed?: Pick<NonNullable<RunReport['surveyed']>, 'isPart' | 'refusing'>;
};

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
export function tabulateRun(report: Tabulated): readonly RunRow[] {
  const { endings, notes } = report.left ?? report;
  const changed = groupBy(endings, ({ change }) => change.at.policy);
  const noted = groupBy(notes, ({ at }) => at.policy);
  const verified = groupBy(verifiedIn(report), ({ change }) => change.at.policy);
  const { refusing = [], isPart = false } = report.surveyed ?? {};
  const refused = refusedBy(refusing);
  const all = isPart ? [] : refused;
  return [...new Set([...all, ...changed.keys(), ...noted.keys(), ...verified.keys()])]
    .map((policy) => ({ policy, mine: changed.get(policy) ?? [] }))
    .sort((a, b) => b.mine.length - a.mine.length || compareTexts(a.policy, b.policy))
    .map(({ policy, mine }) => ({
      policy,
      ...(refused.has(policy) && { isRefused: true as const }),
      ...countColumns(mine, noted.get(policy) ?? [], verified.get(policy) ?? []),
    }))
    .filter((row) => row.isRefused || PLAN_COLUMNS.some((column) => row[column] > 0));
}

/** What a task of this run brought to its target; its last plan has most of that in its notes. */
function verifiedIn({ endings, left }: Tabulated): readonly Ending[] {
  const elsewhere = left?.endings.filter((ending) => findRunColumn(ending) !== 'done') ?? [];
  const ids = new Set(elsewhere.map(({ change }) => change.id));
  return endings.filter((each) => classifyEnding(each) === 'verified' && !ids.has(each.change.id));
}

/** How many changes and notes are in each column. What was onboarded is no longer in the lists that a plan is made of. */
function countColumns(
  endings: readonly Ending[],
  notes: readonly NoteClass[],
  verified: readonly Ending[],
): RunCounts {
  const counts = { ...addColumns([]) };
  for (const ending of endings) counts[findRunColumn(ending)] += 1;
  for (const { reason, count } of notes) counts[findColumn({ action: 'note', reason })] += count;
  const onboarded = verified.filter(({ change }) => change.task === TASK_OF.onboarding).length;
  const done = Math.max(counts.done, onboarded);
  const failed = endings.filter(
    (ending) =>
      COLUMN_OF[classifyEnding(ending)] === 'person' && findRunColumn(ending) === 'person',
  );
  return {
    ...counts,
    done,
    verified: Math.min(verified.length, done),
    failed: failed.length,
    unread: countUnread({ notes }),
  };
}

/** The counts of a report: what became of its plan, and where the run leaves the fleet, as its table says. */
export function sumRun(
  report: Tabulated & Pick<RunReport, 'planId' | 'leftOpen' | 'closedBeside'>,
): RunSums {
  const { planId, notes } = report;
  const columns = addColumns(tabulateRun(report));
  return { planId, ...countOutcomes(report), noted: sumCounts(notes), columns };
}

/** How the changes of its plan ended, and the tasks beside it. */
export function countOutcomes(
  report: Pick<RunReport, 'endings' | 'leftOpen' | 'closedBeside'>,
): Pick<RunSums, 'classes' | 'beside'> {
  const { endings, leftOpen = [], closedBeside = [] } = report;
  const beside = [...leftOpen, ...closedBeside].map(({ outcome }) => outcome);
  return { classes: countClasses(endings.map(classifyEnding)), beside: countClasses(beside) };
}

/** How many tasks failed in this run, beside its plan too. */
export function countFailed(report: Parameters<typeof countOutcomes>[0]): number {
  return sumFailed(countOutcomes(report));
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

/** The column of a change at the end of a run: that of the last plan, or of what happened since. */
export function findRunColumn(ending: Ending): PlanColumn {
  const { reason } = ending;
  const column = ending.column ?? COLUMN_OF[classifyEnding(ending)];
  if (column) return column;
  const isCut = !reason || CUT.has(reason.code) || reason.why === 'replanned';
  return isCut ? 'now' : findColumn({ action: 'wait', reason, task: ending.change.task });
}

/** Reasons under which a change may start at once in the next run. */
const CUT: ReadonlySet<string> = new Set(['interrupted', 'notReached']);
