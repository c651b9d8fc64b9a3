import type { Instant } from '../../lib/time.ts';

/** One approval of a plan: a complete series of APPROVED records. */
export interface PlanApproval {
  /** Of the first record of the series. */
  readonly seq: number;
  readonly at: Instant;
  readonly planId: string;
  readonly commit: string;
  readonly documents: string;
  readonly pulls: readonly string[];
  readonly approvers: readonly string[];
  readonly run: string;
  readonly expires: Instant;
  /** Addresses of the policies with a standing approval. */
  readonly preapproved: readonly string[];
}

/** All approvals of a ledger, and the outcomes that they cover now. */
export interface ApprovedOutcomes {
  /** Oldest first, those that have expired or were withdrawn included. */
  readonly plans: readonly PlanApproval[];
  /**
   * The approval that covers an outcome of a change and was not withdrawn; of several the one that
   * expires last. It may have expired.
   */
  approvalOf(changeId: string, outcome: string): PlanApproval | undefined;
}
