import { listOf, optional, type Shaped, text } from '../../lib/shape.ts';
import { PART } from '../plan/part.ts';
import type { Instant } from '../../lib/time.ts';
import type { Ground } from './ground.ts';

/**
 * What a gate approved besides its outcomes (protocol N72): the same in its records, in the memory
 * of the ledger and in the audit.
 */
export const APPROVAL = {
  planId: text,
  /** On the default branch; the plan was made from it. */
  commit: text,
  /** Digest of its documents. */
  documents: text,
  /** The requests that were merged since the last approval. */
  pulls: listOf(text),
  /** Names from the forge's record of its gate; none where it has no such record. */
  approvers: listOf(text),
  /** The workflow run that passed the gate. */
  run: text,
  /** Addresses of the policies with a standing approval. */
  preapproved: listOf(text),
  /** The part of the fleet that was approved; absent: the whole (protocol N72). */
  part: optional(PART),
};
export type ApprovalTerms = Shaped<typeof APPROVAL>;

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
  /** Those that count, oldest first; those that have expired or were withdrawn included. */
  readonly plans: readonly PlanApproval[];
  /**
   * The outcomes of a change that were approved and not withdrawn, each with the approval that
   * expires last. It may have expired.
   * @param policy the policy of the change, whose approved outcomes may have been withdrawn; absent:
   * whatever the policy is
   * @param isEnded approvals that ended by the documents merged since (protocol M10)
   */
  of(changeId: string, policy?: string, isEnded?: IsEnded): ReadonlyMap<string, PlanApproval>;
  /** The IDs of all changes that have such an outcome. */
  ids(): Iterable<string>;
  /** `seq` of the last record that took back this outcome or its policy; 0 where none did. */
  takenBackAt(changeId: string, outcome: string, policy: string | undefined): number;
}

export type IsEnded = (changeId: string, outcome: string, approval: PlanApproval) => boolean;

/** The approvals of one change, by outcome; an outcome that was withdrawn has none. */
export type ApprovalsOfChange = ReadonlyMap<string, readonly PlanApproval[]>;

/** What APPROVED and WITHDRAWN records say, and the ground that approvals count under. */
interface ApprovalsOnRecord {
  readonly plans: readonly PlanApproval[];
  readonly byChange: ReadonlyMap<string, ApprovalsOfChange>;
  /** `seq` of the last record that took back what was approved of a policy. */
  readonly withdrawnAt: ReadonlyMap<string, number>;
  /** `seq` of the last record that took back an outcome, by change. */
  readonly takenBack: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly ground?: Pick<Ground, 'gate' | 'movedAt'> | undefined;
}

/**
 * What is approved, from all approvals and what they say of each change. An approval ends with a move of the
 * ledger or of the service; where a forge keeps the record of the gate, one without a name does not count
 * (protocol M10, M11).
 */
export function approvedOutcomes({
  plans,
  byChange,
  withdrawnAt,
  takenBack,
  ground,
}: ApprovalsOnRecord): ApprovedOutcomes {
  const { gate = 'none', movedAt = 0 } = ground ?? {};
  const counts = ({ seq, approvers }: PlanApproval): boolean =>
    seq > movedAt && (gate === 'none' || approvers.length > 0);
  return {
    plans: plans.filter(counts),
    of: (changeId, policy, isEnded) => {
      const found = byChange.get(changeId) ?? NO_OUTCOMES;
      const after = policy === undefined ? 0 : (withdrawnAt.get(policy) ?? 0);
      return new Map(
        [...found].flatMap(([outcome, all]) => {
          const live = all.filter(
            (each) =>
              each.seq > after && counts(each) && isEnded?.(changeId, outcome, each) !== true,
          );
          const last = live.sort((a, b) => a.expires - b.expires).at(-1);
          return last ? [[outcome, last] as const] : [];
        }),
      );
    },
    *ids() {
      for (const [id, outcomes] of byChange) if (outcomes.size > 0) yield id;
    },
    takenBackAt: (changeId, outcome, policy) =>
      Math.max(
        takenBack.get(changeId)?.get(outcome) ?? 0,
        policy === undefined ? 0 : (withdrawnAt.get(policy) ?? 0),
      ),
  };
}

const NO_OUTCOMES: ApprovalsOfChange = new Map();

/** One APPROVED record has at most so many outcomes; a larger approval is a series (protocol N72). */
export const OUTCOMES_PER_RECORD = 10_000;
