import type { Json } from '../../lib/canonical.ts';
import { digest } from '../../lib/canonical.ts';
import type { Policy } from '../documents/policy.ts';

/**
 * Digest of a policy's target, independent of the devices that it selects; ROLLOUT records have it.
 * A new version or generation starts a new rollout; another selector, priority or window does not.
 */
export function policyDigest(policy: Policy): string {
  return digest({ policy: policy.address, wants: wantedBy(policy) });
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
