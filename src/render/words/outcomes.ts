import type { IntentPhase } from '../../model/ledger/memory.ts';
import type { Outcome, RunReport } from '../../model/ledger/run-report.ts';
import type { AnomalyKind, PostOutcome, ResultVerdict } from '../../model/ledger/record.ts';
import type { Sink } from '../sinks/sinks.ts';
import { counted, type Phrase, type CodePhrases } from './phrase.ts';

/** Each class of the report: its label, its meaning, and the next step. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, CodePhrases & { label: string }>> = {
  verified: {
    label: 'verified',
    says: 'applied and confirmed by reading the device',
    next: 'nothing to do',
  },
  unverified: {
    label: 'unverified',
    says: 'task succeeded; the device does not confirm it',
    next: 'check the device; it counts as down until it shows the target',
  },
  failed: {
    label: 'failed',
    says: 'the task failed',
    next: 'check the failed step; the next run retries within its limits',
  },
  rolledBack: {
    label: 'failed (rolled back)',
    says: 'the device returned to its previous state',
    next: 'check the device; fleetform does not retry automatically',
  },
  aborted: {
    label: 'failed (aborted)',
    says: 'the task was aborted at the service',
    next: 'find out who aborted it; fleetform does not retry automatically',
  },
  timedOut: {
    label: 'timed out',
    says: 'started but not finished by its deadline',
    next: 'run the same command again: it continues to check the task',
  },
  atWork: {
    label: 'running',
    says: 'still running when this run ended',
    next: 'run the same command again: it continues to check the task',
  },
  inDoubt: {
    label: 'in doubt',
    says: 'the task may have run; its outcome is not known',
    next: 'check the device; fleetform does not repeat it automatically. `fleetform recover` looks for evidence again, `fleetform resolve TASK --as done|not-done --reason WHY` records the outcome',
  },
  betweenSteps: {
    label: 'between steps',
    says: 'an intermediate version is installed; the next step has not started',
    next: 'run the same command again when the reason no longer applies',
  },
  skipped: {
    label: 'needs you',
    says: 'see the reason',
    next: 'see the reason',
  },
  notStarted: {
    label: 'later',
    says: 'cannot start yet',
    next: 'run the same command again when the reason no longer applies',
  },
};

/** The outcome that a person recorded for a task, and its consequence. */
export const RESOLUTION_WORDS: Readonly<
  Record<'done' | 'notDone', Pick<CodePhrases, 'says' | 'next'>>
> = {
  done: {
    says: 'recorded as done',
    next: 'nothing to do; the next plan uses the current state of the device',
  },
  notDone: {
    says: 'recorded as not done',
    next: 'run `fleetform plan`: it can be retried within the limits of its rollout',
  },
};

export const PHASE_WORDS: Readonly<Record<IntentPhase, string>> = {
  open: 'sent, response not recorded',
  running: 'running',
  inDoubt: 'in doubt',
  failed: 'failed, can be retried',
  none: 'not started',
  closed: 'closed',
};

/** How an intent was closed, wherever a record is shown. */
export const VERDICT_WORDS: Readonly<Record<ResultVerdict, string>> = {
  done: 'verified',
  unverified: 'unverified',
  failed: 'failed',
  rolledBack: 'failed (rolled back)',
  aborted: 'failed (aborted)',
  notDone: 'not done',
  unknown: 'in doubt, final',
};

export const POST_WORDS: Readonly<Record<PostOutcome, string>> = {
  notSent: 'not sent',
  accepted: 'accepted',
  rejected: 'refused',
  inDoubt: 'in doubt, no clear response',
};

/** The words of a detail, and a next step that replaces that of the outcome. */
interface DetailEntry {
  readonly says: Phrase;
  readonly next?: string;
}

/**
 * Details of endings by code: rows of the outcome table, alone or with a status, and why something
 * is unverified or in doubt.
 */
