import {
  ACKNOWLEDGED,
  addColumns,
  findActor,
  findColumn,
  isChanging,
  NEEDS_YOU,
  type PlanColumn,
} from '../model/plan/actor.ts';
import type { Action } from '../model/plan/change.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { Reason } from '../model/plan/reason.ts';
import type { At } from '../model/documents/source.ts';
import type { PolicyStatus, ReasonCount } from '../model/report/status.ts';
import type { TaskType } from '../model/fleet/task.ts';
import type { Instant } from '../lib/time.ts';
import { getOrAdd } from '../lib/maps.ts';

/** The numbers of devices of one policy, by state. */
export type PolicyTally = Pick<
  PolicyStatus,
  | 'at'
  | 'task'
  | 'devices'
  | 'converged'
  | 'notDue'
  | 'run'
  | 'wait'
  | 'skip'
  | 'noted'
  | 'notRead'
  | 'waits'
  | 'skips'
  | 'left'
  | 'nextDue'
  | 'columns'
>;

/** Counts the changes and notes of a plan by the address of their policy. */
export function tallyPolicies(plan: Plan): ReadonlyMap<string, PolicyTally> {
  const tallies = new Map<string, Tally>();
  const tallyOf = (at: At, task: TaskType): Tally => {
    return getOrAdd(tallies, at.policy, () => emptyTally(at, task));
  };
  for (const { at, task, action, reason } of plan.changes) {
    const tally = tallyOf(at, task);
    tally[action]++;
    tally.columns[findColumn({ action, reason, task })]++;
    if (action === 'wait') enter(tally.waitsBy, reason);
    if (action === 'skip') enter(tally.skipsBy, reason);
  }
  for (const { at, task, reason, count } of plan.notes) {
    const tally = tallyOf(at, task);
    tally[noteKey(reason)] += count;
    const column = findColumn({ action: 'note', reason });
    tally.columns[column] += count;
    if (isChanging(column) && reason.code !== 'notRead') enter(tally.leftBy, reason, count);
    if (reason.code === 'notDue' && typeof reason.next === 'number')
      tally.nextDue = Math.min(tally.nextDue ?? reason.next, reason.next);
  }
  return new Map([...tallies].map(([policy, tally]) => [policy, closeTally(tally)]));
}

type Reasons = Map<string, { reason: Reason; count: number; last: Instant | undefined }>;

interface Tally extends Record<Action, number> {
  readonly at: At;
  readonly task: TaskType;
  converged: number;
  notDue: number;
  notRead: number;
  nextDue: number | undefined;
  readonly columns: Record<PlanColumn, number>;
  readonly waitsBy: Reasons;
  readonly skipsBy: Reasons;
  readonly leftBy: Reasons;
}

function emptyTally(at: At, task: TaskType): Tally {
  const none = { run: 0, wait: 0, skip: 0, note: 0, converged: 0, notDue: 0, notRead: 0 };
  return {
    at,
    task,
    ...none,
    nextDue: undefined,
    columns: { ...addColumns([]) },
    waitsBy: new Map(),
    skipsBy: new Map(),
    leftBy: new Map(),
  };
}

function noteKey({ code }: Reason): 'converged' | 'notDue' | 'notRead' | 'note' {
  if (code === 'alreadyConverged' || code === 'pinned') return 'converged';
  return code === 'notDue' || code === 'notRead' ? code : 'note';
}

/**
 * One entry for each code, subcode and who has to act; the plan has the values that differ between
 * devices.
 */
function enter(reasons: Reasons, reason: Reason, devices = 1): void {
  const { code, why, next, params } = reason;
  const actor = findActor(reason);
  const names = params?.['scope'] === undefined ? SHARED : [...SHARED, ...OF_SCOPE];
  const shared = names.flatMap((name) => {
    const value = params?.[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const key = JSON.stringify([code, why, actor, shared]);
  const found = reasons.get(key);
  const alike = Object.entries(params ?? {}).filter(
    ([name, value]) => !found || found.reason.params?.[name] === value,
  );
  reasons.set(key, {
    reason: {
      code,
      ...(why && { why }),
      ...earlier(found?.reason.next, next),
      ...(alike.length > 0 && { params: Object.fromEntries(alike) }),
    },
    count: (found?.count ?? 0) + devices,
    last: later(found?.last, next),
  });
}

/** Parameters that many devices share and that a reader needs for the next step. */
const SHARED = [
  'address',
  'exception',
  'until',
  'freeze',
  'to',
  'window',
  'wave',
  'rule',
  'bad',
  'inDoubt',
  'budget',
  'scope',
  'vendor',
  'status',
  'incident',
  'incidentEnds',
  'thenBy',
  'alsoPaused',
  'alsoSite',
  'alsoTicket',
  'alsoStopped',
  'alsoAborted',
  'alsoFrozen',
  NEEDS_YOU,
  ACKNOWLEDGED,
  'acknowledgedUntil',
] as const;

/** What ends a pause is typed with these. */
const OF_SCOPE = ['policy', 'site', 'ticket'] as const;

function earlier(a: Reason['next'], b: Reason['next']): Pick<Reason, 'next'> {
  const instants = [a, b].filter((next) => typeof next === 'number');
  const next = instants.length > 0 ? Math.min(...instants) : (a ?? b);
  return next === undefined ? {} : { next };
}

function later(last: Instant | undefined, next: Reason['next']): Instant | undefined {
  if (typeof next !== 'number') return last;
  return Math.max(last ?? next, next);
}

function closeTally({
  waitsBy,
  skipsBy,
  leftBy,
  note,
  nextDue,
  notRead,
  ...tally
}: Tally): PolicyTally {
  const { at, task, columns, converged, notDue, run, wait, skip } = tally;
  const division = { converged, notDue, run, wait, skip, noted: note };
  return {
    at,
    task,
    devices: Object.values(division).reduce((sum, count) => sum + count, notRead),
    ...division,
    columns,
    ...(notRead > 0 && { notRead }),
    waits: mostFirst(waitsBy),
    skips: mostFirst(skipsBy),
    left: mostFirst(leftBy),
    ...(nextDue !== undefined && { nextDue }),
  };
}

function mostFirst(reasons: Reasons): readonly ReasonCount[] {
  const counts = [...reasons.values()].map(({ reason, count, last }) => ({
    reason,
    count,
    ...(last !== undefined && last !== reason.next && { lastNext: last }),
  }));
  return counts.sort((a, b) => b.count - a.count);
}
