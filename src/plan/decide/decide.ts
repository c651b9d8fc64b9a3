import type { Case, Judgement } from '../../kinds/kind.ts';
import { type Change, type DeviceLabel, changeId, isWanted } from '../../model/plan/change.ts';
import { type Device, LABEL_FIELDS } from '../../model/fleet/device.ts';
import type { Payload } from '../../model/fleet/task.ts';
import { afterOf, type Policy } from '../../model/documents/policy.ts';
import { computeOnce } from '../../lib/compute-once.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { type Building, type DecisionInput, expeditedBy } from './decision-input.ts';
import type { Asked, Evaluation, Judged, RuleResult } from './decision-input.ts';
import { shortId } from '../../lib/canonical.ts';
import { formatDuration, formatInstant, type Instant } from '../../lib/time.ts';
import { getOrAdd } from '../../lib/maps.ts';
import { findOutcome } from './approval.ts';
import { findPassed } from './passages.ts';
import { untilAllEnd } from './timing.ts';
import { findRefused, STEPS } from './steps.ts';
import { type At, type Sourced, locateValue } from '../../model/documents/source.ts';

/**
 * The decision about one device and one task, before shares are assigned: the first step of the
 * decision order that decides, else `run`.
 */
export function decide(decisionInput: DecisionInput): Change {
  return toChange(evaluate(decisionInput));
}

export function toChange(
  evaluation: Evaluation,
  decided: RuleResult = runSteps(evaluation),
): Change {
  const { judgement, policy, task, kind, case: theCase } = evaluation;
  const { outcome } = evaluation;
  const { passes, ...bound } = boundFields(evaluation);
  const factAt = readEarlier(evaluation);
  return {
    id: changeId(task, theCase.device.id),
    task,
    device: labelDevice(theCase.device),
    ...dateRead(evaluation, decided),
    cause: judgement.is === 'due' ? judgement.cause : kind.initialCause,
    policy: policy.value.address,
    at: causingLine(evaluation, decided.reason),
    before: judgement.before,
    after: judgement.is === 'due' || judgement.is === 'notDue' ? judgement.after : {},
    ...changeIdentity(judgement),
    ...bound,
    ...(passes && isWanted(decided) && { passes }),
    ...(outcome !== undefined && { outcome }),
    risk: kind.risk(theCase.device),
    ...(factAt !== undefined && { factAt: formatInstant(factAt) }),
    ...(evaluation.losers.length > 0 && { losers: evaluation.losers }),
  };
}

/** The input of every step, for a device that nothing is known of yet. */
export function evaluate(decisionInput: DecisionInput): Evaluation {
  return toEvaluation(decisionInput, judge(decisionInput, decisionInput.case));
}

/**
 * The input of every step.
 * @param asked what all devices of the desired state share, with the rollouts where they are known
 */
export function toEvaluation(
  asked: Asked,
  { case: theCase, judgement, timing }: Judged,
): Evaluation {
  const evaluation: Building<Evaluation> = { ...asked, case: theCase, judgement };
  if (timing) evaluation.timing = timing;
  const refused = findRefused(evaluation);
  if (refused) evaluation.refused = refused;
  const outcome = asked.approvals && findOutcome(evaluation, boundFields(evaluation));
  if (outcome !== undefined) evaluation.outcome = outcome;
  return evaluation;
}

/**
 * Judges a device, and finds its windows.
 * @param judgement that of a device that nothing tells apart from this one
 */
export function judge(
  { schedule, task, policy, kind }: Asked,
  theCase: Case,
  judgement = kind.judge(theCase),
): Judged {
  const { device, now } = theCase;
  const timed = { task, policy: policy.value, device, ...togetherIn(judgement) };
  const timing = schedule?.of(timed, now);
  return { case: theCase, judgement, ...(timing && { timing }) };
}

/** The fields of the documents that a change binds, besides its target. */
function boundFields(
  evaluation: Evaluation,
): Pick<Change, 'payload' | 'wave' | 'window' | 'order' | 'passes'> {
  const wave = findWave(evaluation);
  const passes = findPassed(evaluation);
  return {
    ...digestedPayload(evaluation),
    ...(wave !== undefined && { wave }),
    // Where none was checked, several windows are one: the change may start in any open one.
    window: evaluation.timing?.window ?? {
      name: [...evaluation.policy.value.windows].sort().join(', '),
    },
    ...orderIn(evaluation.policy),
    ...(passes.length > 0 && { passes }),
  };
}

/** Each policy whose devices come first, as a text; all devices of a policy share the list. */
const orderIn = computeOnce(({ value }: Sourced<Policy>): Pick<Change, 'order'> => {
  const order = afterOf(value).map(
    ({ policy, per, ignoreOffline }) =>
      policy +
      (per === 'fleet' ? ' per fleet' : '') +
      (ignoreOffline === undefined ? '' : ` ignoreOffline ${formatDuration(ignoreOffline)}`),
  );
  return order.length > 0 ? { order } : {};
});

/** The number of consecutive starts that must fit into a window, where it is not one. */
export function togetherIn(judgement: Judgement): { readonly together?: number } {
  if (judgement.is !== 'due' || judgement.together === undefined) return {};
  return { together: judgement.together };
}

