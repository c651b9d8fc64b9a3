import { changeId, type Cause, type Change, type Values } from '../../model/plan/change.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Instant } from '../../lib/time.ts';
import type { PlanApproval } from '../../model/ledger/approval.ts';
import type { AllowedBy } from '../../model/ledger/record.ts';
import type { PreapprovedOutcomes } from '../../model/plan/approval-rules.ts';
import {
  coversButWave,
  coversOutcome,
  formatOutcome,
  parseOutcome,
} from '../../model/plan/outcome.ts';
import type { ReasonWhy } from '../../model/plan/reason.ts';
import type { Evaluation, RuleResult } from './decision-input.ts';
import { toMark } from '../../model/fleet/mark.ts';
import { TASK_OF, TASKS } from '../../model/fleet/task.ts';
import { findFirstStep, outcomeDigests } from '../approved-fields.ts';

/**
 * The approval that allows an outcome to start (semantics N73): one that has neither expired nor been
 * withdrawn, or a standing one. The current documents require the outcome, since it is their plan.
 */
export function allowedBy(evaluation: Evaluation): AllowedBy | undefined {
  const { outcome, case: theCase } = evaluation;
  if (outcome === undefined) return undefined;
  const approval = covering(evaluation).find(({ expires }) => theCase.now < expires);
  if (approval) return { outcome, approval: approval.seq };
  const preapproved = preapprovalFor(evaluation);
  return preapproved && { outcome, approval: preapproved.approval, preapproved: true };
}

/**
 * When what allows an outcome to start expires (semantics N77); for a proposed one, if it were approved
 * now. Undefined where the commit is the approval, and for a standing one, which does not expire.
 */
export function approvedUntil(
  evaluation: Evaluation,
  { service }: Pick<Documents, 'service'>,
): Instant | undefined {
  const { approvals, case: theCase } = evaluation;
  if (!approvals) return undefined;
  const live = covering(evaluation).filter(({ expires }) => theCase.now < expires);
  if (live.length > 0) return Math.max(...live.map(({ expires }) => expires));
  if (preapprovalFor(evaluation)) return undefined;
  const { approval } = service.value;
  return approval.is === 'plan' ? theCase.now + approval.expires : undefined;
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
  const { approvals, outcome, case: theCase } = evaluation;
  if (!approvals) return true;
  if (outcome === undefined) return false;
  const found = approvedOf(evaluation);
  const isApproved = [...found].some(
    ([approved, { expires }]) =>
      theCase.now < expires && coversButWave(parseOutcome(approved), parseOutcome(outcome)),
  );
  return isApproved || preapprovalFor(evaluation) !== undefined;
}

const NONE: ReadonlyMap<string, PlanApproval> = new Map();

/** What is approved of a change, the expired approvals included. */
function approvedOf(evaluation: Evaluation): ReadonlyMap<string, PlanApproval> {
  const { memory, policy, approvals } = evaluation;
  return memory.approvals?.of(idIn(evaluation), policy.value.address, approvals?.isEnded) ?? NONE;
}

/** The approvals that cover the outcome, the expired ones included. */
function covering(evaluation: Evaluation): readonly PlanApproval[] {
  const { outcome = '' } = evaluation;
  return [...approvedOf(evaluation)].flatMap(([approved, approval]) =>
    coversOutcome(approved, outcome, waveNames(evaluation)) ? [approval] : [],
  );
}

/** Causes that recur. A change that a person wrote in a document waits for an approval. */
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

/** The parts of an outcome from the decision, besides the evaluation. */
type Bound = Pick<Change, 'payload' | 'wave' | 'window' | 'order' | 'passes'>;

/**
 * The outcome of a decision as text (semantics N71), whatever its action is; undefined where nothing
 * is known of its target. A later step of the same path has the outcome of the first one, and a
 * change that the documents themselves ask for shows nothing of before.
 */
export function findOutcome(evaluation: Evaluation, bound: Bound): string | undefined {
  const { judgement, task, policy, case: theCase } = evaluation;
  if (judgement.is === 'unsupported' || judgement.is === 'notRead') return undefined;
  const { wave, ...fields } = bound;
  const digests = outcomeDigests({
    task,
    device: { id: theCase.device.id },
    policy: policy.value.address,
    ...fields,
    ...(TASKS[task].credential === undefined ? towards(evaluation) : renewed(evaluation)),
  });
  return formatOutcome({ ...digests, ...(wave !== undefined && { wave }) });
}

type Halves = Pick<Change, 'target' | 'generation' | 'before'>;

/**
 * A credential has no target: another generation, or other dates of before, are another outcome.
 * Without dates its mark shows whether it is the same.
 */
function renewed({ judgement, case: { policy, generation, device } }: Evaluation): Halves {
  const written = policy.section === 'rotations' ? policy.generation : 1;
  const raised = { target: '', generation: Math.max(written, generation) };
  if (judgement.is !== 'due') return { ...raised, before: judgement.before };
  if (BY_DOCUMENTS.has(judgement.why)) return { ...raised, before: {} };
  const isDated = Object.values(judgement.before).some((value) => value !== null);
  const before = isDated ? judgement.before : { mark: toMark(device.id, judgement.target) };
  return { ...raised, before };
}

/** Why a rotation is due that the document itself requires, whatever the device shows. */
const BY_DOCUMENTS: ReadonlySet<string> = new Set(['generationRaised', 'incident']);

function towards(evaluation: Evaluation): Halves {
  const { judgement, task, case: theCase } = evaluation;
  const generation = judgement.is === 'due' ? judgement.generation : 0;
  const { firmwareVersion } = theCase.device;
  if (task !== TASK_OF.firmware || firmwareVersion === undefined) {
    const target = judgement.is === 'due' ? judgement.target : '';
    return { target, generation, before: judgement.before };
  }
  const isThere = judgement.is === 'converged';
  const target = isThere ? firmwareVersion : finalTarget(evaluation);
  const first = findFirstStep(theCase.past, { version: firmwareVersion, target, generation });
  const before: Values = { firmwareVersion: first.version };
  return { target, generation: first.generation, before };
}

function finalTarget({ judgement }: Evaluation): string {
  const final = 'finalTarget' in judgement ? judgement.finalTarget : undefined;
  return final ?? (judgement.is === 'due' ? judgement.target : '');
}
