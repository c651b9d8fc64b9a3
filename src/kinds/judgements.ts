import type { Values } from '../model/plan/change.ts';
import type { Params } from '../model/error.ts';
import type { Reason, ReasonWhy } from '../model/plan/reason.ts';
import type { AvailableTask } from '../model/fleet/task.ts';
import type { Case, Judgement } from './kind.ts';

/**
 * The device cannot be served as things stand; only people, documents or the service can change
 * that.
 */
export function unsupported(why: ReasonWhy, before: Values, params?: Params): Judgement {
  const reason: Reason = { code: 'unsupported', why, next: 'never', ...(params && { params }) };
  return { is: 'unsupported', reason, before };
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
