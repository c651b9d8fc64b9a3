import { changeId } from '../../model/plan/change.ts';
import type { Cause } from '../../model/plan/change.ts';
import type { PlanApproval } from '../../model/ledger/approval.ts';
import type { AllowedBy } from '../../model/ledger/record.ts';
import type { PreapprovedOutcomes } from '../../model/plan/approval-rules.ts';
import { coversOutcome } from '../../model/plan/outcome.ts';
import type { ReasonWhy } from '../../model/plan/reason.ts';
import type { Evaluation, RuleResult } from './decision-input.ts';

/**
 * What allows an outcome to start (semantics N73): an approval that has neither expired nor been
 * withdrawn, or a standing one. The documents of now want it, since it is their plan.
 */
export function allowedBy(evaluation: Evaluation): AllowedBy | undefined {
  const { outcome, case: theCase } = evaluation;
  if (outcome === undefined) return undefined;
  const approval = covering(evaluation).find(({ expires }) => theCase.now < expires);
  if (approval) return { outcome, approval: approval.seq };
  const preapproved = preapprovalFor(evaluation);
  return preapproved && { outcome, approval: preapproved.approval, preapproved: true };
}

/** The step of the decision that asks for the approval; nothing where the commit is the approval. */
export function awaitsApproval(evaluation: Evaluation): RuleResult | undefined {
  const { approvals, judgement } = evaluation;
  if (!approvals || judgement.is !== 'due' || allowedBy(evaluation)) return undefined;
  const isExpired = covering(evaluation).length > 0;
  return {
    action: 'wait',
    reason: { code: 'awaitsApproval', ...(isExpired && { why: 'approvalExpired' }) },
  };
}

/**
 * Whether an outcome is approved for any wave, or preapproved: the base of a rollout is chosen from
 * these before its waves are known.
 */
export function isAllowedInAnyWave(evaluation: Evaluation): boolean {
  const { approvals, outcome, memory, case: theCase } = evaluation;
  if (!approvals) return true;
  if (outcome === undefined) return false;
  const found = memory.approvals?.of(idIn(evaluation)) ?? NONE;
  const isApproved = [...found].some(
    ([approved, { expires }]) => theCase.now < expires && isSameButWave(approved, outcome),
  );
  return isApproved || preapprovalFor(evaluation) !== undefined;
}

const NONE: ReadonlyMap<string, PlanApproval> = new Map();

function isSameButWave(approved: string, outcome: string): boolean {
  const [one] = approved.split('@', 1);
  return one === outcome.split('@', 1)[0];
}

/** The approvals that cover the outcome, the expired ones included. */
function covering(evaluation: Evaluation): readonly PlanApproval[] {
  const { outcome = '', memory } = evaluation;
  const found = memory.approvals?.of(idIn(evaluation)) ?? NONE;
  return [...found].flatMap(([approved, approval]) =>
    coversOutcome(approved, outcome, waveNames(evaluation)) ? [approval] : [],
  );
}

/** What may start again and again; whatever a person wrote in a document waits for a person. */
const PREAPPROVED_CAUSES: ReadonlySet<Cause> = new Set(['clock', 'detection', 'drift', 'retry']);
const NEVER_PREAPPROVED: ReadonlySet<ReasonWhy> = new Set([
  'generationRaised',
  'incident',
  'incidentEnded',
]);

function preapprovalFor(evaluation: Evaluation): PreapprovedOutcomes | undefined {
  const { approvals, judgement, policy, memory, outcome = '' } = evaluation;
  const { preapproved } = approvals ?? {};
  if (!preapproved || policy.value.approval !== 'standing' || judgement.is !== 'due')
    return undefined;
  if (!PREAPPROVED_CAUSES.has(judgement.cause) || NEVER_PREAPPROVED.has(judgement.why))
    return undefined;
  if (memory.approvals?.plans.at(-1)?.seq !== preapproved.asOf) return undefined;
  const wanted = preapproved.outcomeOf(idIn(evaluation));
  if (wanted === undefined) return undefined;
  return coversOutcome(wanted, outcome, waveNames(evaluation)) ? preapproved : undefined;
}

function idIn({ task, case: { device } }: Evaluation): string {
  return changeId(task, device.id);
}

function waveNames({ rollout }: Evaluation): readonly string[] {
  return rollout.waves.map(({ name }) => name);
}
