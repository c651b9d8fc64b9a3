import { endParams } from './incident-end.ts';
import { TASK_OF } from '../../model/fleet/task.ts';
import { blockingGlob } from '../../kinds/onboard-device.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { Exception, Policy } from '../../model/documents/policy.ts';
import { isPassed } from '../../model/documents/passes.ts';
import type { Params } from '../../model/error.ts';
import { NEEDS_YOU } from '../../model/plan/actor.ts';
import type { Reason, ReasonCode } from '../../model/plan/reason.ts';
import type { Sourced } from '../../model/documents/source.ts';
import { type Instant, formatInstant } from '../../lib/time.ts';
import { GAP, isDisruptive, isInFlight } from '../../rollout/budgets/down.ts';
import { awaitsItsTurn, otherCredential, settlesIn } from './rotations.ts';
import { awaitsApproval } from './approval.ts';
import { knownSites } from './decision-input.ts';
import type { DecisionStep, Evaluation, RuleResult } from './decision-input.ts';
import { closed, debtIn, frozenHard, siteWithoutZone } from './timing.ts';
import type { Refused } from '../../rollout/progress/followed.ts';
import { FLEET, policyOfScope, siteOfScope } from '../../model/ledger/scopes.ts';
import { orderReason } from '../../rollout/progress/predecessor.ts';
import { heldByOrphan } from '../../rollout/progress/orphans.ts';
import { readStops, type Halt } from '../../rollout/progress/halts.ts';
import { haltedBy } from '../../rollout/progress/wave-refusals.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import { type Openings, dailyOpenings, refuseRetry } from '../../rollout/progress/retry-days.ts';
import { mayHaveRun } from '../../kinds/judgements.ts';
import { QUARANTINE_MS } from '../../model/fleet/read-delay.ts';
import { unavailableSince } from './unavailable.ts';

/**
 * The decision order (semantics K20), from the top; the first step with a result decides. Its rule
 * is beside each. K1 needs no step, because it concerns missing devices. Admission assigns K17, in
 * the order of the plan.
 */
export const STEPS: readonly DecisionStep[] = [
  { code: 'refused', check: tied }, // K27
  { code: 'unsupported', check: unsupported }, // K2, notComparable too
  { code: 'notRead', check: unread }, // N6
  { code: 'alreadyConverged', check: alreadyConverged }, // K3
  { code: 'blockedVendor', check: blockedVendor }, // K4
  { code: 'hold', check: held }, // K5
  { code: 'exclude', check: excluded }, // K5
  { code: 'pinned', check: atPin }, // K5
  { code: 'incidentEnded', check: incidentEnded }, // N61
  { code: 'frozenHard', check: frozenHard }, // K6
  { code: 'siteWithoutZone', check: siteWithoutZone }, // K7
  { code: 'notDue', check: notDue }, // K8
  { code: 'inDoubt', check: inDoubt }, // K9
  { code: 'quarantined', check: quarantined }, // K9
  { code: 'awaitsApproval', check: awaitsApproval }, // N73
  { code: 'busy', check: busy }, // K10
  { code: 'offline', check: offline }, // K11
  { code: 'unknown', check: unknown }, // K11
  ...stepsFor('rolloutAborted', 'rolloutPaused'), // K12
  { code: 'correlatedOutage', check: correlatedOutage }, // K12
  { code: 'orderPending', check: orderPending }, // K28
  ...stepsFor('waveNotOpen', 'gatePending', 'approvalPending'), // K13
  { code: 'frozen', check: (one) => closed(one, 'frozen', 'softFreeze') }, // K14
  { code: 'windowClosed', check: (one) => closed(one, 'windowClosed', 'window') }, // K15
  { code: 'pastCutoff', check: (one) => closed(one, 'pastCutoff', 'cutoff') }, // K16
];

