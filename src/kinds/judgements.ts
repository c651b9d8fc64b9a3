import { RISKS, type Risk, type Values } from '../model/plan/change.ts';
import type { Params } from '../model/error.ts';
import type { Reason, ReasonWhy } from '../model/plan/reason.ts';
import type { AvailableTask } from '../model/fleet/task.ts';
import type { Case, Judgement } from './kind.ts';
import type { IntentState } from '../model/ledger/memory.ts';
import type { Instant } from '../lib/time.ts';
import type { Device } from '../model/fleet/device.ts';
import type { DeviceRead } from '../model/fleet/snapshot.ts';

/**
 * The device cannot be served as things stand; only people, documents or the service can change
 * that.
 */
export function unsupported(why: ReasonWhy, before: Values, params?: Params): Judgement {
  const reason: Reason = { code: 'unsupported', why, next: 'never', ...(params && { params }) };
  return { is: 'unsupported', reason, before };
}

/** A value that nobody has read yet makes nothing due, and is not a value that is absent (semantics N6). */
export function notRead(field: DeviceRead, before: Values): Judgement {
  return { is: 'notRead', reason: { code: 'notRead', params: { field } }, before };
}

/**
 * Two versions that must be ordered and cannot be; an exact version that the service lists mends
 * it.
 */
export function notComparable(a: string, b: string, before: Values): Judgement {
  const params = { versions: `${a}, ${b}` };
  return { is: 'unsupported', reason: { code: 'notComparable', next: 'never', params }, before };
}

/** Observed is wanted. `external`: it did not come from us. */
export function converged(before: Values, external: boolean): Judgement {
  return { is: 'converged', reason: { code: 'alreadyConverged', params: { external } }, before };
}

/**
 * Whether the service offers the task on this device. Only a plain `true` counts: a POST asks for
 * the same (protocol X8), and a plan must not promise what apply would refuse.
 */
export function offers(theCase: Case, task: AvailableTask): boolean {
  return theCase.device.available[task] === true;
}

/**
 * How often intents towards this target were settled done: the `generation` of the next one
 * (protocol J10).
 */
export function timesDone(past: readonly IntentState[], target: string): number {
  return past.filter((intent) => intent.target === target && intent.verdict === 'done').length;
}

/**
 * Whether this very intent was tried before and nothing came of it, so that it may be tried anew.
 */
export function isRetry(
  past: readonly IntentState[],
  intent: Pick<IntentState, 'target' | 'generation'>,
): boolean {
  return past.some(
    ({ target, generation, verdict, phase }) =>
      target === intent.target &&
      generation === intent.generation &&
      (phase === 'failed' || verdict === 'failed' || verdict === 'notDone'),
  );
}

/** When the last intent that was settled done was attempted: its effect is no older than this. */
export function lastDoneAt(past: readonly IntentState[]): Instant | undefined {
  const times = past
    .filter(({ verdict }) => verdict === 'done')
    .map((intent) => intent.attemptedAt);
  return times.length === 0 ? undefined : Math.max(...times);
}

/**
 * Whether an intent may have had its effect. What nobody knows counts as done; only what was never
 * sent, was refused, or is known not to have run does not (protocol J12).
 */
export function mayHaveRun(intent: IntentState): boolean {
  if (intent.phase === 'none' || intent.verdict === 'notDone') return false;
  return intent.outcome !== 'notSent' && intent.outcome !== 'rejected';
}

/** A door that stays shut is worse than a camera that does not record: one step higher. */
const DOORS = /access|intercom|door|panel|reader/i;

/** The risk of a task on this device, from what it is on a camera. */
export function riskOn(device: Pick<Device, 'deviceType'>, onCamera: Risk): Risk {
  if (!DOORS.test(device.deviceType ?? '')) return onCamera;
  return RISKS[RISKS.indexOf(onCamera) + 1] ?? 'high';
}
