import { type Json, digest } from '../../lib/canonical.ts';
import { seedOf, type Policy } from '../documents/policy.ts';
import type { Memory } from '../ledger/memory.ts';

/**
 * Digest of a policy's target, independent of the devices that it selects; ROLLOUT records have it.
 * A new version or generation starts a new rollout; another selector, priority or window does not.
 */
export function policyDigest(policy: Policy): string {
  return digestAs(seedOf(policy), policy);
}

/** That of the running rollout, if it has this target under any name of the policy (semantics M23). */
export function targetDigestIn({ rollouts }: Pick<Memory, 'rollouts'>, policy: Policy): string {
  const { address, earlier = [] } = policy;
  const running = rollouts.get(address)?.targetDigest;
  const known = [...earlier, address].map((name) => digestAs(name, policy));
  return known.find((each) => each === running) ?? policyDigest(policy);
}

function digestAs(name: string, policy: Policy): string {
  return digest({ policy: name, wants: wantedBy(policy) });
}

function wantedBy(policy: Policy): Json {
  switch (policy.section) {
    case 'firmware':
      return { version: { ...policy.version }, downgrade: policy.downgrade };
    case 'rotations':
      if (policy.incident) return { since: policy.incident.since };
      return {
        due: { ...policy.due },
        generation: policy.generation,
        ...(policy.unknownAge === 'rotate' && { unknownAge: 'rotate' }),
      };
    case 'onboarding':
      return 'managed';
    case 'restarts':
      return 'restarted';
  }
}
