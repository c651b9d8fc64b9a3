import { mayHaveRun } from '../../kinds/past.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Evaluation } from './question.ts';

/** Between the password and the certificate of one device: more than any window lasts (semantics R4). */
const CREDENTIAL_GAP: Milliseconds = 24 * 3_600_000;

const OTHER: Readonly<Partial<Record<TaskType, TaskType>>> = {
  rotatePassword: 'rotateSslCertificate',
  rotateSslCertificate: 'rotatePassword',
};

/** The other credential of the device was rotated, or may have been, less than a day ago. */
export function otherCredential(evaluation: Evaluation): Reason | undefined {
  const { task, memory, case: theCase } = evaluation;
  const other = OTHER[task];
  if (other === undefined) return undefined;
  const times = memory
    .intentsOf(theCase.device.id, other)
    .filter(mayHaveRun)
    .map(({ settledAt, attemptedAt }) => settledAt ?? attemptedAt);
  const since = Math.max(...times);
  return theCase.now < since + CREDENTIAL_GAP ? { ...gapAfter(other, since), since } : undefined;
}

/**
 * Why the second of two tasks cannot follow the first on one device, both being about to start now;
 * undefined where they are not its two credentials.
 */
export function credentialsClash(
  second: TaskType,
  first: TaskType,
  now: Instant,
): Reason | undefined {
  return OTHER[second] === first ? gapAfter(first, now) : undefined;
}

function gapAfter(task: TaskType, at: Instant): Reason {
  return { code: 'busy', why: 'gap', next: at + CREDENTIAL_GAP, params: { task } };
}
