import type { Instant } from '../../lib/time.ts';
import type { Policy } from '../../model/documents/policy.ts';
import type { Sourced } from '../../model/documents/source.ts';
import { approvedUntil } from '../decide/approval.ts';
import type { Evaluation } from '../decide/decision-input.ts';
import type { PlannerInput } from '../input.ts';
import { findTerm } from './due-terms.ts';

/** The limits that the end of a change is compared with. */
export interface Limits {
  readonly policy: Sourced<Policy>;
  /** Its deadline. */
  readonly before?: Instant;
  /** When its approval expires (semantics N77). */
  readonly approved?: Instant;
}

/** Undefined for a change that can be late for nothing. */
export function findLimits(
  evaluation: Evaluation,
  { documents }: PlannerInput,
): Limits | undefined {
  const { followed, judgement, policy, exemption } = evaluation;
  const isFree = exemption.exclude === undefined && exemption.hold === undefined;
  if (!followed || judgement.is !== 'due' || !isFree) return undefined;
  const approved = approvedUntil(evaluation, documents);
  const before = isGuarded(policy.value) ? undefined : findTerm(evaluation)?.before;
  if (approved === undefined && before === undefined) return undefined;
  return {
    policy,
    ...(approved !== undefined && { approved }),
    ...(before !== undefined && { before }),
  };
}

/** A policy that may ignore its window before the expiry cannot be late because of windows. */
function isGuarded(policy: Policy): boolean {
  return policy.section === 'rotations' && policy.expiryGuard !== undefined;
}

/** The end of a change, as the forecast has it; Infinity where no window lets it start. */
export interface Ended {
  readonly device: string;
  readonly wave: string;
  readonly end: Instant;
  readonly limits: Limits;
}
