import { getOrAdd } from '../../lib/maps.ts';
import type { Judgement } from '../../kinds/kind.ts';
import { changeId } from '../../model/plan/change.ts';
import type { Want } from '../../model/plan/desired-state.ts';
import { TASK_TYPES } from '../../model/fleet/task.ts';
import { isUsual, shareAlike } from './alike.ts';
import { toDecisionInput, type Evaluation, type Prepared } from './decision-input.ts';
import {
  evaluate,
  judge,
  withTiming,
  type Judged,
  type NotedDevice,
  runSteps,
  toNote,
} from './decide.ts';

/**
 * How the desired states of one plan are judged, each of them once: the rollouts are assigned by it, and the decision
 * takes it again, since neither a judgement nor a window depends on the rollout of a device. Devices that nothing tells
 * apart share their judgement.
 */
export interface Judging {
  /** The evaluation of a desired state, with the rollouts of this input where it has them. */
  evaluate(want: Want, input: Prepared): Evaluation;
  /**
   * What the devices at rest share with this one: each is as its policy wants it, no exception, incident or approval
   * names it, and no later step can decide about it. Undefined for any other device.
   */
  rest(want: Want): Rest | undefined;
}

/** The note that all of these devices have; that of the first of them. */
export type Rest = Omit<NotedDevice, 'id' | 'device'>;

/** What is known of devices that nothing tells apart. */
interface Known {
  readonly judgement: Judgement;
  readonly rest: Rest | undefined;
}

/** Starts with nothing judged. */
export function startJudging(input: Prepared): Judging {
  const knownOf = shareAlike(input, (want): Known => judgeFirst(want, input));
  const own = new Map<number, Judged>();
  const approved = new Set(input.memory.approvals?.ids());
  const { values, codes } = input.snapshot.devices.text.id;
  const changeIdOf = ({ row, wanted }: Want): string =>
    changeId(wanted.task, values[codes[row] ?? 0] ?? '');
  return {
    evaluate(want, whole) {
      const decisionInput = toDecisionInput(want, whole);
      const known = knownOf(want);
      if (known) return evaluate(decisionInput, withTiming(decisionInput, known.judgement));
      const number = want.row * TASK_TYPES.length + TASK_TYPES.indexOf(want.wanted.task);
      const judged = getOrAdd(own, number, () => judge(decisionInput));
      return evaluate(decisionInput, judged);
    },
    rest(want) {
      const rest = knownOf(want)?.rest;
      return rest && approved.size > 0 && approved.has(changeIdOf(want)) ? undefined : rest;
    },
  };
}

function judgeFirst(want: Want, input: Prepared): Known {
  const evaluation = evaluate(toDecisionInput(want, input));
  const { judgement } = evaluation;
  const decided = runSteps(evaluation);
  const isAtRest = decided.reason.code === 'alreadyConverged' && isUsual(want.wanted);
  return { judgement, rest: isAtRest ? toNote(evaluation, decided) : undefined };
}
