import { KINDS } from '../kinds/index.ts';
import type { IntentPhase } from '../model/ledger/memory.ts';
import {
  RESULT_VERDICTS,
  type AnomalyKind,
  type PostOutcome,
  type ResultVerdict,
} from '../model/ledger/record.ts';
import { TASK_TYPES, type TaskType } from '../model/fleet/task.ts';

/**
 * The status of an intent, finer than its phase: the verdict that closed it decides which events
 * may follow.
 */
export const INTENT_STATUSES = [
  'none',
  'open',
  'running',
  'inDoubt',
  'rejected',
  ...RESULT_VERDICTS,
] as const;
export type IntentStatus = (typeof INTENT_STATUSES)[number];

/**
 * Everything that can happen to an intent. `turnedAway` is a rejected RESULT that concerns the
 * caller or the rate, never the device: rows P05 (401) and P07 (429), and P06 with 403.
 */
export const INTENT_EVENTS = [
  'attempt',
  'notSent',
  'rejected',
  'turnedAway',
  'accepted',
  'inDoubt',
  'runGone',
  'taskLost',
  'settled done',
  'settled unverified',
  'settled failed',
  'settled rolledBack',
  'settled aborted',
  'settled notDone',
  'settled unknown',
] as const;
export type IntentEvent = (typeof INTENT_EVENTS)[number];

/**
 * The ANOMALY that puts the running intents in its `ids` in doubt: their service task can no longer
 * be read.
 */
export const TASK_LOST: AnomalyKind = 'taskLost';

/** The author of a settlement: the run that read the device back, later evidence, or a person. */
export type SettledBy = 'verify' | 'evidence' | 'person';

interface Transition {
  readonly from: readonly IntentStatus[];
  readonly on: IntentEvent;
  readonly to: IntentStatus;
  /** Task types that may take this transition; all if absent. */
  readonly tasks?: readonly TaskType[];
  /** Who may settle with this verdict; anyone if absent. */
  readonly by?: readonly SettledBy[];
}

const RETRIED = TASK_TYPES.filter((task) => KINDS[task].retriedAfterFailure !== 'never');
const READABLE = TASK_TYPES.filter((task) => KINDS[task].settledByRead);
const ENDING_UNKNOWN = TASK_TYPES.filter((task) => KINDS[task].endsUnknown);
const LATER: readonly SettledBy[] = ['evidence', 'person'];

/**
 * The only transitions of an intent (protocol J13, with I15 for tasks that only show a change). A
 * RESULT on an intent in doubt comes from a run that lost its lease and still knows the answer.
 */
export const TRANSITIONS: readonly Transition[] = [
  { from: ['none', 'rejected', 'notDone'], on: 'attempt', to: 'open' },
  { from: ['failed'], on: 'attempt', to: 'open', tasks: RETRIED },
  { from: ['open', 'inDoubt'], on: 'notSent', to: 'none' },
  { from: ['open', 'inDoubt'], on: 'turnedAway', to: 'none' },
  { from: ['open', 'inDoubt'], on: 'rejected', to: 'rejected' },
  { from: ['open', 'inDoubt'], on: 'accepted', to: 'running' },
  { from: ['open', 'inDoubt'], on: 'inDoubt', to: 'inDoubt' },
  { from: ['open'], on: 'runGone', to: 'inDoubt' },
  { from: ['running'], on: 'taskLost', to: 'inDoubt' },
  { from: ['running', 'inDoubt'], on: 'settled done', to: 'done' },
  { from: ['running'], on: 'settled unverified', to: 'unverified' },
  { from: ['running'], on: 'settled failed', to: 'failed' },
  { from: ['running'], on: 'settled rolledBack', to: 'rolledBack' },
  { from: ['running'], on: 'settled aborted', to: 'aborted' },
  { from: ['inDoubt'], on: 'settled notDone', to: 'notDone', tasks: READABLE, by: LATER },
  { from: ['inDoubt'], on: 'settled notDone', to: 'notDone', by: ['person'] },
  { from: ['inDoubt'], on: 'settled unknown', to: 'unknown', tasks: ENDING_UNKNOWN },
  { from: ['unverified', 'failed', 'rejected'], on: 'settled done', to: 'done', by: LATER },
  { from: ['unverified', 'failed', 'rejected'], on: 'settled notDone', to: 'notDone', by: LATER },
];

/**
 * The status after an event; undefined where the table does not allow it. `by` applies to
 * settlements only.
 */
export function nextStatus(
  from: IntentStatus,
  on: IntentEvent,
  step: { readonly task: TaskType; readonly by?: SettledBy },
): IntentStatus | undefined {
  const row = TRANSITIONS.find(
    (row) =>
      row.on === on &&
      row.from.includes(from) &&
      (row.tasks === undefined || row.tasks.includes(step.task)) &&
      (row.by === undefined || (step.by !== undefined && row.by.includes(step.by))),
  );
  return row?.to;
}

/** The phase of each status, as the rest of the program uses it. */
export const PHASE_OF: Readonly<Record<IntentStatus, IntentPhase>> = {
  none: 'none',
  open: 'open',
  running: 'running',
  inDoubt: 'inDoubt',
  rejected: 'failed',
  done: 'closed',
  unverified: 'closed',
  failed: 'closed',
  rolledBack: 'closed',
  aborted: 'closed',
  notDone: 'closed',
  unknown: 'closed',
};

/** The status behind a phase; the verdict gives the status of a closed intent. */
export function intentStatus(intent: {
  readonly phase: IntentPhase;
  readonly verdict?: ResultVerdict;
}): IntentStatus {
  if (intent.phase === 'failed') return 'rejected';
  return intent.phase === 'closed' ? (intent.verdict ?? 'unknown') : intent.phase;
}

/** The fields of a RESULT that its event depends on. */
export interface ResultFacts {
  readonly outcome: PostOutcome;
  readonly row: string;
  readonly status?: number;
}

/**
 * The event of a RESULT. A refusal that does not concern the device leaves its intent untried:
 * another user or a later request may succeed.
 */
export function resultEvent({ outcome, row, status }: ResultFacts): IntentEvent {
  return outcome === 'rejected' && isTurnedAway(row, status) ? 'turnedAway' : outcome;
}

function isTurnedAway(row: string, status: number | undefined): boolean {
  return row === 'P05' || row === 'P07' || (row === 'P06' && status === 403);
}

/** Whether an intent is open, running or in doubt, so that its device is busy. */
export function isOpen(intent: { readonly phase: IntentPhase }): boolean {
  return intent.phase === 'open' || intent.phase === 'running' || intent.phase === 'inDoubt';
}
