import type { Instant } from '../../lib/time.ts';
import type { FleetPart } from '../plan/part.ts';

/**
 * What a gate approved besides its outcomes (protocol N72): the same in its records, in the memory
 * of the ledger and in the audit.
 */
export interface ApprovalTerms {
  readonly planId: string;
  /** On the default branch; the plan was made from it. */
  readonly commit: string;
  /** Digest of its documents. */
  readonly documents: string;
  /** The requests that were merged since the last approval. */
  readonly pulls: readonly string[];
  /** Names from the forge's record of its gate; none where it has no such record. */
  readonly approvers: readonly string[];
  /** The workflow run that passed the gate. */
  readonly run: string;
  /** Addresses of the policies with a standing approval. */
  readonly preapproved: readonly string[];
  /** The part of the fleet that was approved; absent: the whole (protocol N72). */
  readonly part?: FleetPart;
}

/** The terms alone, of anything that has more. */
export function approvalTerms(terms: ApprovalTerms): ApprovalTerms {
  const { planId, commit, documents, pulls, approvers, run, preapproved, part } = terms;
  const all = { planId, commit, documents, pulls, approvers, run, preapproved };
  return part ? { ...all, part } : all;
}

/** One approval of a plan: a complete series of APPROVED records. */
export interface PlanApproval extends ApprovalTerms {
  /** Of the first record of the series. */
  readonly seq: number;
  readonly at: Instant;
  readonly expires: Instant;
}

/** A pair of a change's ID and the text of its outcome, as records and files have it. */
export type ChangeOutcome = readonly [id: string, outcome: string];

/** All approvals of a ledger, and the outcomes that they cover now. */
export interface ApprovedOutcomes {
  /** Oldest first, those that have expired or were withdrawn included. */
  readonly plans: readonly PlanApproval[];
  /**
   * The outcomes of a change that were approved and not withdrawn, each with the approval that
   * expires last. It may have expired.
   * @param policy the policy of the change, whose approved outcomes may have been withdrawn; absent:
   * whatever the policy is
   */
  of(changeId: string, policy?: string): ReadonlyMap<string, PlanApproval>;
  /** The IDs of all changes that have such an outcome. */
  ids(): Iterable<string>;
}

/** The approvals of one change, by outcome; an outcome that was withdrawn has none. */
export type ApprovalsOfChange = ReadonlyMap<string, readonly PlanApproval[]>;

/** What is approved, from all approvals and what they say of each change. */
export function approvedOutcomes({
  plans,
  byChange,
  withdrawnAt,
}: {
  readonly plans: readonly PlanApproval[];
  readonly byChange: ReadonlyMap<string, ApprovalsOfChange>;
  readonly withdrawnAt: ReadonlyMap<string, number>;
}): ApprovedOutcomes {
  return {
    plans,
    of: (changeId, policy) => {
      const found = byChange.get(changeId) ?? NO_OUTCOMES;
      const after = policy === undefined ? 0 : (withdrawnAt.get(policy) ?? 0);
      return new Map([...found].flatMap(([outcome, all]) => lastToExpire(outcome, all, after)));
    },
    *ids() {
      for (const [id, outcomes] of byChange) if (outcomes.size > 0) yield id;
    },
  };
}

const NO_OUTCOMES: ApprovalsOfChange = new Map();

function lastToExpire(
  outcome: string,
  approvals: readonly PlanApproval[],
  after: number,
): readonly (readonly [string, PlanApproval])[] {
  const left = approvals.filter(({ seq }) => seq > after);
  const last = left.sort((a, b) => a.expires - b.expires).at(-1);
  return last ? [[outcome, last]] : [];
}

/** One APPROVED record has at most so many outcomes; a larger approval is a series (protocol N72). */
export const OUTCOMES_PER_RECORD = 10_000;
