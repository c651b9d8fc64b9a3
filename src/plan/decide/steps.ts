import { blockingGlob } from '../../kinds/onboard-device.ts';
import type { Exception, Policy } from '../../model/documents/policy.ts';
import type { Reason, ReasonCode } from '../../model/plan/reason.ts';
import type { Sourced } from '../../model/documents/source.ts';
import { formatInstant } from '../../lib/time.ts';
import { GAP, inGap, isInFlight } from '../../rollout/budgets/down.ts';
import { settlesIn } from './absence.ts';
import { awaitsItsTurn } from './adoption.ts';
import { otherCredential } from './credential-gap.ts';
import { HALT_STEPS, WAVE_STEPS } from './halted.ts';
import type { RuleResult, DecisionStep, Evaluation } from './question.ts';
import { backoff, exhausted } from './retries.ts';
import { soaking } from './soak.ts';
import { debtIn, frozen, frozenHard, pastCutoff, siteWithoutZone, windowClosed } from './timing.ts';

/**
 * The decision order (semantics K20), from the top; the first step that bites decides. Its rule
 * stands beside each. K1 needs no step: it is about devices that are not there. K17 is given out by
 * admission, in the order of the plan.
 */
export const STEPS: readonly DecisionStep[] = [
  { code: 'unsupported', check: unsupported }, // K2, notComparable too
  { code: 'alreadyConverged', check: alreadyConverged }, // K3
  { code: 'blockedVendor', check: blockedVendor }, // K4
  { code: 'hold', check: held }, // K5
  { code: 'exclude', check: excluded }, // K5
  { code: 'pinned', check: atPin }, // K5
  { code: 'frozenHard', check: frozenHard }, // K6
  { code: 'siteWithoutZone', check: siteWithoutZone }, // K7
  { code: 'notDue', check: notDue }, // K8
  { code: 'inDoubt', check: inDoubt }, // K9
  { code: 'quarantined', check: quarantined }, // K9
  { code: 'busy', check: busy }, // K10
  { code: 'offline', check: offline }, // K11
  { code: 'unknown', check: unknown }, // K11
  ...HALT_STEPS, // K12
  { code: 'correlatedOutage', check: correlatedOutage }, // K12
  ...WAVE_STEPS, // K13
  { code: 'frozen', check: frozen }, // K14
  { code: 'windowClosed', check: windowClosed }, // K15
  { code: 'pastCutoff', check: pastCutoff }, // K16
];

function unsupported({ judgement }: Evaluation): RuleResult | undefined {
  return judgement.is === 'unsupported' ? { action: 'skip', reason: judgement.reason } : undefined;
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

function held({ exemption }: Evaluation): RuleResult | undefined {
  return exemption.hold && { action: 'wait', reason: until('hold', exemption.hold) };
}

function excluded({ exemption }: Evaluation): RuleResult | undefined {
  return exemption.exclude && { action: 'skip', reason: until('exclude', exemption.exclude) };
}

function atPin({ judgement, exemption }: Evaluation): RuleResult | undefined {
  if (judgement.is !== 'converged' || !exemption.pin) return undefined;
  return { action: 'note', reason: until('pinned', exemption.pin) };
}

function until(code: ReasonCode, { name, value }: Sourced<Exception>): Reason {
  return {
    code,
    next: value.until,
    params: { exception: name, until: formatInstant(value.until) },
  };
}

function notDue(evaluation: Evaluation): RuleResult | undefined {
  const { judgement } = evaluation;
  if (judgement.is === 'notDue')
    return { action: judgement.within ? 'note' : 'wait', reason: judgement.reason };
  const isSpread = evaluation.case.expedited === true ? undefined : awaitsItsTurn(evaluation);
  const heldBack = isSpread ?? settlesIn(evaluation);
  if (heldBack) return { action: 'wait', reason: heldBack };
  const reason = backoff(evaluation);
  return reason && { action: 'wait', reason };
}

/** One intent in doubt keeps every task off its device: it may be running this very moment. */
function inDoubt({ memory, case: { device } }: Evaluation): RuleResult | undefined {
  const doubtful = memory.intentsOf(device.id).find(({ phase }) => phase === 'inDoubt');
  if (!doubtful) return undefined;
  const { attemptedAt, attemptId, task } = doubtful;
  const params = { attempt: attemptId, task };
  return { action: 'skip', reason: { code: 'inDoubt', since: attemptedAt, next: 'never', params } };
}

function quarantined(evaluation: Evaluation): RuleResult | undefined {
  const reason = exhausted(evaluation);
  return reason && { action: 'skip', reason };
}

function busy(evaluation: Evaluation): RuleResult | undefined {
  const { memory } = evaluation;
  const { device, discovered, now } = evaluation.case;
  const intents = memory.intentsOf(device.id);
  const running = intents.find(isInFlight);
  if (running) return { action: 'wait', reason: ours(running.task, running.attemptedAt) };
  if (discovered) return undefined;
  if (device.maintenanceMode === true && !isMaintenanceMeant(evaluation))
    return { action: 'wait', reason: { code: 'busy', why: 'maintenanceMode' } };
  const apart = soaking(evaluation) ?? otherCredential(evaluation);
  if (apart) return { action: 'wait', reason: apart };
  const ended = intents
    .filter((intent) => inGap(intent, now))
    .map(({ settledAt = now }) => settledAt);
  if (ended.length === 0) return undefined;
  const since = Math.max(...ended);
  return { action: 'wait', reason: { code: 'busy', why: 'gap', since, next: since + GAP } };
}

/** A restart may be meant for devices in maintenance mode too, where its author wrote so. */
function isMaintenanceMeant({ case: { policy } }: Evaluation): boolean {
  return policy.section === 'restarts' && !policy.excludeMaintenanceMode;
}

/** A task of ours is on the device, since then if it was attempted already. */
export function ours(task: string, since?: number): Reason {
  return { code: 'busy', why: 'ours', params: { task }, ...(since !== undefined && { since }) };
}

function offline(evaluation: Evaluation): RuleResult | undefined {
  const { kind } = evaluation;
  const { device, policy } = evaluation.case;
  if (device.status !== 'offline' || isSymptom(policy, device.status)) return undefined;
  if (kind.actsOffline && policy.section !== 'restarts') return undefined;
  const since = device.lastSeen;
  const debt = debtIn(evaluation);
  return {
    action: 'wait',
    reason: {
      code: 'offline',
      ...(since !== undefined && { since }),
      ...(debt && { params: debt }),
    },
  };
}

/** `online` and `partial` may be acted on; any other word, or none, says nothing to rely on. */
function unknown(evaluation: Evaluation): RuleResult | undefined {
  const { device, discovered, policy } = evaluation.case;
  const { status } = device;
  if (discovered || (status !== undefined && KNOWN.has(status))) return undefined;
  if (isSymptom(policy, status)) return undefined;
  const params = { status: status ?? '', ...debtIn(evaluation) };
  return { action: 'wait', reason: { code: 'unknown', params } };
}

/** A restart mends no network: where many devices of a site are down together all of them wait. */
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

const KNOWN: ReadonlySet<string> = new Set(['online', 'partial', 'offline']);

/** A restart is for the very status that keeps everything else away. */
function isSymptom(policy: Policy, status: string | undefined): boolean {
  return policy.section === 'restarts' && status !== undefined && policy.status.includes(status);
}
