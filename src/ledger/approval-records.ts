import {
  type ApprovalTerms,
  type ChangeOutcome,
  OUTCOMES_PER_RECORD,
  type PlanApproval,
} from '../model/ledger/approval.ts';
import type { Leaseless } from '../model/ledger/record.ts';
import type { UnwantedOutcome } from '../model/plan/approval-rules.ts';
import { groupBy } from '../lib/group-by.ts';
import { formatInstant, type Instant } from '../lib/time.ts';

/**
 * The APPROVED records of one approval, to be appended together: each with at most so many outcomes
 * as one record may have, and the last one with their number (protocol N72). An approval without
 * outcomes is a record too: its commit is approved.
 */
export function approvalRecords(
  terms: ApprovalTerms,
  expires: Instant,
  changes: readonly ChangeOutcome[],
): readonly Leaseless[] {
  const count = Math.max(1, Math.ceil(changes.length / OUTCOMES_PER_RECORD));
  return Array.from({ length: count }, (_, index) => {
    const from = index * OUTCOMES_PER_RECORD;
    return {
      type: 'APPROVED',
      ...terms,
      expires: formatInstant(expires),
      changes: changes.slice(from, from + OUTCOMES_PER_RECORD),
      ...(index === count - 1 && { of: count }),
    };
  });
}

/** The WITHDRAWN records for outcomes that the documents no longer want (semantics N77). */
export function withdrawalRecords(
  unwanted: readonly UnwantedOutcome[],
  author: { readonly who: string; readonly why: string },
): readonly Leaseless[] {
  return [...groupBy(unwanted, ({ planId }) => planId)].flatMap(([planId, outcomes]) => {
    const ids = outcomes.map(({ id }) => id);
    const parts = Math.ceil(ids.length / OUTCOMES_PER_RECORD);
    return Array.from({ length: parts }, (_, index): Leaseless => {
      const from = index * OUTCOMES_PER_RECORD;
      return {
        type: 'WITHDRAWN',
        planId,
        ids: ids.slice(from, from + OUTCOMES_PER_RECORD),
        ...author,
      };
    });
  });
}

/** Why an outcome was withdrawn without a person. */
export const UNWANTED = 'unwanted';

/** The approvals of whole plans: that of a part says nothing of the documents of its commit (semantics N41). */
export function wholeApprovals(plans: readonly PlanApproval[] = []): readonly PlanApproval[] {
  return plans.filter(({ part }) => !part);
}

/**
 * The newest approval by the history of the default branch, not by the ledger: the newest commit that
 * has one, and of this commit the last approval (semantics N73, N80).
 * @param plans approvals of whole plans, oldest first
 * @param history the commits of the default branch, newest first
 * @returns undefined where the history has none, or where a later approval is of a commit that is no
 * longer in it
 */
export function newestApproval(
  plans: readonly PlanApproval[],
  history: Iterable<string>,
): PlanApproval | undefined {
  const last = new Map(plans.map((plan) => [plan.commit, plan]));
  const known = new Set<string>();
  let newest: PlanApproval | undefined;
  for (const commit of history) {
    const plan = last.get(commit);
    if (plan) known.add(commit);
    newest ??= plan;
    if (known.size === last.size) break;
  }
  if (!newest) return undefined;
  const { seq } = newest;
  return plans.some((plan) => plan.seq > seq && !known.has(plan.commit)) ? undefined : newest;
}
