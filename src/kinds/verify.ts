import type { Attempted, Kind, Readback } from './kind.ts';
import type { ResultEvidence } from '../model/ledger/record.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';

/** Why a device task that succeeded could not be verified (protocol V4). */
export type UnverifiedReason = 'mismatch' | 'noFreshRead' | 'notOnline';

/** The state of the verification of one device. A `pending` device is read again before its deadline. */
export type Verification =
  | {
      readonly is: 'verified';
      readonly evidence: readonly ResultEvidence[];
      readonly resultOnly: boolean;
    }
  | {
      readonly is: 'unverified';
      readonly why: UnverifiedReason;
      readonly evidence: readonly ResultEvidence[];
    }
  | { readonly is: 'pending'; readonly why: UnverifiedReason };

/** One check of a device whose task succeeded. `seen` is absent if nothing has been read since the task ended. */
export interface Verifying {
  readonly kind: Pick<Kind, 'prove'>;
  /** How long after its task a device may take to show the result. */
  readonly limit: Milliseconds;
  readonly attempted: Attempted & { readonly completedAt: Instant };
  readonly seen?: Readback;
  readonly now: Instant;
}

/**
 * Judges whether the task had its effect. A read only counts if it was sent after the task was seen
 * as completed. A device may come back until the deadline of its kind. After the deadline it is
 * unverified, and the last read gives the reason (protocol V1).
 */
export function verify(check: Verifying): Verification {
  const { attempted, now } = check;
  const late = now >= attempted.completedAt + check.limit;
  const seen = check.seen && check.seen.readAt >= attempted.completedAt ? check.seen : undefined;
  if (!seen) return unproved('noFreshRead', [], late);
  const proof = check.kind.prove(attempted, seen);
  switch (proof.is) {
    case 'shown':
      return { is: 'verified', evidence: proof.evidence, resultOnly: false };
    case 'resultOnly':
      return { is: 'verified', evidence: proof.evidence, resultOnly: true };
    case 'other':
      return unproved('mismatch', proof.evidence, late);
    case 'notYet':
      return unproved(proof.why === 'notOnline' ? 'notOnline' : 'noFreshRead', [], late);
  }
}

function unproved(
  why: UnverifiedReason,
  evidence: readonly ResultEvidence[],
  late: boolean,
): Verification {
  return late ? { is: 'unverified', why, evidence } : { is: 'pending', why };
}