/** The result of the first step that decides; else `run` with the kind's own `why`. */
export function runSteps(evaluation: Evaluation): RuleResult {
  for (const { check } of STEPS) {
    const ruleResult = check(evaluation);
    if (ruleResult) return untilAllEnd(ruleResult, evaluation, STEPS);
  }
  return { action: 'run', reason: actReason(evaluation) };
}

/** The fields of a device that people recognize it by. */
export function labelDevice(device: Device): DeviceLabel {
  const { id, name, sites } = device;
  const site = sites.map((each) => each.name ?? each.id).join(', ');
  const label: { -readonly [K in keyof DeviceLabel]: DeviceLabel[K] } = { id };
  if (name !== undefined) label.name = name;
  if (site !== '') label.site = site;
  for (const field of LABEL_FIELDS) {
    const value = device[field];
    if (value !== undefined) label[field] = value;
  }
  return label;
}

function actReason({ judgement, exemption, case: { now } }: Evaluation): Reason {
  if (judgement.is !== 'due') return { code: 'act' };
  const { why, since } = judgement;
  const expedite = why === 'incident' ? undefined : expeditedBy(exemption, now);
  if (expedite) {
    const params = { exception: expedite.name, because: why, ...finalTargetParam(judgement) };
    return { code: 'act', why: 'expedited', ...(since !== undefined && { since }), params };
  }
  const params =
    why === 'pinned' && exemption.pin
      ? { exception: exemption.pin.name }
      : finalTargetParam(judgement);
  return { code: 'act', why, ...(since !== undefined && { since }), ...(params && { params }) };
}

function finalTargetParam({
  why,
  finalTarget,
}: Judgement & { is: 'due' }): { target: string } | undefined {
  return why === 'nextHop' && finalTarget !== undefined ? { target: finalTarget } : undefined;
}

function changeIdentity(
  judgement: Judgement,
): Pick<Change, 'target' | 'finalTarget' | 'generation' | 'marker'> {
  const final =
    'finalTarget' in judgement && judgement.finalTarget !== undefined
      ? { finalTarget: judgement.finalTarget }
      : {};
  if (judgement.is !== 'due') return { target: '', ...final, generation: 0, marker: '' };
  const { target, generation, marker } = judgement;
  return { target, ...final, generation, marker };
}

/** The oldest read of an earlier run that the decision uses (semantics N25). */
function readEarlier({ kind, case: theCase }: Evaluation): Instant | undefined {
  const { knownAt } = theCase.facts;
  if (!knownAt) return undefined;
  const instants = kind.reads(theCase).flatMap((read) => knownAt[read] ?? []);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

/** A value that an earlier run could not read may be readable by now: the reason says when that was. */
function dateRead(evaluation: Evaluation, { action, reason }: RuleResult): RuleResult {
  const since = reason.why === 'valueUnknown' ? readEarlier(evaluation) : undefined;
  return { action, reason: since === undefined ? reason : { ...reason, since } };
}

/** A plan contains no payload, only its digest; a secret in it is covered by its reference. */
function digestedPayload({
  judgement,
  policy,
  kind,
  case: theCase,
}: Evaluation): Pick<Change, 'payload'> {
  if (judgement.is !== 'due' && judgement.is !== 'notDue') return {};
  const payload = kind.payloadAsWritten?.(policy.value, theCase.dialect) ?? {};
  if (Object.keys(payload).length === 0) return {};
  // All devices of a policy have the same payload.
  return { payload: getOrAdd(DIGESTS, payload, () => shortId(payload)) };
}

const DIGESTS = new WeakMap<Payload, string>();

/** The wave of a device in its rollout; a policy without a rollout has none. */
function findWave({ followed, case: { device } }: Evaluation): string | undefined {
  if (!followed) return undefined;
  return followed.input.spec.waves[followed.assignment.assignmentOf(device.id).wave]?.name;
}

/**
 * The line that causes a change, with the address of its policy: the version, age or symptom, or
 * the exception that overrides it. An entry on one line, or a default, has the location of the
 * entry.
 */
export function causingLine(
  decisionInput: Pick<DecisionInput, 'policy' | 'at' | 'exemption'>,
  reason: Reason,
): At {
  const { policy, at, exemption } = decisionInput;
  const { pin, expedite } = exemption;
  if (reason.why === 'pinned' && pin) return { ...locateValue(pin, '/version'), policy: at.policy };
  if (reason.why === 'expedited' && expedite) return { ...expedite.at, policy: at.policy };
  const pointer = targetPointer(policy, reason);
  if (pointer === undefined) return at;
  const known = getOrAdd(PLACES, policy, () => new Map<string, At>());
  const key = `${pointer} ${at.policy}`;
  return getOrAdd(known, key, () => ({ ...locateValue(policy, pointer), policy: at.policy }));
}

/** All devices of a policy share the places of its fields. */
const PLACES = new WeakMap<Sourced<Policy>, Map<string, At>>();

/** The field with the target. A listed device has a line of its own already. */
function targetPointer({ value }: Sourced<Policy>, { why }: Reason): string | undefined {
  switch (value.section) {
    case 'firmware':
      return why === 'belowMinVersion' || value.version.is === 'floor' ? '/minVersion' : '/version';
    case 'rotations':
      if (value.incident) return '/since';
      if (why === 'generationRaised') return '/generation';
      return value.due.is.startsWith('renew') ? '/renewBefore' : '/maxAge';
    case 'restarts':
      return '/when';
    case 'onboarding':
      return why === 'matched' ? '/select' : undefined;
  }
}
