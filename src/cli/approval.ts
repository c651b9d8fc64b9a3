import { WorldError } from '../model/error.ts';
import type { Plan } from '../model/plan.ts';
import { parseInstant, type Instant } from '../model/time.ts';
import type { Target } from './target.ts';

export interface ApprovalCheck {
  readonly target: Target;
  /** The id that was approved elsewhere, where one was given. */
  readonly approved: string | undefined;
  readonly now: Instant;
}

/**
 * Whether a plan may be applied at all (apply protocol 3.16). Throws `planForeign` for another service or
 * organisation, `planNotApproved` for another id than the approved one, `planExpired` after its time.
 */
export function checkApproval(plan: Plan, check: ApprovalCheck): void {
  const { target, approved, now } = check;
  if (plan.inputs.service.fingerprint !== target.fingerprint)
    throw new WorldError('planForeign', {
      made: `${plan.inputs.service.baseUrl} (${plan.inputs.service.organization})`,
      here: `${target.baseUrl} (${target.organization})`,
    });
  if (approved !== undefined && approved !== plan.id)
    throw new WorldError('planNotApproved', { approved, id: plan.id });
  const expires = parseInstant(plan.expiresAt) ?? 0;
  if (now >= expires) throw new WorldError('planExpired', { expiresAt: plan.expiresAt });
}
