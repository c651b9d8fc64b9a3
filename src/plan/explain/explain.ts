import { entryText } from '../../desired/listed.ts';
import { explainSelector } from '../../desired/select.ts';
import { refusedBy } from '../../model/documents/diagnostic.ts';
import { type Change, changeId } from '../../model/plan/change.ts';
import { PAST_MEMBERS } from '../../model/ledger/memory.ts';
import { pick } from '../../lib/objects.ts';
import { toNeed } from '../../model/fleet/need.ts';
import type { Exception, OnboardingPolicy } from '../../model/documents/policy.ts';
import type { Reason, ReasonCode } from '../../model/plan/reason.ts';
import type { At, Sourced } from '../../model/documents/source.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { PolicyReference, Exempting, Step, TaskWhy } from '../../model/report/output.gen.ts';
import { afterOf } from '../../model/documents/policy.ts';
import { TASK_OF } from '../../model/fleet/task.ts';
import type { Standing } from '../../rollout/progress/predecessor.ts';
import { knownSites, type DecisionInput, type Evaluation } from '../decide/decision-input.ts';
import { evaluate, runSteps } from '../decide/decide.ts';
import { listDefaults } from './omitted-defaults.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Course, Planned, PlannerInput } from '../input.ts';
import { listPolicies } from '../../model/documents/policies.ts';
import { refusedFor, STEPS } from '../decide/steps.ts';

/** The requested device, and its plan. */
export interface ExplainInput {
  readonly input: PlannerInput;
  readonly planned: Planned;
  readonly deviceId: string;
  /** Absent for a device that is not managed. */
  readonly row?: number;
}

/** The decision about each of these tasks; a task without an input is requested by no policy. */
export function explain(
  request: ExplainInput,
  tasks: readonly TaskType[],
  decisionInputs: ReadonlyMap<TaskType, DecisionInput>,
): readonly TaskWhy[] {
  const { planned, input, deviceId } = request;
  const changes = new Map<string, Change>();
  for (const change of planned.plan.changes)
    if (change.device.id === deviceId) changes.set(change.id, change);
  return tasks.map((task) => {
    const decisionInput = decisionInputs.get(task);
    const change = changes.get(changeId(task, deviceId));
    const past = input.memory
      .intentsOf(deviceId, task)
      .map((intent) => pick(intent, ...PAST_MEMBERS));
    const others = listOthers(task, decisionInput, request);
    if (!decisionInput) return { ...UNWANTED, task, others, past };
    return { ...wanted(decisionInput, change, request), task, others, past };
  });
}

const UNWANTED = {
  losers: [],
  exemptions: [],
  steps: [{ code: 'notSelected', verdict: 'bites' }],
  needs: [],
} as const;

type Wanted = Omit<TaskWhy, 'task' | 'others' | 'past'>;

function wanted(
  decisionInput: DecisionInput,
  change: Change | undefined,
  { input, planned, deviceId }: ExplainInput,
): Wanted {
  const evaluation = evaluate(decisionInput);
  const { action, reason } = change ?? runSteps(evaluation);
  const { judgement } = evaluation;
  const before = change?.before ?? judgement.before;
  const after = change?.after ?? ('after' in judgement ? judgement.after : {});
  const passes = change?.passes;
  const course = planned.courseOf?.(decisionInput.policy.value.task, deviceId);
  const cause = change?.cause ?? ('cause' in judgement ? judgement.cause : 'config');
  const unread = { ...decisionInput.case, facts: {} };
  const comesAfter = listBefore(decisionInput, planned);
  return {
    winner: toReference(decisionInput.at, input),
    losers: decisionInput.losers.map((at) => toReference(at, input)),
    exemptions: listExemptions(decisionInput),
    defaults: listDefaults(decisionInput.policy),
    ...(comesAfter.length > 0 && { comesAfter }),
    steps: explainSteps(evaluation, reason),
    result: {
      action,
      cause,
      reason,
      before,
      after,
      ...refusalOf(decisionInput.at, reason, planned),
      ...(passes && { passes }),
      ...(course && datesOf(course)),
    },
    needs: decisionInput.kind
      .reads(unread)
      .map((read) => toNeed(read, decisionInput.case.device, input.dialect)),
  };
}

/** What comes first by `after`, each device with the reason that the plan has for it. */
function listBefore(
  { policy, predecessors, case: { device } }: DecisionInput,
  { plan: { changes } }: Planned,
): NonNullable<TaskWhy['comesAfter']> {
  const found = afterOf(policy.value).flatMap((after) => {
    const before = predecessors?.of(after, knownSites(device));
    return before ? [{ after, before }] : [];
  });
  const named = new Set(found.flatMap(({ before }) => before.holds.map(({ id }) => id)));
  const planned = new Map<string, Reason>();
  for (const { task, device: other, reason } of named.size > 0 ? changes : [])
    if (task === TASK_OF.firmware && named.has(other.id)) planned.set(other.id, reason);
  const describe = ({ id, reason }: Standing) => ({ id, reason: planned.get(id) ?? reason });
  return found.map(({ after: { policy: address, per }, before: { holds, leftOut, count } }) => {
    const lists = { holds: holds.map(describe), leftOut: leftOut.map(describe) };
    return { policy: address, per, devices: count, ...lists };
  });
}

