import { WorldError } from '../model/error.ts';
import type { Plan } from '../model/plan/plan.ts';
import { parseInstant, type Instant } from '../lib/time.ts';
import type { ServiceTarget } from './target.ts';

/**
 * An approval from elsewhere: the plan ID, and optionally the digest of the exact file, which
 * includes its expiry.
 */
export interface Named {
  readonly id: string;
  readonly digest?: string;
}

export interface ApprovalCheck {
  readonly target: ServiceTarget;
  readonly approved: Named | undefined;
  /** The digest of the plan's file, if given. */
  readonly digest?: string;
  readonly now: Instant;
}

/** Parses `ID` or `ID:DIGEST`, as `plan -o` prints it. Throws `usage` for any other text. */
export function parseApproved(text: string): Named {
  const [, id, digest] = /^([^:\s]+)(?::([0-9a-f]{64}))?$/.exec(text) ?? [];
  if (id === undefined) throw new WorldError('usage', { message: WRITTEN });
  return { id, ...(digest !== undefined && { digest }) };
}

const WRITTEN = '--approved takes the ID of a plan, or ID:DIGEST as `plan -o FILE` prints it';

/**
 * Checks whether a plan may be applied (protocol X13). Throws `planForeign` for another service or
 * organization, `planOutOfScope` for one that does not keep to its scope (semantics G9),
 * `planNotApproved` for another ID or file than the approved one, and `planExpired` after its expiry.
 */
export function checkApproval(plan: Plan, check: ApprovalCheck): void {
  const { target, approved, digest, now } = check;
  if (plan.inputs.service.fingerprint !== target.fingerprint)
    throw new WorldError('planForeign', {
      made: `${plan.inputs.service.baseUrl} (${plan.inputs.service.organization})`,
      here: `${target.baseUrl} (${target.organization})`,
    });
  if (plan.base?.scope?.passed === false) throw new WorldError('planOutOfScope');
  if (approved && approved.id !== plan.id)
    throw new WorldError('planNotApproved', { approved: approved.id, id: plan.id });
  if (approved?.digest !== undefined && approved.digest !== digest)
    throw new WorldError('planNotApproved', digest === undefined ? {} : { digest });
  const expires = parseInstant(plan.expiresAt) ?? 0;
  if (now >= expires) throw new WorldError('planExpired', { expiresAt: plan.expiresAt });
}
