import type { IntentState, Memory, PastAttempt } from '../../model/ledger/memory.ts';
import type { BadOutcome, Timeouts } from '../../model/documents/rollout.ts';
import { memberSubject, sightingOf } from '../../model/ledger/sightings.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Instant } from '../../lib/time.ts';

/** What one attempt came to. `none`: known not to have run, or never sent; no attempt at all. */
export type AttemptOutcome = 'verified' | 'running' | 'none' | BadOutcome;

export interface Tried {
  readonly attemptId: string;
  readonly attemptedAt: Instant;
  readonly outcome: AttemptOutcome;
  /** Since when it has been what it is; of a bad one, since when it has been bad in any way. */
  readonly since: Instant;
}

/** What tells a task that takes long from one that takes too long. */
export interface Patience {
  readonly memory: Pick<Memory, 'sightings'>;
  readonly timeouts: Timeouts;
  readonly now: Instant;
}

/** Every attempt on an intent, the last one first. */
export function attemptsOf(intent: IntentState, patience: Patience): readonly Tried[] {
  const past = (intent.earlier ?? []).map((one) => ({ one, outcome: pastOutcome(one) }));
  const last = { one: intent, outcome: lastOutcome(intent, patience) };
  return [...past, last].reverse().map(({ one, outcome }) => ({
    attemptId: one.attemptId,
    attemptedAt: one.attemptedAt,
    outcome,
    since: sinceOf(one, outcome, lateSince(one, intent, patience)),
  }));
}

/**
 * When a task is late at the latest: after the time for pending, running and verification together,
 * since the ledger does not say when one ended and the next began. Where apply saw it, it is recorded.
 */
export function taskDeadline(task: TaskType, attemptedAt: Instant, timeouts: Timeouts): Instant {
  return attemptedAt + timeouts.pending + timeouts.running[task] + timeouts.verify[task];
}

function lastOutcome(intent: IntentState, patience: Patience): AttemptOutcome {
  switch (intent.phase) {
    case 'none':
      return 'none';
    case 'open':
      return 'running';
    case 'running':
      return lateSince(intent, intent, patience) === undefined ? 'running' : 'timedOut';
    case 'inDoubt':
      return 'inDoubt';
    case 'failed':
      return 'failed';
    case 'closed':
      return closedAs(intent);
  }
}

function pastOutcome(attempt: PastAttempt): AttemptOutcome {
  if (attempt.verdict !== undefined) return closedAs(attempt);
  return attempt.outcome === 'rejected' ? 'failed' : 'none';
}

function closedAs({ verdict }: Pick<IntentState, 'verdict'>): AttemptOutcome {
  if (verdict === 'done') return 'verified';
  if (verdict === 'notDone') return 'none';
  return verdict === undefined || verdict === 'unknown' ? 'inDoubt' : verdict;
}

/** Since when an attempt was late, if it was: before its end where it has one, else before now. */
function lateSince(
  { attemptId, attemptedAt, settledAt }: PastAttempt,
  { device, task }: IntentState,
  { memory, timeouts, now }: Patience,
): Instant | undefined {
  const seen = sightingOf(memory, 'timedOut', memberSubject(attemptId, device));
  if (seen) return seen.firstAt;
  const deadline = taskDeadline(task, attemptedAt, timeouts);
  return (settledAt ?? now) >= deadline ? deadline : undefined;
}

/**
 * An attempt that was late or in doubt, and then ended badly, is the same evidence as before: it has
 * been bad since then.
 */
function sinceOf(
  one: PastAttempt,
  outcome: AttemptOutcome,
  lateSince: Instant | undefined,
): Instant {
  const doubts = [one.doubtSince, lateSince].filter((at) => at !== undefined);
  const isOpen = outcome === 'timedOut' || outcome === 'inDoubt';
  const ended = one.settledAt ?? (isOpen ? doubts[0] : undefined) ?? one.attemptedAt;
  return outcome === 'verified' ? ended : Math.min(ended, ...doubts);
}
