import { approvalRecords, withdrawalRecords, UNWANTED } from '../../ledger/approval-records.ts';
import {
  approvalTerms,
  type ApprovalTerms,
  type ChangeOutcome,
} from '../../model/ledger/approval.ts';
import { loweredGround } from '../../ledger/ground-due.ts';
import { WorldError } from '../../model/error.ts';
import type { Journal } from '../../model/ports.ts';
import type { UnwantedOutcome } from '../../model/plan/approval-rules.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { stillWanted, type PlannedOutcomes } from '../../plan/compare/wanted-outcomes.ts';

/** How long an approval holds where the documents of its commit do not say. */
export const APPROVAL_LIFE: Milliseconds = 30 * 86_400_000;

export interface GateApproval {
  readonly terms: ApprovalTerms;
  readonly shown: readonly ChangeOutcome[];
  /** The plan of the same commit, on the fleet of now. */
  readonly again: PlannedOutcomes;
  /** The plan of the newest commit of the default branch, on the same fleet. */
  readonly newest: PlannedOutcomes;
  readonly expires: Instant;
  /** Approved outcomes that the newest commit no longer requires. */
  readonly unwanted?: readonly UnwantedOutcome[];
  /** The documents of its commit are the approved ones already, or a part approves none. */
  readonly addsNoDocuments?: boolean;
  /** The last record of the ledger at the look; absent: nothing can have been withdrawn since. */
  readonly lookedAt?: number;
}

export interface ApprovalRecorded {
  readonly changes: readonly ChangeOutcome[];
  /** How many of them an approval covered before: of the two the later end applies. */
  readonly renewed: number;
  /** How many were shown, are required, and were withdrawn since the look. */
  readonly withdrawn: number;
  /** Whether there was anything to record: an outcome, or the documents of its commit. */
  readonly isRecorded: boolean;
}

/** The outcomes that an approval may contain: shown, required again, and still required (semantics N75). */
export function approvedSet({
  shown,
  again,
  newest,
}: Pick<GateApproval, 'shown' | 'again' | 'newest'>): readonly ChangeOutcome[] {
  return stillWanted(stillWanted(shown, again), newest);
}

/**
 * Appends the approval after its gate, without a lease, also during a run (semantics N75). Each pass of
 * a gate is an approval of its own, and sets add up (N79). Nothing is approved that was withdrawn since the
 * look, by the ledger that the record is appended to (protocol M10). Without any outcome the
 * record is of the documents of its commit, and there is none where these are approved. Throws
 * `shownWithdrawn` where all of it was withdrawn.
 */
export async function approveOn(
  journal: Pick<Journal, 'declare'>,
  approval: GateApproval,
  now: Instant,
): Promise<ApprovalRecorded> {
  const { terms, expires, unwanted = [], addsNoDocuments = false, lookedAt = 0 } = approval;
  const required = approvedSet(approval);
  const policies = new Map([...approval.again.changes].map(({ id, policy }) => [id, policy]));
  const author = { who: terms.run, why: `${UNWANTED} ${terms.commit}` };
  let recorded: ApprovalRecorded = { changes: [], renewed: 0, withdrawn: 0, isRecorded: false };
  await journal.declare((memory) => {
    const { approvals } = memory;
    const changes = required.filter(
      ([id, outcome]) => (approvals?.takenBackAt(id, outcome, policies.get(id)) ?? 0) <= lookedAt,
    );
    const withdrawn = required.length - changes.length;
    if (withdrawn > 0 && changes.length === 0)
      throw new WorldError('shownWithdrawn', { planId: terms.planId });
    const { commit, approvers, run } = terms;
    const who = approvers.length > 0 ? approvers.join(', ') : run;
    const lowered = asksForNone(approval) ? loweredGround(memory, { commit, who }) : [];
    const isRecorded = changes.length > 0 || !addsNoDocuments || lowered.length > 0;
    const renewed = changes.filter(([id, outcome]) => {
      const before = approvals?.of(id, policies.get(id)).get(outcome);
      return before !== undefined && now < before.expires;
    }).length;
    recorded = { changes, renewed, withdrawn, isRecorded };
    return [
      ...withdrawalRecords(unwanted, author),
      ...(isRecorded ? approvalRecords(approvalTerms(terms), expires, changes) : []),
      ...lowered,
    ];
  });
  return recorded;
}

/** The approved commit and the newest one ask for no approval of plans; a part approves no documents. */
function asksForNone({ terms, again, newest }: GateApproval): boolean {
  const isOff = ({ documents }: PlannedOutcomes): boolean =>
    documents.service.value.approval.is === 'commit';
  return terms.part === undefined && isOff(again) && isOff(newest);
}
