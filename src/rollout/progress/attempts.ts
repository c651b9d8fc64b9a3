import type { IntentState, Memory, PastAttempt } from '../../model/ledger/memory.ts';
import type { BadOutcome, Timeouts } from '../../model/documents/rollout.ts';
import { memberSubject, findSighting } from '../../model/ledger/sightings.ts';
import type { Instant } from '../../lib/time.ts';

/**
 * The outcome of one attempt. `none`: it is known not to have run or was never sent, so it does not
 * count as an attempt.
 */
export type AttemptOutcome = 'verified' | 'running' | 'none' | BadOutcome;

export interface Tried {
  readonly intent: IntentState;
  readonly attemptedAt: Instant;
  readonly outcome: AttemptOutcome;
  /** When the attempt reached this outcome; for a bad one, when it first became bad. */
  readonly since: Instant;
}

/** The timeouts that separate a slow task from an overdue one. */
export interface Patience {
  readonly memory: Pick<Memory, 'sightings'>;
  readonly timeouts: Timeouts;
  readonly now: Instant;
}

/** Every attempt on an intent, latest first. */
export function listAttempts(intent: IntentState, patience: Patience): readonly Tried[] {
  return [...(intent.earlier ?? []), intent].reverse().map((one) => {
    const outcome = one === intent ? lastOutcome(intent, patience) : pastOutcome(one);
    const { attemptedAt, settledAt = attemptedAt } = one;
    const since =
      outcome === 'verified' ? settledAt : badSince(one, outcome, lateSince(one, intent, patience));
    return { intent, attemptedAt, outcome, since };
  });
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

/** When an attempt became overdue, if it did: before its end if it has one, else before now. */
function lateSince(
  one: PastAttempt,
  { device, task }: IntentState,
  { memory, timeouts, now }: Patience,
): Instant | undefined {
  const { attemptId, attemptedAt, settledAt = now } = one;
  const seen = findSighting(memory, 'timedOut', memberSubject(attemptId, device));
  if (seen) return seen.firstAt;
  const deadline = overdueAt({ attemptedAt, task }, timeouts);
  return settledAt >= deadline ? deadline : undefined;
}

/**
 * The latest instant at which an attempt becomes overdue: after the times for pending, running and verification
 * together, since the ledger does not record each transition. Apply records an overdue task that it sees.
 */
export function overdueAt(
  { attemptedAt, task }: Pick<IntentState, 'attemptedAt' | 'task'>,
  { pending, running, verify }: Timeouts,
): Instant {
  return attemptedAt + pending + running[task] + verify[task];
}

/**
 * An attempt that was overdue or in doubt and then failed is one failure: it has been bad since the
 * first of the two.
 */
function badSince(
  one: PastAttempt,
  outcome: AttemptOutcome,
  lateSince: Instant | undefined,
): Instant {
  const doubts = [one.doubtSince, lateSince].filter((at) => at !== undefined);
  const isOpen = outcome === 'timedOut' || outcome === 'inDoubt';
  const ended = one.settledAt ?? (isOpen ? doubts[0] : undefined) ?? one.attemptedAt;
  return Math.min(ended, ...doubts);
}
