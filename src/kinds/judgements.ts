import { RISKS, type Risk, type Values } from '../model/plan/change.ts';
import type { Params } from '../model/error.ts';
import type { Reason, ReasonWhy } from '../model/plan/reason.ts';
import type { AvailableTask } from '../model/fleet/task.ts';
import type { Case, Judgement } from './kind.ts';
import type { IntentState } from '../model/ledger/memory.ts';
import type { Instant } from '../lib/time.ts';
import type { Device } from '../model/fleet/device.ts';
import type { DeviceRead } from '../model/fleet/snapshot.ts';
import type { Policy } from '../model/documents/policy.ts';
import type { UnclearBy } from '../model/documents/selector.ts';

/** The task cannot run on the device. Only a person, the documents or the service can change that. */
export function unsupported(why: ReasonWhy, before: Values, params?: Params): Judgement {
  const reason: Reason = { code: 'unsupported', why, next: 'never', ...(params && { params }) };
  return { is: 'unsupported', reason, before };
}

/** A value that no run has read yet makes nothing due. It differs from a value that is absent (semantics N6). */
export function notRead(field: DeviceRead, before: Values): Judgement {
  return { is: 'notRead', reason: { code: 'notRead', params: { field } }, before };
}

/**
 * Two versions, or a version and a range, must be compared, and the result is unclear (semantics M20 to M22).
 * @param why `downgradeUnclear` where the second version is a target, which must not be older than the first
 */
export function notComparable(
  a: string,
  b: string,
  {
    device: { firmwareVersion },
    policy,
  }: Pick<Case, 'policy'> & { readonly device: Pick<Device, 'firmwareVersion'> },
  why?: ReasonWhy,
): Judgement {
  const params = { version: a, other: b, policy: policy.address };
  const before = firmwareVersion === undefined ? {} : { firmwareVersion };
  const reason: Reason = { code: 'notComparable', ...(why && { why }), next: 'never', params };
  return { is: 'unsupported', reason, before };
}

/** It is unclear whether the policy selects the device (semantics M20). */
export function unclearSelection(unclear: UnclearBy, { address }: Policy): Judgement {
  const params = { ...unclear, policy: address };
  const reason: Reason = { code: 'notComparable', why: 'selectorUnclear', next: 'never', params };
  return { is: 'unsupported', reason, before: {} };
}

/** The device already matches the target. `external`: fleetform did not do it. */
export function converged(before: Values, external: boolean): Judgement {
  return { is: 'converged', reason: { code: 'alreadyConverged', params: { external } }, before };
}

/**
 * Whether the service offers the task on this device. Only a plain `true` counts, because a POST
 * requires the same (protocol X8). A plan must not list a change that apply would refuse.
 */
export function offers(
  { device }: { readonly device: Pick<Device, 'available'> },
  task: AvailableTask,
): boolean {
  return device.available[task] === true;
}

/** Why a task that the service does not offer cannot run: it is not offered, or its field is in doubt (semantics K2). */
export function whyNotOffered(
  {
    device,
    offered = {},
    noneOffered,
  }: Pick<Case, 'offered' | 'noneOffered'> & { readonly device: Pick<Device, 'available'> },
  task: AvailableTask,
): readonly [ReasonWhy, Params?] {
  const isShown = noneOffered !== true && Object.keys(device.available).length > 0;
  const isRead = isShown || (offered[task] ?? 0) > 0;
  return isRead ? ['taskUnavailable'] : ['valueUnknown', { field: `available.${task}` }];
}

/**
 * The number of intents towards this target that were settled as done. It is the `generation` of
 * the next intent (protocol J10).
 */
export function timesDone(
  past: readonly Pick<IntentState, 'target' | 'verdict'>[],
  target: string,
): number {
  return past.filter((intent) => intent.target === target && intent.verdict === 'done').length;
}

/**
 * Whether this intent was attempted before without effect and may be attempted again. Without a
 * target only the generation identifies the intent.
 */
export function isRetry(
  past: readonly Pick<IntentState, 'target' | 'generation' | 'verdict' | 'phase'>[],
  intent: Pick<IntentState, 'generation'> & Partial<Pick<IntentState, 'target'>>,
): boolean {
  return past.some(
    ({ target, generation, verdict, phase }) =>
      (intent.target === undefined || target === intent.target) &&
      generation === intent.generation &&
      (phase === 'failed' || verdict === 'failed' || verdict === 'notDone'),
  );
}

/** When the latest intent that was settled as done was attempted. Its effect is not older than this. */
export function lastDoneAt(past: readonly IntentState[]): Instant | undefined {
  const times = past
    .filter(({ verdict }) => verdict === 'done')
    .map((intent) => intent.attemptedAt);
  return times.length === 0 ? undefined : Math.max(...times);
}

/**
 * Whether an intent may have had its effect. An unknown outcome counts as done. An intent that was
 * never sent, was refused or is known not to have run does not count (protocol J12).
 */
export function mayHaveRun(intent: IntentState): boolean {
  if (intent.phase === 'none' || intent.verdict === 'notDone') return false;
  return intent.outcome !== 'notSent' && intent.outcome !== 'rejected';
}

/** An access device that stays locked is worse than a camera that does not record, so its risk is one level higher. */
const DOORS = /access|intercom|door|panel|reader/i;

/** The risk of a task on this device, derived from the risk on a camera. */
export function riskOn(device: Pick<Device, 'deviceType'>, onCamera: Risk): Risk {
  if (!DOORS.test(device.deviceType ?? '')) return onCamera;
  return RISKS[RISKS.indexOf(onCamera) + 1] ?? 'high';
}
