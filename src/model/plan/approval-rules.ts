import type { IsEnded } from '../ledger/approval.ts';

/**
 * The basis of a standing approval: the documents of the newest approved commit in the history of
 * the default branch, planned on the same snapshot (semantics N73).
 */
export interface PreapprovedOutcomes {
  /** `seq` of the newest approval of their commit. */
  readonly approval: number;
  /** `seq` of the last approval of the ledger then: a later one may make another commit the newest. */
  readonly asOf: number;
  /** The outcome that those documents want of a policy with a standing approval. */
  outcomeOf(changeId: string): string | undefined;
}

/** Present where a change needs the approval of its outcome, by these documents or by those before. */
export interface ApprovalRules {
  readonly preapproved?: PreapprovedOutcomes;
  /** Approvals that ended by documents that were merged since (protocol M10); absent: none did. */
  readonly isEnded?: IsEnded;
}

/** An approved outcome that the documents of now no longer want. */
export interface UnwantedOutcome {
  /** Of the change. */
  readonly id: string;
  /** The plan that approved it. */
  readonly planId: string;
}
