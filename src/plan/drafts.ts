import { TASK_OF } from '../model/fleet/task.ts';
import { Bug } from '../lib/bug.ts';
import { type Change, isWanted } from '../model/plan/change.ts';
import type { DiscoveredDevice } from '../model/fleet/device.ts';
import type { UnwantedOutcome } from '../model/plan/approval-rules.ts';
import type { Reason } from '../model/plan/reason.ts';
import type { Milliseconds } from '../lib/time.ts';
import type { Desired, OnboardingWant } from '../model/plan/desired-state.ts';
import {
  type Evaluation,
  type Prepared,
  toDecisionInput,
  toOnboardingInput,
} from './decide/decision-input.ts';
import { type ChangeColumns, createColumns } from './columns.ts';
import { createWithdrawals, type Withdrawals } from './decide/withdrawals.ts';
import { decide, evaluate, runSteps, toChange, toNote } from './decide/decide.ts';
import type { NotedDevice } from './decide/decide.ts';
import { insideExpiryGuard } from './decide/timing.ts';
import type { PlannerInput } from './input.ts';
import { judgeCounting } from './counting/counting.ts';
import { createPending, withCounting } from './counting/counting.ts';
import { limitTo, type Outside } from './part/limit.ts';
import type { PendingDevice } from '../model/plan/counting.ts';
import { type HoursTable, openHours } from './explain/hours.ts';
import { type LastStarts, createLastStarts } from './admit/last-starts.ts';
import { isAbsenceSure, isOnboarded, missingSince } from './observe/listings.ts';
import { type Notes, createNotes } from './noted-devices.ts';
import { type Urgency, orderKey, rankPolicies, urgently } from './order.ts';
import { listPolicies } from '../model/documents/policies.ts';
import { idsIn } from './known-devices.ts';

/** Every decision of a plan before shares are assigned. */
export interface Drafts {
  readonly columns: ChangeColumns;
  readonly notes: Notes;
  /** The position of each change in the total order. */
  readonly keys: readonly number[];
  readonly lastStarts: LastStarts;
  readonly hours: HoursTable;
  /** Devices that guardrails count without a change. */
  readonly pending: readonly PendingDevice[];
  /** Whether a change, by its index, belongs to the part that is planned. */
  readonly isInPart: (index: number) => boolean;
  /** What is outside the part. */
  readonly outside: () => Outside;
  /** Approved outcomes that the documents no longer want. */
  readonly unwanted: () => readonly UnwantedOutcome[];
}

/**
 * Decides every desired state: each device and task gets one change or one note.
 * @param heed gets every evaluation of a managed device
 */
export function draft(
  input: Prepared,
  desired: Desired,
  observe: (evaluation: Evaluation) => void = () => undefined,
): Drafts {
  const withdrawals = createWithdrawals(input);
  const table = observed(createTable(input), withdrawals);
  for (const want of desired.wants) {
    const evaluation = evaluate(toDecisionInput(want, input), input.memory);
    observe(evaluation);
    const decided = runSteps(evaluation);
    if (decided.action === 'note') table.enterNote(toNote(evaluation, decided), evaluation);
    else table.enter(toChange(evaluation, decided), want.row, evaluation);
  }
  const rows = new Map(input.snapshot.discovered.map(({ id }, row) => [id, row]));
  const certain = desired.onboarding.filter(({ found }) => found !== 'several');
  const unclear = desired.onboarding.filter(({ found }) => found === 'several');
  for (const want of [...certain, ...unclear]) draftOnboarding(want, { input, table, rows });
  for (const { deviceId, ...entry } of unmanagedDevices(input)) table.noteEntry(entry, deviceId);
  return { ...table, unwanted: withdrawals.unwanted };
}

