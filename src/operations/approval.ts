import { WorldError, usage } from '../model/error.ts';
import type { Plan } from '../model/plan/plan.ts';
import { parseInstant, type Instant, type Milliseconds } from '../lib/time.ts';
import { isConsistent, isSameService, type ServiceTarget } from './target.ts';

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
  if (id === undefined) throw usage(WRITTEN);
  return { id, ...(digest !== undefined && { digest }) };
}

const WRITTEN = '--approved takes the ID of a plan, or ID:DIGEST as `plan -o FILE` prints it';

/** No plan is valid for longer. */
export const LONGEST_LIFE: Milliseconds = 90 * 86_400_000;

/** Two clocks may differ by this much. */
const SKEW: Milliseconds = 300_000;

/**
 * Checks what a plan says of itself and its ID does not cover (protocol X18): its service belongs to
 * its fingerprint, and it expires after it was made, within the longest life of a plan. Throws
 * `planTampered` otherwise. Names, sites and instants within these bounds can be edited: only
 * `--approved ID:DIGEST` refuses such a file.
 */
export function checkOwnWords({ inputs, evaluatedAt, expiresAt }: Omit<Plan, 'changes'>): void {
  if (!isConsistent(inputs.service)) throw new WorldError('planTampered', { why: 'service' });
  const life = readInstant(expiresAt) - readInstant(evaluatedAt);
  if (!(life >= 0 && life <= LONGEST_LIFE)) throw new WorldError('planTampered', { why: 'times' });
}

/**
 * Checks whether a plan may be applied (protocol X13). Throws `planForeign` for another service or
 * organization, `planTampered` where it contradicts itself, `planOutOfScope` for one that does not
 * keep to its scope (semantics G9), `planNotApproved` for another ID or file than the approved one,
 * `planAhead` before the instant that it is of, and `planExpired` after its expiry.
 */
export function checkApproval(plan: Plan, check: ApprovalCheck): void {
  const { target, approved, digest, now } = check;
  const { service } = plan.inputs;
  if (service.fingerprint !== target.fingerprint || !isSameService(service, target))
    throw new WorldError('planForeign', {
      made: `${service.baseUrl} (${service.organization})`,
      here: `${target.baseUrl} (${target.organization})`,
    });
  checkOwnWords(plan);
  if (plan.base?.scope?.passed === false) throw new WorldError('planOutOfScope');
  if (approved && approved.id !== plan.id)
    throw new WorldError('planNotApproved', { approved: approved.id, id: plan.id });
  if (approved?.digest !== undefined && approved.digest !== digest)
    throw new WorldError('planNotApproved', digest === undefined ? {} : { digest });
  if (readInstant(plan.evaluatedAt) > now + SKEW)
    throw new WorldError('planAhead', { evaluatedAt: plan.evaluatedAt });
  if (!(now < readInstant(plan.expiresAt)))
    throw new WorldError('planExpired', { expiresAt: plan.expiresAt });
}

function readInstant(text: string): Instant {
  return parseInstant(text) ?? NaN;
}
