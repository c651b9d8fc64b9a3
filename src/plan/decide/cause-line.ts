import type { Policy } from '../../model/documents/policy.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { placeOf, type At, type Sourced } from '../../model/documents/source.ts';
import type { DecisionInput } from './decision-input.ts';

/**
 * Where the line stands that a change comes from, under the address of the policy that wants it:
 * the version, age or symptom that was written, or the exception that changed the wish. An entry on
 * one line, or a default that nobody wrote, gives the place of the entry (DESIGN section 4, `at`).
 */
export function lineOf(
  decisionInput: Pick<DecisionInput, 'policy' | 'at' | 'exemption'>,
  reason: Reason,
): At {
  const { policy, at, exemption } = decisionInput;
  const { pin, expedite } = exemption;
  if (reason.why === 'pinned' && pin) return { ...placeOf(pin, '/version'), policy: at.policy };
  if (reason.why === 'expedited' && expedite) return { ...expedite.at, policy: at.policy };
  const pointer = pointerOf(policy, reason);
  return pointer === undefined ? at : { ...placeOf(policy, pointer), policy: at.policy };
}

/** The field that says what is wanted. A listed device has a line of its own already. */
function pointerOf({ value }: Sourced<Policy>, { why }: Reason): string | undefined {
  switch (value.section) {
    case 'firmware':
      return why === 'belowMinVersion' ? '/minVersion' : '/version';
    case 'rotations':
      if (why === 'generationRaised') return '/generation';
      return value.due.is.startsWith('renew') ? '/renewBefore' : '/maxAge';
    case 'restarts':
      return '/when';
    case 'onboarding':
      return why === 'matched' ? '/select' : undefined;
  }
}
