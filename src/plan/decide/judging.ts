import type { Want } from '../../model/plan/desired-state.ts';
import { TASK_TYPES } from '../../model/fleet/task.ts';
import { toDecisionInput, type Prepared } from './decision-input.ts';
import { judge, type Judged } from './decide.ts';

/**
 * How the desired states of one plan are judged, each of them once: the rollouts are assigned by it, and the decision
 * takes it again, since neither a judgement nor a window depends on the rollout of a device.
 */
export interface Judging {
  /** Judges a desired state; the second call for it returns what the first one found. */
  of(want: Want): Judged;
}

/** Starts with nothing judged. */
export function startJudging(input: Prepared): Judging {
  const known = new Map<number, Judged>();
  return {
    of(want) {
      const number = want.row * TASK_TYPES.length + TASK_TYPES.indexOf(want.wanted.task);
      const before = known.get(number);
      if (before) return before;
      const judged = judge(toDecisionInput(want, input));
      known.set(number, judged);
      return judged;
    },
  };
}