/** Entries that contradict each other decide nothing; what runs, and what an exception keeps, stays as it is (semantics K27). */
function tied(evaluation: Evaluation): RuleResult | undefined {
  const { tied: finding, memory } = evaluation;
  if (!finding) return undefined;
  const running = memory.intentsOf(evaluation.case.device.id).find(isInFlight);
  if (running) return { action: 'wait', reason: ours(running.task, running.attemptedAt) };
  const kept = held(evaluation) ?? excluded(evaluation) ?? inDoubt(evaluation);
  return kept ?? { action: 'skip', reason: refusedFor(finding) };
}

/** The reason of a change that a finding refuses. */
export function refusedFor({ code, params }: Diagnostic): Reason {
  const { refuses: _, ...said } = params;
  return { code: 'refused', next: 'never', params: { ...said, finding: code } };
}

/** What is excluded, and not held, needs nobody, whether its task is possible or not. */
function unsupported({ judgement, exemption }: Evaluation): RuleResult | undefined {
  const isExcluded = exemption.exclude !== undefined && exemption.hold === undefined;
  if (judgement.is !== 'unsupported' || isExcluded) return undefined;
  return { action: 'skip', reason: judgement.reason };
}

/** Nothing is decided about a device whose value no run has read yet; it is counted (semantics N6). */
function unread({ judgement }: Evaluation): RuleResult | undefined {
  return judgement.is === 'notRead' ? { action: 'note', reason: judgement.reason } : undefined;
}

function alreadyConverged({ judgement, exemption }: Evaluation): RuleResult | undefined {
  if (judgement.is !== 'converged' || exemption.pin) return undefined;
  return { action: 'note', reason: judgement.reason };
}

function blockedVendor({ case: { policy, device } }: Evaluation): RuleResult | undefined {
  if (policy.section !== 'onboarding' || blockingGlob(policy, device) === undefined)
    return undefined;
  const params = { vendor: device.vendor ?? '' };
  return { action: 'skip', reason: { code: 'blockedVendor', next: 'never', params } };
}

/** A hold, and any exception that may protect the device (semantics M20). */
function held({ exemption: { hold, exclude, perhaps } }: Evaluation): RuleResult | undefined {
  if (hold) return { action: 'wait', reason: until('hold', hold) };
  if (!perhaps || exclude) return undefined;
  return { action: 'wait', reason: { ...until('hold', perhaps), why: 'exceptionUnclear' } };
}

function excluded({ exemption }: Evaluation): RuleResult | undefined {
  return exemption.exclude && { action: 'skip', reason: until('exclude', exemption.exclude) };
}

function atPin({ judgement, exemption }: Evaluation): RuleResult | undefined {
  if (judgement.is !== 'converged' || !exemption.pin) return undefined;
  return { action: 'note', reason: until('pinned', exemption.pin) };
}

/** Nothing of an incident starts after its end; what it did not reach needs a person. */
function incidentEnded({ case: { policy, now } }: Evaluation): RuleResult | undefined {
  if (policy.section !== 'rotations' || !policy.incident || now < policy.incident.until)
    return undefined;
  const params = endParams(policy.incident);
  return { action: 'skip', reason: { code: 'incidentEnded', next: 'never', params } };
}

function until(code: ReasonCode, { name, value }: Sourced<Exception>): Reason {
  return {
    code,
    next: value.until,
    params: { exception: name, until: formatInstant(value.until) },
  };
}

/** Step K8: what the change itself waits for, whatever windows and freezes let start then. */
export function notDue(evaluation: Evaluation): RuleResult | undefined {
  const { judgement } = evaluation;
  if (judgement.is === 'notDue')
    return { action: judgement.within ? 'note' : 'wait', reason: judgement.reason };
  const { passer } = evaluation.case;
  return waitForLast(
    isPassed('spread', passer) ? undefined : awaitsItsTurn(evaluation),
    isPassed('offlineGrace', passer) ? undefined : settlesIn(evaluation),
    backoff(evaluation),
  );
}