export const DETAIL_WORDS: Readonly<Record<string, DetailEntry>> = {
  P01: { says: 'cannot connect to the service' },
  P02: { says: 'the connection was refused before the request' },
  P03: { says: 'accepted' },
  P04: { says: 'the response[ ({status})] had no usable task ID' },
  P05: {
    says: 'the service refused the token[ ({status})]',
    next: 'check the credentials, then run the same command again',
  },
  P06: {
    says: 'the service refused the task[ ({status})]: no task started',
    next: 'check the payload of the policy and the names under `service.dialect`',
  },
  'P06 403': {
    says: 'the service refused the task (403): it needs the role Admin or Operator; the provider enables it for each account',
    next: 'ask an administrator of the organization for the role, or the provider to enable it',
  },
  P07: { says: 'the service limited the request rate' },
  P08: { says: 'the service refused the batch[ ({status})]; part of it may run' },
  P09: { says: 'the response that refused the task was incomplete' },
  P10: { says: 'the service returned an error[ ({status})]; the task may run' },
  P11: { says: 'the response was lost; the task may run' },
  P12: { says: 'the run ended before the response was recorded' },
  mismatch: { says: 'the device shows another value' },
  noFreshRead: { says: 'no device read newer than the task' },
  notOnline: { says: 'the device did not come back online' },
  asItWas: {
    says: 'the device is as before, long after the task was sent: it did not run',
    next: 'run the same command again: it can be retried within the limits of its rollout',
  },
  noEvidence: { says: 'no read of the device showed whether the task ran' },
  taskLost: { says: 'the service no longer returns the task' },
  unclear: {
    says: 'the service answers about its task, and the answer about this device is not understood',
    next: 'run `fleetform get task ID --steps` to see it; the next run checks the task again',
  },
  taskForbidden: {
    says: 'this user may not read the task (403), so its outcome is in doubt',
    next: 'give this user the right to read tasks, then run the same command again: it continues to check the task',
  },
  taskNotReturned: {
    says: 'the service does not return the task (404), so its outcome is in doubt',
    next: 'check the permissions of this user; the next run checks the task again',
  },
  taskUnread: {
    says: 'the service returns no usable response about the task, so its outcome is in doubt',
    next: '`fleetform get task ID --steps` shows the response; the next run checks the task again',
  },
  unrecorded: {
    says: 'the service accepted the task; the ledger could not record that',
    next: 'make the ledger writable, then run the same command again on this machine: it records the task and checks it',
  },
  unkept: {
    says: 'the service accepted the task; neither the ledger nor a file on this machine could record that',
    next: 'make the ledger writable. `fleetform get task ID` shows the result of the task, `fleetform resolve TASK --as done|not-done --reason WHY` records it',
  },
  lost: {
    says: 'the task has been running for longer than `timeouts.lost`',
    next: 'check the device; if it shows the change, `fleetform resolve TASK --as done --reason WHY` closes it',
  },
};

/** What a device shows instead of the result of its task; without `wanted` it is a credential. */
export const SHOWN_WORDS: Phrase = 'read: {field} {value}; wanted: [{wanted}||a newer one]';

/** Phrases for a detail that is the step at which the task failed, by the service's name. */
export const STEP_WORDS: Readonly<Partial<Record<Outcome, Phrase>>> = {
  failed: 'failed at step "{detail}"',
  rolledBack: 'failed and rolled back at step "{detail}"',
  aborted: 'aborted at the service at step "{detail}"',
};

export const ENDED_WORDS: Readonly<Record<NonNullable<RunReport['ended']>, CodePhrases>> = {
  interrupted: {
    says: 'The run was interrupted. Each request that it sent is on record.',
    next: 'Run `fleetform {command=apply}` again: it continues where this run stopped.',
  },
  guardrail: {
    says: 'A guardrail refused the plan. No task was started.',
    next: 'Select fewer devices, or add an `allow` exception with a ticket.',
  },
  unfit: {
    says: 'The service or the ledger is unusable.',
    next: 'Fix the problem above, then run `fleetform {command=apply}` again.',
  },
  locked: {
    says: 'Another run took over the lock, or somebody released it.',
    next: '`fleetform status` shows whether a run is at work, `fleetform audit` what it did; then run `fleetform {command=apply}` again.',
  },
  stale: {
    says: 'No approved change can still run.',
    next: 'Create a new plan and have it approved.',
  },
  unapproved: {
    says: 'No approval covers the changes of this plan file. No task was started.',
    next: 'Approve it: `fleetform ci look` on the default branch, then the gate of its workflow.',
  },
  overtaken: {
    says: 'The default branch has newer documents, so this run started nothing more.',
    next: 'See the run of its newest commit.',
  },
  error: {
    says: 'The run stopped at an error. All started tasks are recorded.',
    next: 'Fix the error above, then run `fleetform {command=apply}` again.',
  },
};

/**
 * Why a run ended early. Where the ledger lacks outcomes, that comes instead, with the file that
 * keeps those of accepted tasks: no other sentence may say that all is recorded.
 */
export function endedWords(
  ended: NonNullable<RunReport['ended']>,
  { unrecorded = [] }: Pick<RunReport, 'unrecorded'>,
  sink: Sink = String,
): string {
  if (unrecorded.length === 0) return ENDED_WORDS[ended].says;
  const files = new Set(unrecorded.flatMap(({ file }) => (file === undefined ? [] : [file])));
  const says = `The ledger lacks the outcome of ${counted(unrecorded.length, 'task')} that this run sent.`;
  return files.size === 0
    ? says
    : `${says} This machine keeps it in ${[...files].map(sink).join(', ')}.`;
}

/** Unexpected behavior of the service or of other clients. */
export const ANOMALY_WORDS: Readonly<Record<AnomalyKind, string>> = {
  foreignDevices: 'a task lists devices that were not in its batch',
  foreignUser: 'the service attributes a task of this run to another user',
  foreignType: 'a task of this run is of another type than was requested',
  taskLost: 'the service no longer returns a task that it accepted',
  resultTooLate: 'the result of a task arrived after its outcome was recorded',
};
