import { compareTexts } from '../../lib/text-order.ts';
import { refusedBy } from '../documents/diagnostic.ts';
import type { Change, NoteClass } from './change.ts';
import { kindsIn, type MaybeColumns } from './change-rows.ts';
import type { Plan } from './plan.ts';
import {
  REASON_ACTORS,
  type Actor,
  type Reason,
  type ReasonCode,
  type ReasonWhy,
} from './reason.ts';

export type { Actor } from './reason.ts';

/** Where a more precise word differs from its code. */
const ACTOR_OF_WHY: Readonly<Partial<Record<ReasonWhy, Actor>>> = {
  taskUnavailable: 'nobody',
  noSymptom: 'nobody',
  takenOver: 'time',
  replanned: 'time',
  emptyWave: 'person',
  minSuccess: 'person',
  noRoomEver: 'person',
  downAlready: 'person',
  refused: 'person',
};

/**
 * Who has to act on a reason. A known instant is waited for whatever the code; `never` means that
 * time alone changes nothing. What is acknowledged needs nobody (semantics M33).
 */
export function findActor({ code, why, next, params }: Reason): Actor {
  if (params?.[ACKNOWLEDGED] !== undefined) return 'nobody';
  if (params?.[NEEDS_YOU] !== undefined) return 'person';
  const actor = (why && ACTOR_OF_WHY[why]) ?? REASON_ACTORS[code] ?? 'person';
  if (actor === 'person' && typeof next === 'number') return 'time';
  if (actor === 'time' && next === 'never') return 'person';
  return actor;
}

/** The parameter of a device that has been offline or in maintenance for too long (semantics M30). */
export const NEEDS_YOU = 'needsYou';

/** The parameter of a reason that names the exception of type `acknowledge` that covers it. */
export const ACKNOWLEDGED = 'acknowledged';

/**
 * Whether somebody decided that a change waits: for an approval, or until a person ends a pause. It
 * needs a person, and is no reason for exit 4 (semantics M30).
 */
export function isDecided({ code, why, params }: Reason): boolean {
  if (why === 'behindPause' || why === 'afterDecided') return true;
  if (code === 'rolloutPaused')
    return why === 'person' || (why === 'orphanedPause' && params?.['who'] !== undefined);
  if (code === 'approvalPending') return why !== 'singleton';
  return code === 'awaitsApproval' || params?.['alsoPaused'] !== undefined;
}

/**
 * The columns of a plan: each change and each note is in exactly one, so that their sum is what the
 * policies select. `later` has what a later run reads or discovers, too (semantics N6); `out` is
 * what an exception or a blocked vendor leaves out, or the service does not offer.
 */
export const PLAN_COLUMNS = ['now', 'running', 'later', 'person', 'done', 'out'] as const;
export type PlanColumn = (typeof PLAN_COLUMNS)[number];
export type ColumnCounts = Readonly<Record<PlanColumn, number>>;

/** A row of the table of a plan. */
export interface PolicyColumns {
  readonly policy: string;
  readonly columns: ColumnCounts;
}

/** Whether a column holds changes; nothing happens to what is in the other ones. */
export function isChanging(column: PlanColumn): boolean {
  return column !== 'done' && column !== 'out';
}

/** What a column depends on; a note needs no task. */
type Placed = Pick<Change, 'action' | 'reason'> & Partial<Pick<Change, 'task'>>;

/** The column of a change, and of what is only noted. */
export function findColumn(placed: Placed): PlanColumn {
  const { action, reason } = placed;
  if (action === 'run') return 'now';
  const actor = findActor(reason);
  if (isOurs(placed) || (actor === 'time' && isInDoubt(placed))) return 'running';
  if (action === 'note' && reason.code === 'notDue') return 'done';
  if (actor === 'person') return 'person';
  if (action === 'note') return UNDECIDED.has(reason.code) ? 'later' : 'done';
  return actor === 'time' ? 'later' : 'out';
}

/** Whether the task of a change itself runs, and not another one of its device (semantics K24). */
export function isOurs(placed: Omit<Placed, 'action'>): boolean {
  return placed.reason.why === 'ours' && isOwnTask(placed);
}

/** Whether the outcome of the task of a change itself is in doubt, and not of another one of its device. */
export function isInDoubt(placed: Omit<Placed, 'action'>): boolean {
  return placed.reason.code === 'inDoubt' && isOwnTask(placed);
}

function isOwnTask({ reason, task }: Omit<Placed, 'action'>): boolean {
  return (reason.params?.['task'] ?? task) === task;
}

/** Notes on what no run has read, or discovered, yet. */
const UNDECIDED: ReadonlySet<ReasonCode> = new Set(['notRead', 'notDiscovered']);

/** How many changes and notes of a plan are in each column. */
export function countPlanColumns(plan: Parameters<typeof tabulatePlan>[0]): ColumnCounts {
  return addColumns(tabulatePlan(plan).map(({ columns }) => columns));
}

/** The same by policy, in the order of their addresses; one that a finding refuses has a row without changes, too. */
export function tabulatePlan(
  plan: Parameters<typeof refusedIn>[0] & {
    readonly changes: MaybeColumns;
    readonly notes: readonly NoteClass[];
  },
): readonly PolicyColumns[] {
  const { changes, notes } = plan;
  const rows = new Map<string, Record<PlanColumn, number>>();
  for (const policy of refusedIn(plan)) rows.set(policy, { ...addColumns([]) });
  const add = (policy: string, column: PlanColumn, count: number): void => {
    const row = rows.get(policy) ?? { ...addColumns([]) };
    rows.set(policy, row);
    row[column] += count;
  };
  for (const { change, count } of kindsIn(changes)) add(change.policy, findColumn(change), count);
  for (const { at, reason, count } of notes)
    add(at.policy, findColumn({ action: 'note', reason }), count);
  return [...rows]
    .map(([policy, columns]) => ({ policy, columns }))
    .sort((a, b) => compareTexts(a.policy, b.policy));
}

/** The policies of a plan, or of its part, that findings refuse. */
export function refusedIn({
  warnings = [],
  part,
}: Partial<Pick<Plan, 'warnings' | 'part'>>): readonly string[] {
  const isMeant = (policy: string): boolean => part?.policies?.includes(policy) ?? true;
  return [...refusedBy(warnings)].filter(isMeant);
}

/** The counts of several rows in one. */
export function addColumns(rows: readonly ColumnCounts[]): ColumnCounts {
  const sums = { now: 0, running: 0, later: 0, person: 0, done: 0, out: 0 };
  for (const row of rows) for (const column of PLAN_COLUMNS) sums[column] += row[column];
  return sums;
}

/** All that the columns of a row count. */
export function sumColumns(row: ColumnCounts): number {
  return PLAN_COLUMNS.reduce((sum, column) => sum + row[column], 0);
}

/** Whether a change may start in the same run, as running tasks end and free capacity. */
export function mayFollow(reason: Reason): boolean {
  const isFull =
    (reason.code === 'budgetExhausted' && reason.params?.['idle'] === undefined) ||
    reason.why === 'canaryPace';
  return isFull && findActor(reason) === 'time' && typeof reason.next !== 'number';
}