/** One intent in doubt blocks every task on its device, because it may be running now; it is read until its quarantine ends. */
function inDoubt({ memory, case: { device, now } }: Evaluation): RuleResult | undefined {
  const doubtful = memory.intentsOf(device.id).find(({ phase }) => phase === 'inDoubt');
  if (!doubtful) return undefined;
  const { attemptedAt, attemptId, task } = doubtful;
  const params = { attempt: attemptId, task };
  const readUntil = attemptedAt + QUARANTINE_MS;
  const next = now < readUntil ? readUntil : 'never';
  return { action: 'skip', reason: { code: 'inDoubt', since: attemptedAt, next, params } };
}

function quarantined(evaluation: Evaluation): RuleResult | undefined {
  // Why no further attempt is made on this device: its attempts are used up, or it was restarted
  // too often.
  const reason = retriesUsed(evaluation) ?? needsPerson(evaluation) ?? restartsUsed(evaluation);
  return reason && { action: 'skip', reason };
}

function busy(evaluation: Evaluation): RuleResult | undefined {
  const { memory } = evaluation;
  const { device, discovered, now } = evaluation.case;
  const intents = memory.intentsOf(device.id);
  const running = intents.find(isInFlight);
  if (running) return { action: 'wait', reason: ours(running.task, running.attemptedAt) };
  if (discovered) return undefined;
  if (device.maintenanceMode === true && !isMaintenanceMeant(evaluation)) {
    const since = unavailableSince(memory, device.id, 'maintenance');
    const params = lateness(evaluation, since);
    const known = { ...(since !== undefined && { since }), ...(params && { params }) };
    return { action: 'wait', reason: { code: 'busy', why: 'maintenanceMode', ...known } };
  }
  const isApart = !isPassed('credentialGap', evaluation.case.passer);
  const ended = intents.map(({ task, settledAt = 0 }) => (isDisruptive(task) ? settledAt : 0));
  const since = Math.max(...ended);
  return waitForLast(
    soaking(evaluation),
    isApart ? otherCredential(evaluation) : undefined,
    now < since + GAP ? { code: 'busy', why: 'gap', since, next: since + GAP } : undefined,
  );
}

/** Of several reasons, the one that ends last. */
function waitForLast(...reasons: readonly (Reason | undefined)[]): RuleResult | undefined {
  let last: Reason | undefined;
  for (const reason of reasons)
    if (reason && !(last && endOf(reason) <= endOf(last))) last = reason;
  return last && { action: 'wait', reason: last };
}

const endOf = ({ next }: Reason): Instant => (typeof next === 'number' ? next : Infinity);

/** A restart may apply to devices in maintenance mode too, where the policy says so. */
function isMaintenanceMeant({ case: { policy } }: Evaluation): boolean {
  return policy.section === 'restarts' && !policy.when.excludeMaintenanceMode;
}

/** A task of this tool is on the device, since then if it was already attempted. */
export function ours(task: string, since?: number): Reason {
  return { code: 'busy', why: 'ours', params: { task }, ...(since !== undefined && { since }) };
}

function offline(evaluation: Evaluation): RuleResult | undefined {
  const { kind } = evaluation;
  const { device, policy } = evaluation.case;
  if (device.status !== 'offline' || isSymptom(policy, device.status)) return undefined;
  if (kind.actsOffline && policy.section !== 'restarts') return undefined;
  const since = device.lastSeen ?? unavailableSince(evaluation.memory, device.id, 'offline');
  const params = { ...debtIn(evaluation), ...lateness(evaluation, since) };
  return {
    action: 'wait',
    reason: {
      code: 'offline',
      ...(since !== undefined && { since }),
      ...(Object.keys(params).length > 0 && { params }),
    },
  };
}

/**
 * The mark of a device that has been unavailable for too long, or whose deadline, limit or expiry has
 * passed: a person has to look at it (semantics M30).
 */
function lateness(evaluation: Evaluation, since: Instant | undefined): Params | undefined {
  const { judgement, needsYouAfter, case: theCase } = evaluation;
  const { now } = theCase;
  const { breachesAt = Infinity } = judgement.is === 'due' ? judgement : {};
  const { expiresAt = Infinity } = judgement;
  const from = Math.min((since ?? now) + needsYouAfter, breachesAt, expiresAt);
  return now < from ? undefined : { [NEEDS_YOU]: true };
}

