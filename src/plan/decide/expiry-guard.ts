import type { Evaluation } from './question.ts';

/**
 * A certificate that is about to end, or has ended: now is inside the `expiryGuard` of its policy
 * (semantics R5).
 */
export function insideExpiryGuard({
  judgement,
  case: theCase,
}: Pick<Evaluation, 'judgement' | 'case'>): boolean {
  const { policy, now } = theCase;
  if (policy.section !== 'rotations' || policy.expiryGuard === undefined) return false;
  if (judgement.is !== 'due' || judgement.expiresAt === undefined) return false;
  return now >= judgement.expiresAt - policy.expiryGuard;
}
