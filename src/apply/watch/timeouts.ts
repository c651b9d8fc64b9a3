import type { IntentState } from '../../model/ledger/memory.ts';
import { policyAt } from '../../model/documents/policy-at.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { Timeouts } from '../../model/documents/rollout.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';

/**
 * How long what was attempted may take: as the rollout of its policy says it. A policy that has left
 * the documents since, or has no rollout, has the times of `default`.
 */
export function timeoutsOf(
  documents: Documents,
  { policy }: Pick<IntentState, 'policy'>,
): Timeouts {
  const rollout = policyAt(documents, policy)?.rollout;
  return rolloutOrDefault(documents.rollouts, rollout).timeouts;
}

/**
 * An attempt from so long ago whose task has still not ended: a person has to look, and evidence may
 * close it; it is never attempted again (protocol Q7).
 */
export function isLost(
  documents: Documents,
  intent: Pick<IntentState, 'policy' | 'attemptedAt'>,
  now: Instant,
): boolean {
  return now - intent.attemptedAt > timeoutsOf(documents, intent).lost;
}

/**
 * From the end of a task to `unverified`: as the policy of the intent says it, else as its rollout does.
 * The policy may have left the documents since.
 */
export function verifyLimitOf(
  documents: Documents,
  { task, policy }: Pick<IntentState, 'task' | 'policy'>,
): Milliseconds {
  for (const { value } of documents.rotations.values())
    if (value.address === policy && value.verifyWithin !== undefined) return value.verifyWithin;
  return timeoutsOf(documents, { policy }).verify[task];
}

/**
 * The instant after which a task that is not `completed` is waited for no longer (protocol X10).
 */
export function deadlineOf(
  documents: Documents,
  intent: IntentState,
  runningSince: Instant | undefined,
): Instant {
  const { pending, running } = timeoutsOf(documents, intent);
  return runningSince === undefined
    ? intent.attemptedAt + pending
    : runningSince + running[intent.task];
}
