import { type Change, changeId, isWanted } from '../model/plan/change.ts';
import { TASK_OF } from '../model/fleet/task.ts';
import type { PendingDevice } from '../model/plan/counting.ts';
import type { Exemption } from '../model/plan/desired-state.ts';
import type { UnwantedOutcome } from '../model/plan/approval-rules.ts';
import type { Evaluation, Prepared, RuleResult } from './decide/decision-input.ts';
import type { Acknowledged } from './acknowledge.ts';
import { type ChangeColumns, createColumns } from './columns.ts';
import { causingLine } from './decide/decide.ts';
import type { Resting } from './decide/judging.ts';
import { insideExpiryGuard } from './decide/timing.ts';
import { createJobs, type Job } from './forecast/job.ts';
import { createWithdrawals } from './decide/withdrawals.ts';
import { addCounting, createPending, judgeCounting } from './counting/counting.ts';
import { limitTo, type Outside } from './part/limit.ts';
import { createDebts } from './debts.ts';
import { createFirstDue, type FirstDue } from './first-due.ts';
import { type HoursTable, openHours } from './explain/hours.ts';
import { type Note, type Notes, createNotes } from './noted-devices.ts';
import { type Urgency, orderKey, rankPolicies, urgently } from './order.ts';

/** Every decision of a plan before shares are assigned. */
export interface Drafts {
  readonly columns: ChangeColumns;
  readonly acknowledged: Acknowledged;
  readonly due: FirstDue;
  readonly debts: ReturnType<typeof createDebts>;
  readonly notes: Notes;
  /** The position of each change in the total order. */
  readonly keys: readonly number[];
  readonly hours: HoursTable;
  /** Devices that guardrails count without a change. */
  readonly pending: readonly PendingDevice[];
  /** Whether a change, by its index, belongs to the part that is planned. */
  readonly isInPart: (index: number) => boolean;
  /** The changes outside the part. */
  readonly outside: () => Outside;
  /** Approved outcomes that the documents no longer require. */
  readonly unwanted: () => readonly UnwantedOutcome[];
  /** What the courses of wanted changes depend on, by their index. */
  readonly jobs: readonly (Job | undefined)[];
}

/** Break glass on a credential is first, then credentials that are about to expire. */
function judgeUrgency(evaluation: Evaluation | undefined): Urgency {
  if (!evaluation) return 'none';
  const { policy, passer } = evaluation.case;
  if (passer && policy.section === 'rotations') return 'expedited';
  return insideExpiryGuard(evaluation) ? 'expiring' : 'none';
}

/** The decisions of a plan while they are made. */
export interface DraftTable extends Drafts {
  /**
   * Adds a change of the device in this row of its sorted list, with its evaluation. Urgent changes
   * are before all others.
   */
  enter(change: Change, row: number, evaluation?: Evaluation): void;
  /** Counts a decision that is a note. */
  enterNote(decided: RuleResult, evaluation: Evaluation): void;
  /** Counts devices at rest. */
  enterResting(resting: Resting): void;
  /** Adds a note on one device. */
  note(note: Note & { readonly deviceId: string }): void;
  /** Adds a note on an entry of a list that no device matches, or only a device with this ID. */
  noteEntry(note: Note, deviceId: string | undefined): void;
  /** Whether there is already a decision to onboard this device; several entries may name it. */
  onboards(deviceId: string): boolean;
}

/** The position of a change in the total order of the plan. */
function orderIn({ documents, followed }: Prepared) {
  const ranks = rankPolicies(documents);
  return ({ policy, device }: Change, row: number, evaluation: Evaluation | undefined): number => {
    const rank = urgently(ranks.get(policy) ?? ranks.size, judgeUrgency(evaluation));
    const wave = followed?.get(policy)?.assignment.assignmentOf(device.id).wave;
    return orderKey(rank, row, wave ?? 0);
  };
}

