import type { PlanApproval } from '../model/ledger/approval.ts';
import { isWanted } from '../model/plan/change.ts';
import type { PreapprovedOutcomes } from '../model/plan/approval-rules.ts';
import { listPolicies } from '../model/documents/policies.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { PlannerInput } from './input.ts';
import { plan } from './plan.ts';
import type { ApprovalRules } from '../model/plan/approval-rules.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';

/** The addresses of the policies with a standing approval, sorted. */
export function preapprovedPolicies(documents: Documents): readonly string[] {
  return listPolicies(documents)
    .filter(({ value }) => value.approval === 'standing')
    .map(({ value }) => value.address)
    .sort();
}

/**
 * The newest approved commit of the default branch; without one a later approval is of a lost commit,
 * or there is none at all.
 */
export type NewestApproved =
  | {
      readonly is: 'known';
      readonly approval: PlanApproval;
      /** Absent where they cannot be read any more. */
      readonly documents?: Documents;
      /** A later commit whose documents said `plan`. */
      readonly gated?: string;
      /** The oldest commit that a shallow clone has: an older one may say `plan`. */
      readonly cut?: string;
    }
  | { readonly is: 'lapsed'; readonly commit: string }
  | { readonly is: 'none'; readonly gated?: string; readonly cut?: string };

/**
 * How the changes of a plan are approved, and what a reader should know of it. A commit that turns
 * approvals off is judged by the value before: that of the documents that were approved last, or of a
 * later commit that turned them on again (semantics N70). Where a shallow clone does not show that
 * value, changes wait as if it were `plan`.
 */
export function approvalRules(
  input: PlannerInput,
  newest: NewestApproved | undefined,
): { readonly approvals?: ApprovalRules; readonly findings: readonly Diagnostic[] } {
  const isPlan = input.documents.service.value.approval.is === 'plan';
  if (!newest) return isPlan ? { approvals: {}, findings: [] } : { findings: [] };
  const before = gateBefore(newest);
  if (!isPlan && !before) return { findings: [] };
  const switched = before && !isPlan ? [finding(before.code, input, before.commit)] : [];
  if (newest.is === 'none') return { approvals: {}, findings: switched };
  if (newest.is === 'lapsed' || !newest.documents)
    return {
      approvals: {},
      findings: [...switched, finding('approvalLapsed', input, commitIn(newest))],
    };
  const { approval, documents } = newest;
  const preapproved = preapprovedOutcomes(input, { approval, documents });
  return { approvals: preapproved ? { preapproved } : {}, findings: switched };
}

/** Why a commit that says `commit` is judged as if it said `plan`; undefined where it is not. */
function gateBefore(
  newest: NewestApproved,
): { readonly code: ApprovalCode; readonly commit: string } | undefined {
  const code = 'approvalStillPlan';
  if (newest.is === 'lapsed') return { code, commit: newest.commit };
  const { gated, cut } = newest;
  if (gated !== undefined) return { code, commit: gated };
  const isOff = newest.is === 'none' || newest.documents?.service.value.approval.is === 'commit';
  if (!isOff) return { code, commit: commitIn(newest) };
  return cut === undefined ? undefined : { code: 'approvalUnknown', commit: cut };
}

function commitIn(newest: Exclude<NewestApproved, { readonly is: 'none' }>): string {
  return newest.is === 'known' ? newest.approval.commit : newest.commit;
}

type ApprovalCode = 'approvalLapsed' | 'approvalStillPlan' | 'approvalUnknown';

function finding(
  code: ApprovalCode,
  { documents: { service } }: PlannerInput,
  commit: string,
): Diagnostic {
  const at = service.places.get('/approval') ?? service.at;
  return { code, severity: 'warning', at, params: { commit: commit.slice(0, 12) } };
}

/**
 * The outcomes that the documents of the newest approved commit require of policies with a standing
 * approval, on the same snapshot and ledger (semantics N73); undefined if neither side has such a policy.
 */
export function preapprovedOutcomes(
  input: PlannerInput,
  approved: { readonly approval: PlanApproval; readonly documents: Documents },
): PreapprovedOutcomes | undefined {
  const now = new Set(preapprovedPolicies(input.documents));
  const policies = new Set(preapprovedPolicies(approved.documents).filter((one) => now.has(one)));
  if (policies.size === 0) return undefined;
  const { part: _part, approved: _limit, ...whole } = input;
  const { changes } = plan({ ...whole, documents: approved.documents, approvals: {} }).plan;
  const outcomes = new Map<string, string>();
  for (const change of changes)
    if (isWanted(change) && policies.has(change.policy) && change.outcome !== undefined)
      outcomes.set(change.id, change.outcome);
  return {
    commit: approved.approval.commit,
    approval: approved.approval.seq,
    asOf: input.memory.approvals?.plans.at(-1)?.seq ?? 0,
    outcomeOf: (changeId) => outcomes.get(changeId),
  };
}