/** `online` and `partial` may be changed; any other word, or none, cannot be relied on. */
function unknown(evaluation: Evaluation): RuleResult | undefined {
  const { device, discovered, policy } = evaluation.case;
  const { status } = device;
  if (discovered || (status !== undefined && KNOWN.has(status))) return undefined;
  if (isSymptom(policy, status)) return undefined;
  const params = { status: status ?? '', ...debtIn(evaluation) };
  return { action: 'wait', reason: { code: 'unknown', params } };
}

/** A restart does not fix a network: if many devices of a site are down together, all of them wait. */
function correlatedOutage({
  outages,
  case: { policy, device },
}: Evaluation): RuleResult | undefined {
  if (policy.section !== 'restarts') return undefined;
  const outage = outages?.at(device.sites, policy.correlatedOutage);
  if (!outage) return undefined;
  const { since, ...params } = outage;
  return { action: 'wait', reason: { code: 'correlatedOutage', since, params } };
}

/** Nothing passes this step: neither an exception nor an incident that its policy may lose to. */
function orderPending({
  predecessors,
  policy,
  case: { device },
}: Evaluation): RuleResult | undefined {
  const held = predecessors?.holding(policy.value, knownSites(device));
  if (!held) return undefined;
  const isTorn = held.before.holds.some(({ id }) => id === '');
  return { action: 'wait', reason: orderReason(held.after, isTorn) };
}

const KNOWN: ReadonlySet<string> = new Set(['online', 'partial', 'offline']);

/** A restart is for exactly the status that blocks every other task. */
function isSymptom(policy: Policy, status: string | undefined): boolean {
  return (
    policy.section === 'restarts' && status !== undefined && policy.when.status.includes(status)
  );
}

function stepsFor(...codes: readonly ReasonCode[]): readonly DecisionStep[] {
  return codes.map((code) => ({
    code,
    check: ({ refused }) => (refused?.reason.code === code ? refused : undefined),
  }));
}

/** What rollouts say of a device: its own, what a lost address holds, and pauses of others that hold it. */
export function findRefused(evaluation: Evaluation): Refused | undefined {
  const { followed, orphans, policy, case: theCase } = evaluation;
  const { id } = theCase.device;
  const own =
    policy.value.rollout === undefined ? stoppedWithAll(evaluation) : followed?.refuses(id);
  const isOver = own?.reason.code === 'rolloutAborted';
  const orphaned = orphans && !isOver ? heldByOrphan(orphans, policy.value, id) : undefined;
  const isHalted = isOver || own?.reason.code === 'rolloutPaused';
  const elsewhere = isHalted || orphaned ? undefined : pausedElsewhere(evaluation);
  const refused = orphaned ?? (elsewhere ? haltedBy(elsewhere) : own);
  return refused && withPlace(refused, evaluation);
}

/** A pause or a stop of one site says the name of the site; where that or its model is gone, which one it was. */
function withPlace(refused: Refused, { orphans, case: { device } }: Evaluation): Refused {
  const { reason } = refused;
  const scope = String(reason.params?.['scope'] ?? '');
  const site = device.sites.find(({ id }) => id === siteOfScope(scope))?.name;
  const place = orphans?.lostPlace(scope) ?? (site !== undefined && { site });
  if (!place) return refused;
  const params = { ...reason.params, policy: policyOfScope(scope), ...place };
  return { ...refused, reason: { ...reason, params } };
}

/**
 * A policy without a rollout has no stop rules and trips none of others. But after a rule of a
 * rollout has stopped the whole fleet, no policy sends anything (protocol I17), and a person may
 * pause any of them (semantics N66).
 */
function stoppedWithAll(evaluation: Evaluation): Refused | undefined {
  const halt = findHalt(evaluation.policy.value.address, evaluation);
  return halt && haltedBy(halt);
}