function startState(prepared: Prepared) {
  const { snapshot, now, part } = prepared;
  const limited = limitTo(part, snapshot);
  return {
    limited,
    columns: createColumns(),
    acknowledged: new Map<number, NonNullable<Exemption['acknowledged']>>(),
    notes: createNotes(snapshot.devices),
    due: createFirstDue(),
    debts: createDebts(now, limited),
    keys: [] as number[],
    hours: openHours({ now }),
    onboarded: new Set<string>(),
    pending: createPending(now),
    orderOf: orderIn(prepared),
    jobs: [] as (Job | undefined)[],
    jobFor: createJobs(prepared),
    withdrawals: createWithdrawals(prepared),
    now,
  };
}

type TableState = ReturnType<typeof startState>;

/** Starts without a decision. */
export function startDraftTable(prepared: Prepared): DraftTable {
  const state = startState(prepared);
  const { notes, limited } = state;
  return {
    ...state,
    onboards: (deviceId) => state.onboarded.has(deviceId),
    pending: state.pending.devices,
    unwanted: state.withdrawals.unwanted,
    isInPart: limited.isInPart,
    outside: limited.outside,
    note(one) {
      if (limited.takes(one.at.policy, one.deviceId)) notes.add(one);
    },
    noteEntry(entry, deviceId) {
      if (limited.takesEntry(entry.at.policy, deviceId)) notes.addEntry(entry);
    },
    enterResting({ note, soonest, rows }) {
      const { idAt } = prepared.snapshot.devices;
      const isOwn = (row: number) => limited.takes(note.at.policy, idAt(row));
      notes.addRows(note, rows.filter(isOwn));
      if (soonest && typeof note.reason.next === 'number') state.due.add(soonest, note.reason.next);
    },
    enterNote: enterNotes(state),
    enter: enterChanges(state),
  };
}

function enterNotes(state: TableState): DraftTable['enterNote'] {
  const { limited, due, notes, onboarded, pending, withdrawals } = state;
  return (decided, evaluation) => {
    const { task, case: theCase } = evaluation;
    const { reason } = decided;
    const deviceId = theCase.device.id;
    const policy = theCase.policy.address;
    withdrawals.observe({ id: changeId(task, deviceId), ...decided }, evaluation);
    const isOwn = limited.takes(policy, deviceId);
    const counting = isOwn && judgeCounting(evaluation, decided);
    if (task === TASK_OF.onboarding) onboarded.add(deviceId);
    if (counting) pending.add({ task, policy, deviceId }, counting);
    if (isOwn) notes.add({ task, at: causingLine(evaluation, reason), reason, deviceId });
    if (isOwn && typeof reason.next === 'number') due.add(evaluation, reason.next);
    else if (reason.code === 'notRead') limited.noteUnread();
  };
}

function enterChanges(state: TableState): DraftTable['enter'] {
  const { limited, columns, onboarded, keys, hours, jobs, withdrawals, orderOf, now } = state;
  return (change, row, evaluation) => {
    withdrawals.observe(change, evaluation);
    const { policy, device } = change;
    const isOwn = limited.takes(policy, device.id);
    const counting = isOwn && evaluation && judgeCounting(evaluation, change);
    if (change.task === TASK_OF.onboarding) onboarded.add(device.id);
    limited.add(isOwn);
    const index = columns.length;
    if (counting) addCounting(change, counting, now);
    columns.add(change);
    const known = evaluation?.exemption.acknowledged;
    if (known) state.acknowledged.set(index, known);
    const { code, next } = change.reason;
    if (isOwn && evaluation && code === 'exclude' && typeof next === 'number')
      state.due.add(evaluation, next);
    keys.push(orderOf(change, row, evaluation));
    const wanted = isWanted(change) ? evaluation : undefined;
    jobs.push(wanted && state.jobFor(change, wanted));
    if (wanted && isOwn) hours.observe(wanted);
  };
}
