import { approvalRecords, withdrawalRecords, UNWANTED } from '../../ledger/approval-records.ts';
import {
  approvalTerms,
  type ApprovalTerms,
  type ChangeOutcome,
} from '../../model/ledger/approval.ts';
import type { Journal } from '../../model/ports.ts';
import type { UnwantedOutcome } from '../../model/plan/approval-rules.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { stillWanted, type PlannedOutcomes } from '../../plan/compare/wanted-outcomes.ts';

/** How long an approval holds where the documents of its commit do not say. */
export const EXPIRES: Milliseconds = 30 * 86_400_000;

/** The approval of a gate that a person has passed. */
export interface GateApproval {
  readonly terms: ApprovalTerms;
  /** The outcomes that the person was shown. */
  readonly shown: readonly ChangeOutcome[];
  /** The plan of the same commit, on the fleet of now. */
  readonly again: PlannedOutcomes;
  /** The plan of the newest commit of the default branch, on the same fleet. */
  readonly newest: PlannedOutcomes;
  readonly expires: Instant;
  /** Approved outcomes that the newest commit no longer requires. */
  readonly unwanted?: readonly UnwantedOutcome[];
}

/** The outcomes that an approval contains: shown, required again, and still required (semantics N75). */
export function approvedSet({
  shown,
  again,
  newest,
}: Pick<GateApproval, 'shown' | 'again' | 'newest'>): readonly ChangeOutcome[] {
  return stillWanted(stillWanted(shown, again), newest);
}

/**
 * Appends the approval after its gate, without a lease, also during a run (semantics N75).
 * @returns the outcomes that it contains
 */
export async function approveOn(
  journal: Pick<Journal, 'declare'>,
  approval: GateApproval,
): Promise<readonly ChangeOutcome[]> {
  const { terms, expires, unwanted = [] } = approval;
  const changes = approvedSet(approval);
  const author = { who: terms.run, why: `${UNWANTED} ${terms.commit}` };
  await journal.declare(() => [
    ...withdrawalRecords(unwanted, author),
    ...approvalRecords(approvalTerms(terms), expires, changes),
  ]);
  return changes;
}
