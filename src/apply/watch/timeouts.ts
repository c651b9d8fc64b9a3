import type { IntentState } from '../../model/ledger/memory.ts';
import { policyAt } from '../../model/documents/policies.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { Timeouts } from '../../model/documents/rollout.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';

/**
 * The timeouts of an attempt, from the rollout of its policy. A policy that was removed since, or
 * has no rollout, has those of `default`.
 */
export function findTimeouts(
  documents: Documents,
  { policy }: Pick<IntentState, 'policy'>,
): Timeouts {
  const rollout = policyAt(documents, policy)?.rollout;
  return rolloutOrDefault(documents.rollouts, rollout).timeouts;
}

/**
 * An attempt from so long ago whose task has still not ended: a person must check, and evidence may
 * close it; it is never attempted again (protocol Q7).
 */
export function isLost(
  documents: Documents,
  intent: Pick<IntentState, 'policy' | 'attemptedAt'>,
  now: Instant,
): boolean {
  return now - intent.attemptedAt > findTimeouts(documents, intent).lost;
}

/**
 * From the end of a task to `unverified`: from the policy of the intent, else from its rollout. The
 * policy may have been removed since.
 */
export function verifyLimit(
  documents: Documents,
  { task, policy }: Pick<IntentState, 'task' | 'policy'>,
): Milliseconds {
  for (const { value } of documents.rotations.values())
    if (value.address === policy && value.verify) return value.verify.within;
  return findTimeouts(documents, { policy }).verify[task];
}

/** The instant after which the run no longer waits for a task that is not `completed` (protocol X10). */
export function completionDeadline(
  documents: Documents,
  intent: IntentState,
  runningSince: Instant | undefined,
): Instant {
  const { pending, running } = findTimeouts(documents, intent);
  return runningSince === undefined
    ? intent.attemptedAt + pending
    : runningSince + running[intent.task];
}
