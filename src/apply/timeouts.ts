import type { IntentState } from '../model/memory.ts';
import type { Documents, Policy } from '../model/policy.ts';
import { rolloutOrDefault } from '../model/rollout-defaults.ts';
import type { Timeouts } from '../model/rollout.ts';

/**
 * How long what was attempted may take: as the rollout of its policy says it. A policy that has left
 * the documents since, or has no rollout, has the built-in times.
 */
export function timeoutsOf(
  documents: Documents,
  { policy }: Pick<IntentState, 'policy'>,
): Timeouts {
  const rollout = policyAt(documents, policy)?.rollout;
  return rolloutOrDefault(documents.rollouts, rollout).timeouts;
}

function policyAt(documents: Documents, address: string): Policy | undefined {
  const dot = address.indexOf('.');
  const name = address.slice(dot + 1);
  switch (address.slice(0, dot)) {
    case 'firmware':
      return documents.firmware.get(name)?.value;
    case 'rotations':
      return documents.rotations.get(name)?.value;
    case 'onboarding':
      return documents.onboarding.get(name)?.value;
    default:
      return documents.restarts.get(name)?.value;
  }
}
