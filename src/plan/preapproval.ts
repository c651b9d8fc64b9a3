import type { PlanApproval } from '../model/ledger/approval.ts';
import { isWanted } from '../model/plan/change.ts';
import type { PreapprovedOutcomes, ApprovalRules } from '../model/plan/approval-rules.ts';
import { listPolicies } from '../model/documents/policies.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { PlannerInput } from './input.ts';
import { plan } from './plan.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';

/** The addresses of the policies with a standing approval, sorted. */
export function preapprovedPolicies(documents: Documents): readonly string[] {
  return listPolicies(documents)
    .filter(({ value }) => value.approval === 'standing')
    .map(({ value }) => value.address)
    .sort();
}

/** The newest approved commit of the default branch; without one the approval is of a lost commit. */
export type NewestApproved =
  | {
      readonly is: 'known';
      readonly approval: PlanApproval;
      /** Absent where they cannot be read any more. */
      readonly documents?: Documents;
    }
  | { readonly is: 'lapsed'; readonly commit: string };

/**
 * How the changes of a plan are approved, and what a reader should know of it: by plans where the documents or the
 * last GROUND say so (protocol M9).
 */
export function approvalRules(
  input: PlannerInput,
  newest: NewestApproved | undefined,
): { readonly approvals?: ApprovalRules; readonly findings: readonly Diagnostic[] } {
  const isPlan = input.documents.service.value.approval.is === 'plan';
  const { ground } = input.memory;
  if (!isPlan && ground?.approval !== 'plan') return { findings: [] };
  const findings = isPlan || !ground ? [] : [finding('approvalStillPlan', input, ground.commit)];
  if (!newest) return { approvals: {}, findings };
  const { commit } = newest.is === 'known' ? newest.approval : newest;
  if (newest.is === 'lapsed' || !newest.documents)
    return {
      approvals: {},
      findings: [...findings, finding('approvalLapsed', input, commit)],
    };
  const { approval, documents } = newest;
  const preapproved = preapprovedOutcomes(input, { approval, documents });
  return { approvals: preapproved ? { preapproved } : {}, findings };
}

function finding(
  code: 'approvalLapsed' | 'approvalStillPlan',
  { documents: { service } }: PlannerInput,
  commit: string,
): Diagnostic {
  const at = service.places.get('/approval') ?? service.at;
  const params = commit === '' ? {} : { commit: commit.slice(0, 12) };
  return { code, severity: 'warning', at, params };
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
    approval: approved.approval.seq,
    asOf: input.memory.approvals?.plans.at(-1)?.seq ?? 0,
    outcomeOf: (changeId) => outcomes.get(changeId),
  };
}