/** A table whose decisions are observed for approved outcomes that nothing wants. */
function observed(table: DraftTable, withdrawals: Withdrawals): DraftTable {
  return {
    ...table,
    enter(change, row, evaluation) {
      withdrawals.observe(change, evaluation);
      table.enter(change, row, evaluation);
    },
    enterNote(noted, evaluation) {
      withdrawals.observe(noted, evaluation);
      table.enterNote(noted, evaluation);
    },
  };
}

interface Onboarding {
  readonly input: Prepared;
  readonly table: DraftTable;
  /** The position of a discovered device in the sorted list. */
  readonly rows: ReadonlyMap<string, number>;
}

function draftOnboarding(want: OnboardingWant, { input, table, rows }: Onboarding): void {
  const askOf = (device: DiscoveredDevice): Evaluation =>
    evaluate(toOnboardingInput(want, device, input), input.memory);
  const rowOf = ({ id }: DiscoveredDevice): number => rows.get(id) ?? rows.size;
  switch (want.found) {
    case 'discovered': {
      const evaluation = askOf(want.device);
      const change = toChange(evaluation);
      return change.action === 'note'
        ? table.enterNote(change, evaluation)
        : table.enter(change, rowOf(want.device), evaluation);
    }
    case 'several':
      for (const device of want.devices)
        if (!table.onboards(device.id))
          table.enter(ambiguous(toChange(askOf(device)), want), rowOf(device));
      return undefined;
    case 'managed':
      return table.note({ ...want, deviceId: want.deviceId, reason: managed(want, input) });
    case 'none':
      return table.noteEntry({ ...want, reason: missing(want, input) }, want.id);
  }
}

/** Several devices match one entry: none of them is used until a person chooses. */
function ambiguous(change: Change, want: OnboardingWant & { found: 'several' }): Change {
  const params = { entry: want.entry, ids: want.devices.map(({ id }) => id).join(', ') };
  const reason: Reason = { code: 'unsupported', why: 'duplicate', next: 'never', params };
  return { ...change, action: 'skip', reason, after: {}, target: '', generation: 0, marker: '' };
}

/** A listed device that is already managed; its kind gives the reason. */
function managed(want: OnboardingWant & { found: 'managed' }, input: Prepared): Reason {
  const row = input.snapshot.devices.rowOf(want.deviceId);
  if (row === undefined) throw new Bug(`managed, yet not listed: ${want.deviceId}`);
  const { reason } = decide(toDecisionInput({ ...want, row }, input), input.memory);
  return reason;
}

function missing(want: OnboardingWant & { found: 'none' }, input: PlannerInput): Reason {
  const { snapshot, memory, now } = input;
  if (isOnboarded(want, memory)) return { code: 'alreadyConverged' };
  const since = missingSince(want, memory);
  const params = {
    entry: want.entry,
    ...(since !== undefined && { age: wholeHours(now - since) }),
    ...(!isAbsenceSure(snapshot) && { confidence: snapshot.discoveredConfidence }),
  };
  return { code: 'notDiscovered', params };
}