/**
 * The pause of a person that holds the device although another policy wins it now: its rollout began with the device,
 * and no commit ends a pause (semantics N66). An incident passes it.
 */
export function pausedElsewhere(evaluation: Evaluation): Halt | undefined {
  const { orphans, policy, kind, case: theCase } = evaluation;
  if (theCase.passer === 'incident') return undefined;
  for (const { policy: address, task, devices } of orphans?.paused ?? []) {
    const isElsewhere = address !== policy.value.address && task === kind.task;
    if (!isElsewhere || !devices.has(theCase.device.id)) continue;
    const halt = findHalt(address, evaluation);
    if (halt && policyOfScope(halt.scope) === address) return halt;
  }
  return undefined;
}

/** What stops a policy without a rollout on the device, or would stop another policy there. */
export function findHalt(
  address: string,
  { memory, orphans, case: theCase }: Pick<Evaluation, 'memory' | 'orphans' | 'case'>,
): Halt | undefined {
  if (!memory.stops.has(FLEET) && memory.pauses.size === 0) return undefined;
  const { device, now } = theCase;
  const { lostPlace } = orphans ?? {};
  const policy = { policy: address, targetDigest: '', documents: '' };
  const halts = readStops({ ...policy, memory, now, lostPlace }).with([]);
  return halts.of({ sites: device.sites.map(({ id }) => id), model: device.model });
}

/**
 * No restart and no rotation while the firmware of a device soaks: from its own verification for
 * the soak of its wave, and until the wave as a whole has soaked (semantics F1). Break glass is
 * exempt (semantics K23).
 */
export function soaking({ kind, rollouts, memory, case: theCase }: Evaluation): Reason | undefined {
  const { device, passer, now } = theCase;
  if (isPassed('firmwareSoak', passer) || !kind.disturbsSoak) return undefined;
  const upgraded = memory
    .intentsOf(device.id, TASK_OF.firmware)
    .findLast(({ verdict }) => verdict === 'done');
  const rollout = upgraded && rollouts?.get(upgraded.policy);
  if (upgraded?.settledAt === undefined || !rollout) return undefined;
  const { wave } = rollout.assignment.assignmentOf(device.id);
  const state = rollout.states[wave];
  const own = upgraded.settledAt + (rollout.input.spec.waves[wave]?.soak ?? 0);
  const isWaited =
    state?.is === 'soaking' && rollout.progress.waves[wave]?.gated.includes(device.id) === true;
  const next = isWaited ? Math.max(own, state.until) : own;
  return now < next
    ? {
        code: 'busy',
        why: 'soak',
        since: upgraded.settledAt,
        next,
        params: { task: upgraded.task },
      }
    : undefined;
}

/** When a failed intent may be tried again, where that is not now. */
function backoff(evaluation: Evaluation): Reason | undefined {
  const reason = refusal(evaluation, sameIntent(evaluation));
  return reason?.code === 'notDue' ? reason : undefined;
}

function retriesUsed(evaluation: Evaluation): Reason | undefined {
  const { policy } = evaluation.case;
  const intents = [sameIntent(evaluation), intentBefore(evaluation)];
  const used = intents
    .map((intent) => refusal(evaluation, intent))
    .find((one) => one?.code === 'quarantined');
  const incident = policy.section === 'rotations' && policy.incident?.name;
  return used && incident ? { ...used, params: { ...used.params, incident } } : used;
}

/** By the rollout of the policy; without one, by `default`. */
function refusal(evaluation: Evaluation, intent: IntentState | undefined): Reason | undefined {
  if (!intent || evaluation.judgement.is !== 'due') return undefined;
  const { unread } = evaluation.judgement;
  const marker = unread ? intent.marker : evaluation.judgement.marker;
  const { now } = evaluation.case;
  const { retry } = evaluation.rollout;
  return refuseRetry({ intent, marker, retry, openings: listOpenings(evaluation, intent), now });
}

