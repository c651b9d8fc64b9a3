import type { Json } from '../../lib/canonical.ts';
import { digest } from '../../lib/canonical.ts';
import type { Policy } from '../documents/policy.ts';

/**
 * Digest of what a policy wants of each device it selects, whichever these are: what a ROLLOUT
 * record is about. A new version or generation makes a new rollout; another selector, priority or
 * window does not.
 */
export function policyDigest(policy: Policy): string {
  return digest({ policy: policy.address, wants: wantedBy(policy) });
}

function wantedBy(policy: Policy): Json {
  switch (policy.section) {
    case 'firmware':
      return { version: { ...policy.version }, downgrade: policy.downgrade };
    case 'rotations':
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
