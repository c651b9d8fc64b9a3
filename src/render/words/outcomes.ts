import type { IntentPhase } from '../../model/ledger/memory.ts';
import type { Outcome, RunReport } from '../../model/ledger/run-report.ts';
import type { AnomalyKind, PostOutcome, ResultVerdict } from '../../model/ledger/record.ts';
import type { CodePhrases } from './entry.ts';
import type { Phrase } from './phrase.ts';

/** Each class of the report: its label, its meaning, and the next step. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, CodePhrases & { label: string }>> = {
  verified: {
    label: 'verified',
    says: 'done and read back from the device',
    next: 'nothing to do',
  },
  unverified: {
    label: 'unverified',
    says: 'the task succeeded, but the device does not show it',
    next: 'look at the device; it counts as down until it shows the target',
  },
  failed: {
    label: 'failed',
    says: 'the task failed',
    next: 'look at the step that failed; the next run tries again within its limits',
  },
  rolledBack: {
    label: 'rolled back',
    says: 'the device went back to what it had',
    next: 'look at the device; it is not tried again by itself',
  },
  aborted: {
    label: 'aborted',
    says: 'the task was aborted',
    next: 'find out who aborted it; it is not tried again by itself',
  },
  timedOut: {
    label: 'timed out',
    says: 'started, and not finished by its deadline',
    next: 'run the same command again: it goes on watching the task',
  },
  inDoubt: {
    label: 'in doubt',
    says: 'nobody knows yet whether it ran',
    next: 'look at the device; it is not repeated by itself. `fleetform resume` asks for evidence again, `fleetform resolve INTENT --as done|not-done --reason WHY` settles it',
  },
  skipped: {
    label: 'skipped',
    says: 'not done on purpose',
    next: 'see the reason',
  },
  notStarted: {
    label: 'not started',
    says: 'wanted, but not now',
    next: 'run the same command again when the reason has passed',
  },
};

/** The outcome that a person recorded for an intent, and its consequence. */
export const RESOLUTION_WORDS: Readonly<
  Record<'done' | 'notDone', Pick<CodePhrases, 'says' | 'next'>>
> = {
  done: {
    says: 'it was done',
    next: 'nothing to do; the next plan takes the device as it reads',
  },
  notDone: {
    says: 'it was not done',
    next: 'run `fleetform plan`: it may be tried again, within the limits of its rollout',
  },
};

/** The label of a task whose run ended first: its data say timed out, but it may not be overdue. */
export const AT_WORK_WORDS: CodePhrases & { label: string } = {
  label: 'at work',
  says: 'still at work when the run ended',
  next: 'run the same command again: it goes on watching the task',
};

export const PHASE_WORDS: Readonly<Record<IntentPhase, string>> = {
  open: 'attempted, answer not recorded yet',
  running: 'running',
  inDoubt: 'in doubt',
  failed: 'failed, may be tried again',
  none: 'not started',
  closed: 'closed',
};

export const VERDICT_WORDS: Readonly<Record<ResultVerdict, string>> = {
  done: 'done',
  unverified: 'not shown by the device',
  failed: 'failed',
  rolledBack: 'rolled back',
  aborted: 'aborted',
  notDone: 'not done',
  unknown: 'never known',
};

export const POST_WORDS: Readonly<Record<PostOutcome, string>> = {
  notSent: 'not sent',
  accepted: 'accepted',
  rejected: 'refused',
  inDoubt: 'in doubt, no clear answer',
};

/** The words of a detail, and a next step that replaces that of the outcome. */
export interface DetailEntry {
  readonly says: Phrase;
  readonly next?: string;
}

/**
 * Details of endings by code: rows of the outcome table, alone or with a status, and why something
 * is unverified or in doubt.
 */
export const DETAIL_WORDS: Readonly<Record<string, DetailEntry>> = {
  onTheWay: { says: 'a version on the way is installed and verified; the next is still to come' },
  P01: { says: 'the service could not be reached' },
  P02: { says: 'the connection was refused before the request' },
  P03: { says: 'accepted' },
  P04: { says: 'the answer[ ({status})] had no usable task id' },
  P05: {
    says: 'the service refused the token[ ({status})]',
    next: 'check the credentials, then run the same command again',
  },
  P06: {
    says: 'the service refused the task[ ({status})]: nothing was started',
    next: 'look at the payload of the policy and at the names under `service.dialect`',
  },
  'P06 403': {
    says: 'the service refused the task (403): it needs the role Admin or Operator, which the provider enables for each account',
    next: 'ask an administrator of the organisation for the role, or the provider to enable it',
  },
  P07: { says: 'the service asked for fewer requests' },
  P08: { says: 'the service refused the batch[ ({status})], part of it may run' },
  P09: { says: 'the refusal was cut off' },
  P10: { says: 'the service answered with an error[ ({status})], the task may run' },
  P11: { says: 'the answer was lost, the task may run' },
  P12: { says: 'the run ended before the answer was recorded' },
  mismatch: { says: 'the device shows something else' },
  noFreshRead: { says: 'no reading newer than the task' },
  notOnline: { says: 'the device did not come back online' },
  asItWas: {
    says: 'the device still has what it had long after the attempt: nothing ran',
    next: 'run the same command again: it may be tried anew, within the limits of its rollout',
  },
  noEvidence: { says: 'the device never showed whether it ran' },
  taskLost: { says: 'the service no longer shows the task' },
  lost: {
    says: 'its task has not ended for longer than `timeouts.lost`: a person has to look',
    next: 'look at the device; if it shows that it was done, `fleetform resolve INTENT --as done --reason WHY` closes it',
  },
};

/** Phrases for a detail that is the step at which the task failed, by the service's name. */
export const STEP_WORDS: Readonly<Partial<Record<Outcome, Phrase>>> = {
  failed: 'failed at step “{detail}”',
  rolledBack: 'went back at step “{detail}”',
  aborted: 'aborted at step “{detail}”',
};

/** Why a run ended early. */
export const ENDED_WORDS: Readonly<Record<NonNullable<RunReport['ended']>, CodePhrases>> = {
  interrupted: {
    says: 'The run was interrupted. What was on the wire is finished and recorded.',
    next: 'Run `fleetform {command=apply}` again: it goes on where this one stopped.',
  },
  guardrail: {
    says: 'A guardrail refused the plan. Nothing was started.',
    next: 'Select fewer devices, or add an exception of type allow with a ticket.',
  },
  unfit: {
    says: 'The service or the ledger is not fit to go on.',
    next: 'Mend what the message above names, then run `fleetform {command=apply}` again.',
  },
  locked: {
    says: 'Another run holds or took the lock.',
    next: 'Wait for it (`--lock-wait 10m`), or use --take-over if it is dead for certain.',
  },
  stale: {
    says: 'Nothing that was approved can still run.',
    next: 'Make a new plan and have it approved.',
  },
  unapproved: {
    says: 'No approval covers what this plan file would start. Nothing was started.',
    next: 'Approve it: `fleetform ci look` on the default branch, then the gate of its workflow.',
  },
  error: {
    says: 'The run stopped at an error. What was started is recorded.',
    next: 'Mend the error above, then run `fleetform {command=apply}` again.',
  },
};

/** Unexpected behavior of the service or of other clients. */
export const ANOMALY_WORDS: Readonly<Record<AnomalyKind, string>> = {
  foreignDevices: 'a task names devices that were not in its batch',
  foreignUser: 'a task of this run is shown as the task of another user',
  taskLost: 'the service no longer shows a task that it had accepted',
  resultTooLate: 'the result of an attempt came after the attempt had been settled without it',
};
