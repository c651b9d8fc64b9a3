import { getOrAdd } from '../../lib/maps.ts';
import type { Judgement } from '../../kinds/kind.ts';
import type { Policy } from '../../model/documents/policy.ts';
import type { Sourced } from '../../model/documents/source.ts';
import { changeId, type NoteClass } from '../../model/plan/change.ts';
import type { Desired, Want } from '../../model/plan/desired-state.ts';
import { TASK_TYPES } from '../../model/fleet/task.ts';
import { isUsual, shareAlike } from './alike.ts';
import { askedOf, toCase, toDecisionInput } from './decision-input.ts';
import type { Evaluation, Judged, Prepared } from './decision-input.ts';
import { causingLine, evaluate, judge, runSteps, toEvaluation } from './decide.ts';

/**
 * How the desired states of one plan are judged, each of them once: the rollouts are assigned by it, and the decision
 * takes it again, since neither a judgement nor a window depends on the rollout of a device. Devices that nothing tells
 * apart share their judgement.
 */
export interface Judging {
  /** The policies that win on any device, in the order of the devices. */
  readonly policies: ReadonlySet<Sourced<Policy>>;
  readonly resting: readonly Resting[];
  /** All others, in the order of the devices: each is decided by itself. */
  readonly open: readonly Want[];
  /** The evaluation of a desired state, with the rollouts of this input where it has them. */
  evaluate(want: Want, input: Prepared): Evaluation;
  isAtRest(want: Want): boolean;
}

/**
 * Devices at rest: each is as its policy wants it, no exception, incident or approval names it, and no later step can
 * decide about it. They are counted, and none of them becomes an object.
 */
export interface Resting {
  readonly policy: Sourced<Policy>;
  /** The note that all of them have; that of the first. */
  readonly note: Omit<NoteClass, 'count'>;
  /** Ascending. */
  readonly rows: readonly number[];
}

/** What is known of devices that nothing tells apart. */
interface Known {
  readonly judgement: Judgement;
  readonly resting: (Resting & { readonly rows: number[] }) | undefined;
}

/** Judges devices that share their judgement, and any other when it is first asked for. */
export function startJudging(input: Prepared, { wants }: Pick<Desired, 'wants'>): Judging {
  const knownOf = shareAlike(input, (want): Known => judgeFirst(want, input));
  const own = new Map<number, Judged>();
  const approved = new Set(input.memory.approvals?.ids());
  const { values, codes } = input.snapshot.devices.text.id;
  const changeIdOf = ({ row, wanted }: Want): string =>
    changeId(wanted.task, values[codes[row] ?? 0] ?? '');
  const restingOf = (want: Want): Known['resting'] => {
    const resting = knownOf(want)?.resting;
    return resting && approved.size > 0 && approved.has(changeIdOf(want)) ? undefined : resting;
  };
  const policies = new Set<Sourced<Policy>>();
  const resting = new Set<Resting>();
  const open: Want[] = [];
  for (const want of wants) {
    policies.add(want.wanted.policy);
    const found = restingOf(want);
    if (!found) {
      open.push(want);
      continue;
    }
    resting.add(found);
    found.rows.push(want.row);
  }
  return {
    policies,
    resting: [...resting],
    open,
    evaluate(want, whole) {
      const asked = askedOf(want.wanted, whole);
      const number = want.row * TASK_TYPES.length + TASK_TYPES.indexOf(want.wanted.task);
      const judgedNow = () => judge(asked, toCase(want, whole), knownOf(want)?.judgement);
      return toEvaluation(asked, getOrAdd(own, number, judgedNow));
    },
    isAtRest: (want) => restingOf(want) !== undefined,
  };
}

function judgeFirst(want: Want, input: Prepared): Known {
  const evaluation = evaluate(toDecisionInput(want, input));
  const { judgement, task, policy } = evaluation;
  const { reason } = runSteps(evaluation);
  if (reason.code !== 'alreadyConverged' || !isUsual(want.wanted))
    return { judgement, resting: undefined };
  const note = { task, at: causingLine(evaluation, reason), reason };
  return { judgement, resting: { policy, note, rows: [] } };
}