/** An age in days, or in hours on the first day. */
function wholeHours(age: Milliseconds): string {
  const hours = Math.floor(age / 3_600_000);
  return hours < 24 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

/** Break glass on a credential is first, then credentials that are about to expire. */
function judgeUrgency(evaluation: Evaluation | undefined): Urgency {
  if (!evaluation) return 'none';
  const { policy, passer } = evaluation.case;
  if (passer && policy.section === 'rotations') return 'expedited';
  return insideExpiryGuard(evaluation) ? 'expiring' : 'none';
}

interface DraftTable extends Omit<Drafts, 'unwanted'> {
  /**
   * Adds a change of the device in this row of its sorted list, with its evaluation. Urgent changes
   * are before all others.
   */
  enter(change: Change, row: number, evaluation?: Evaluation): void;
  /** Counts a decision that is a note. */
  enterNote(noted: NotedDevice, evaluation: Evaluation): void;
  /** Adds a note on one device. */
  note(note: Note & { readonly deviceId: string }): void;
  /** Adds a note on an entry of a list that no device matches, or only a device with this ID. */
  noteEntry(note: Note, deviceId: string | undefined): void;
  /** Whether there is already a decision to onboard this device; several entries may name it. */
  onboards(deviceId: string): boolean;
}

type Note = Pick<Change, 'task' | 'at' | 'reason'>;

/** The position of a change in the total order of the plan. */
function orderIn({ documents, followed }: Prepared) {
  const ranks = rankPolicies(documents);
  return ({ policy, device }: Change, row: number, evaluation: Evaluation | undefined): number => {
    const rank = ranks.get(policy) ?? ranks.size;
    const wave = followed?.get(policy)?.assignment.assignmentOf(device.id).wave ?? 0;
    return orderKey(urgently(rank, judgeUrgency(evaluation)), row, wave);
  };
}

function createTable(prepared: Prepared): DraftTable {
  const { documents, snapshot, now, part } = prepared;
  const columns = createColumns();
  const notes = createNotes(snapshot.devices);
  const keyOf = orderIn(prepared);
  const keys: number[] = [];
  const lastStarts = createLastStarts();
  const hours = openHours({ documents, now });
  const onboarded = new Set<string>();
  const limited = limitTo(part, snapshot);
  const pending = createPending(now);
  const note: DraftTable['note'] = (one) => {
    if (limited.takes(one.at.policy, one.deviceId)) notes.add(one);
  };
  return {
    onboards: (deviceId) => onboarded.has(deviceId),
    columns,
    notes,
    keys,
    lastStarts,
    hours,
    pending: pending.devices,
    isInPart: limited.isInPart,
    outside: limited.outside,
    note,
    noteEntry(entry, deviceId) {
      if (limited.takesEntry(entry.at.policy, deviceId)) notes.addEntry(entry);
    },
    enterNote(noted, evaluation) {
      const { task, at, reason, policy, device } = noted;
      const isOwn = limited.takes(policy, device.id);
      const counting = isOwn && judgeCounting(evaluation, noted);
      if (task === TASK_OF.onboarding) onboarded.add(device.id);
      if (counting) pending.add(noted, counting);
      if (isOwn) notes.add({ task, at, reason, deviceId: device.id });
      else if (reason.code === 'notRead') limited.noteUnread();
    },
    enter(change, row, evaluation) {
      const { policy, device } = change;
      const isOwn = limited.takes(policy, device.id);
      const counting = isOwn && evaluation && judgeCounting(evaluation, change);
      if (change.task === TASK_OF.onboarding) onboarded.add(device.id);
      limited.add(isOwn);
      columns.add(counting ? withCounting(change, counting, now) : change);
      keys.push(keyOf(change, row, evaluation));
      if (isOwn && evaluation && isWanted(change)) hours.observe(evaluation);
      return void lastStarts.push(change.action === 'run' ? evaluation : undefined);
    },
  };
}

/** A note about a policy that names a device that does not exist. */
type Unmanaged = Note & { readonly deviceId: string };

/**
 * Devices that a policy selects by their exact ID and that are not managed: step K1 of the decision
 * order. A pattern names no single device.
 */
export function* unmanagedDevices({ documents, snapshot }: PlannerInput): Iterable<Unmanaged> {
  const isSure = snapshot.confidence === 'one page' || snapshot.confidence === 'two equal passes';
  const absent = new Set(snapshot.repair?.absent);
  for (const { at, value } of listPolicies(documents)) {
    if (value.section === 'onboarding') continue;
    for (const entry of new Set(idsIn(value.select))) {
      if (snapshot.devices.rowOf(entry) !== undefined) continue;
      const params = {
        entry,
        ...(!isSure && !absent.has(entry) && { confidence: snapshot.confidence }),
      };
      const place = { ...at, policy: value.address };
      const reason: Reason = { code: 'unmanaged', params };
      yield { task: value.task, at: place, reason, deviceId: entry };
    }
  }
}
