import type { IntentState } from '../../model/ledger/memory.ts';
import { policyAt } from '../../model/documents/policy-at.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { Timeouts } from '../../model/documents/rollout.ts';
import type { Instant } from '../../lib/time.ts';

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