/** Openings of the windows; where the change may always start, days from the first attempt. */
function listOpenings({ timing }: Evaluation, { earlier, attemptedAt }: IntentState): Openings {
  const spans = timing?.judged?.calendar.open(timing.judged.query) ?? [];
  if (!spans.some(({ close }) => close < Infinity))
    return dailyOpenings(earlier?.[0]?.attemptedAt ?? attemptedAt);
  return {
    openedAt: (at) => spans.find(({ open, close }) => open <= at && at < close)?.open,
    opensAfter: (at) => spans.find(({ open }) => open > at)?.open,
  };
}

/**
 * The intent of this change in the ledger: equal device, task, target and generation. The plan of
 * an incident or a raised generation does not know the target: it is the last intent of the
 * incident, or of the generation. A rotation before `since` is verified, and of an earlier incident
 * of the same name.
 */
function sameIntent({ judgement, case: theCase }: Evaluation): IntentState | undefined {
  const { past, policy } = theCase;
  if (judgement.is !== 'due') return undefined;
  if (judgement.why === 'incident') {
    const last = past.findLast((intent) => intent.policy === policy.address);
    const since = policy.section === 'rotations' ? (policy.incident?.since ?? 0) : 0;
    const isOther = last?.settledBy === 'person' || (last?.attemptedAt ?? since) < since;
    return last?.verdict === 'done' && isOther ? undefined : last;
  }
  if (judgement.why === 'generationRaised')
    return past.findLast(({ generation }) => generation === judgement.generation);
  return past.findLast(
    ({ target, generation }) => target === judgement.target && generation === judgement.generation,
  );
}

/**
 * The intent of another policy on the credential that an incident replaces: what is quarantined
 * stays so (semantics N58). While the credential is not read yet, the last intent of the device is used
 * for it, unless it replaced the credential.
 */
function intentBefore({ judgement, case: theCase }: Evaluation): IntentState | undefined {
  const { past, policy } = theCase;
  if (judgement.is !== 'due' || judgement.why !== 'incident') return undefined;
  const found = judgement.unread
    ? past.at(-1)
    : past.findLast(({ target }) => target === judgement.target);
  return found && found.policy !== policy.address && found.verdict !== 'done' ? found : undefined;
}

/**
 * A symptom that returns after `escalate.after` restarts needs a person (semantics S2). Restarts
 * count if they came no longer before it than the period of `maxPerDevice`. So time alone does not
 * end it, but the count starts again for a device that was healthy that long.
 */
function needsPerson(evaluation: Evaluation): Reason | undefined {
  const { judgement } = evaluation;
  const { policy, now } = evaluation.case;
  if (policy.section !== 'restarts' || judgement.is !== 'due') return undefined;
  const { escalate, maxPerDevice } = policy;
  const from = (judgement.since ?? now) - maxPerDevice.per;
  const [since, ...earlier] = listRestarts(evaluation).filter((at) => at > from);
  const restarts = earlier.length + 1;
  if (since === undefined || restarts < escalate.after) return undefined;
  return { code: 'quarantined', why: 'escalated', since, next: 'never', params: { restarts } };
}

/** The hard cap of a restart policy. */
function restartsUsed(evaluation: Evaluation): Reason | undefined {
  const { policy, now } = evaluation.case;
  if (policy.section !== 'restarts') return undefined;
  const { count, per } = policy.maxPerDevice;
  const recent = listRestarts(evaluation).filter((at) => at > now - per);
  if (recent.length < count) return undefined;
  const next = count === 0 ? 'never' : (recent[count - 1] ?? now) + per;
  return { code: 'quarantined', why: 'maxPerDevice', next, params: { count } };
}

/** The restarts of the device, newest first; an attempt that may have had its effect counts. */
function listRestarts({ case: { past } }: Evaluation): readonly Instant[] {
  return past
    .filter(mayHaveRun)
    .map(({ attemptedAt }) => attemptedAt)
    .toSorted((a, b) => b - a);
}