/** Why the policy is refused, where the reason is another: of a device that is at rest. */
function refusalOf({ policy }: At, { code }: Reason, { plan: { warnings } }: Planned) {
  const finding = warnings.find((each) => refusedBy([each]).has(policy));
  return finding && code !== 'refused' ? { refused: refusedFor(finding) } : {};
}

function datesOf({
  startedAt,
  endedAt,
}: Course): Pick<NonNullable<Wanted['result']>, 'starts' | 'ends'> {
  return {
    ...(startedAt !== undefined && { starts: formatInstant(startedAt) }),
    ...(endedAt !== undefined && { ends: formatInstant(endedAt) }),
  };
}

/**
 * Each step with its verdict. Shares are assigned last, so a refused share is at the step with its
 * reason.
 */
function explainSteps(evaluation: Evaluation, reason: Reason): readonly Step[] {
  const { approvals, tied } = evaluation;
  const asked: Partial<Record<ReasonCode, unknown>> = { refused: tied, awaitsApproval: approvals };
  const steps = STEPS.filter(({ code }) => !(code in asked) || asked[code] !== undefined);
  // A budget that keeps a change when its waves have passed is what decides (semantics N86).
  const isFull = reason.code === 'budgetExhausted';
  const check = isFull ? -1 : steps.findIndex((step) => step.check(evaluation) !== undefined);
  const decided = steps.map(({ code }, index): Step => {
    if (check === -1 || index < check) return { code, verdict: 'passed' };
    return index === check ? bitten(reason) : { code, verdict: 'notReached' };
  });
  const isRefused = check === -1 && reason.code !== 'act';
  const last: Step =
    check === -1 && !isRefused ? bitten(reason) : { code: 'act', verdict: 'notReached' };
  const share: Step = isRefused
    ? bitten(reason)
    : { code: 'budgetExhausted', verdict: check === -1 ? 'passed' : 'notReached' };
  return [{ code: 'notSelected', verdict: 'passed' }, ...decided, share, last];
}

function bitten({ code, why, params }: Reason): Step {
  return { code, verdict: 'bites', ...(why && { why }), ...(params && { params }) };
}

function toReference(at: At, { documents }: PlannerInput): PolicyReference {
  const policy = listPolicies(documents).find(({ value }) => value.address === at.policy);
  return { at, priority: policy?.value.priority ?? 0 };
}

/**
 * Policies for the task that do not select the device, with the selector key that does not match.
 */
function listOthers(
  task: TaskType,
  decisionInput: DecisionInput | undefined,
  request: ExplainInput,
): TaskWhy['others'] {
  const { input, row } = request;
  const named = new Set([
    decisionInput?.at.policy,
    ...(decisionInput?.losers ?? []).map(({ policy }) => policy),
  ]);
  return listPolicies(input.documents).flatMap(({ value, at }) => {
    if (value.task !== task || named.has(value.address)) return [];
    const clause =
      value.section === 'onboarding'
        ? missingIn(value, request)
        : (row !== undefined && explainSelector(value.select, input)(row)) || 'select';
    return [{ at: { ...at, policy: value.address }, priority: value.priority, clause }];
  });
}

/** What of an onboarding policy does not match a device: an entry of its list that names it, else all that it has. */
function missingIn(
  { select, devices }: OnboardingPolicy,
  { input, deviceId }: ExplainInput,
): string {
  const found = input.snapshot.discovered.find(({ id }) => id === deviceId);
  const names = new Set([deviceId, found?.serial, found?.name]);
  const entry = devices.find(({ id, serial, name }) => names.has(id ?? serial ?? name));
  if (entry) return `devices (${entryText(entry)})`;
  return select ? 'select' : 'devices';
}

/**
 * The exceptions that apply to it, strongest first: only that one is effective, with break glass
 * beside a pin. What is acknowledged is so beside any other.
 */
function listExemptions({ exemption }: DecisionInput): readonly Exempting[] {
  const { hold, exclude, pin, expedite, perhaps, acknowledged = [] } = exemption;
  const entries: readonly Sourced<Exception>[] = [
    hold,
    exclude,
    perhaps,
    pin,
    expedite,
    ...acknowledged,
  ].filter((entry) => entry !== undefined);
  return entries.map(({ name, at, value }, index) => {
    const { type, until, reason, owner, ticket } = value;
    const opens = type === 'expedite' && !hold && !exclude && !perhaps;
    const effective = index === 0 || opens || type === 'acknowledge';
    return { name, type, at, until, reason, owner, ticket, effective };
  });
}
