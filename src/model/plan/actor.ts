import type { Action } from './change.ts';
import type { Reason, ReasonCode, ReasonWhy } from './reason.ts';

/**
 * Who has to act before a change can continue: `time` is a window, a soak, a date or a running task;
 * `nobody` is a change that is not meant to happen.
 */
export type Actor = 'person' | 'time' | 'nobody';

/**
 * Who has to act, by reason code (semantics N85). The only place that decides it: sums, tables,
 * hints and every renderer use it.
 */
const ACTOR_OF: Readonly<Record<ReasonCode, Actor>> = {
  notSelected: 'nobody',
  unmanaged: 'person',
  notDiscovered: 'nobody',
  unsupported: 'person',
  notComparable: 'person',
  notRead: 'time',
  alreadyConverged: 'nobody',
  blockedVendor: 'nobody',
  hold: 'time',
  exclude: 'nobody',
  pinned: 'nobody',
  incidentEnded: 'person',
  frozenHard: 'time',
  siteWithoutZone: 'person',
  notDue: 'time',
  inDoubt: 'person',
  quarantined: 'person',
  awaitsApproval: 'person',
  busy: 'time',
  offline: 'person',
  unknown: 'person',
  rolloutPaused: 'person',
  rolloutAborted: 'person',
  correlatedOutage: 'person',
  waveNotOpen: 'time',
  gatePending: 'time',
  approvalPending: 'person',
  frozen: 'time',
  windowClosed: 'time',
  pastCutoff: 'time',
  refused: 'person',
  budgetExhausted: 'time',
  apiBudget: 'time',
  act: 'time',
  stale: 'person',
  left: 'nobody',
  gone: 'person',
  interrupted: 'time',
  notReached: 'time',
};

/** Where a more precise word differs from its code. */
const ACTOR_OF_WHY: Readonly<Partial<Record<ReasonWhy, Actor>>> = {
  noSymptom: 'nobody',
  takenOver: 'time',
  maintenanceMode: 'person',
  emptyWave: 'person',
  minSuccess: 'person',
  noRoomEver: 'person',
  downAlready: 'person',
  refused: 'person',
};

/**
 * Who has to act on a reason. A known instant is waited for whatever the code; `never` means that
 * time alone changes nothing.
 */
export function findActor({ code, why, next }: Reason): Actor {
  const actor = (why && ACTOR_OF_WHY[why]) ?? ACTOR_OF[code] ?? 'person';
  if (actor === 'person' && typeof next === 'number') return 'time';
  if (actor === 'time' && next === 'never') return 'person';
  return actor;
}

/**
 * The columns of a plan: each change and each note is in exactly one, so that their sum is what the
 * policies select. `unread` is what a later run decides (semantics N6).
 */
export const PLAN_COLUMNS = ['now', 'later', 'person', 'unchanged', 'unread'] as const;
export type PlanColumn = (typeof PLAN_COLUMNS)[number];

/** Whether a column holds changes; nothing happens to what is in the other ones. */
export function isChanging(column: PlanColumn): boolean {
  return column !== 'unchanged' && column !== 'unread';
}

/** The column of a change, and of what is only noted. */
export function findColumn({
  action,
  reason,
}: {
  readonly action: Action;
  readonly reason: Reason;
}): PlanColumn {
  if (action === 'run') return 'now';
  if (action === 'note') return reason.code === 'notRead' ? 'unread' : 'unchanged';
  const actor = findActor(reason);
  if (actor === 'person') return 'person';
  return actor === 'time' ? 'later' : 'unchanged';
}

/** How many changes and notes of a plan are in each column. */
export function countPlanColumns({
  changes,
  notes,
}: {
  readonly changes: Iterable<{ readonly action: Action; readonly reason: Reason }>;
  readonly notes: readonly { readonly reason: Reason; readonly count: number }[];
}): Readonly<Record<PlanColumn, number>> {
  const counts = { now: 0, later: 0, person: 0, unchanged: 0, unread: 0 };
  for (const change of changes) counts[findColumn(change)] += 1;
  for (const { reason, count } of notes) counts[findColumn({ action: 'note', reason })] += count;
  return counts;
}

/** Whether a change may start in the same run, as running tasks end and free capacity. */
export function mayFollow(reason: Reason): boolean {
  const isFull =
    (reason.code === 'budgetExhausted' && reason.params?.['idle'] === undefined) ||
    reason.why === 'canaryPace';
  return isFull && findActor(reason) === 'time' && typeof reason.next !== 'number';
}
