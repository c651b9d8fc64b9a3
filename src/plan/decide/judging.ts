import { getOrAdd } from '../../lib/maps.ts';
import type { Policy } from '../../model/documents/policy.ts';
import type { Sourced } from '../../model/documents/source.ts';
import { changeId, type NoteClass } from '../../model/plan/change.ts';
import type { Desired, Want } from '../../model/plan/desired-state.ts';
import { TASK_TYPES } from '../../model/fleet/task.ts';
import { COUNTED_AHEAD } from '../counting/counting.ts';
import { classKey } from '../noted-devices.ts';
import type { Instant } from '../../lib/time.ts';
import { isUsual, shareAlike } from './alike.ts';
import { askedOf, toCase, toDecisionInput } from './decision-input.ts';
import type { Building, Evaluation, Prepared } from './decision-input.ts';
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
 * Devices at rest: each is as its policy wants it, no exception, incident or approval names it, no later step can decide
 * about it, and guardrails do not count it yet. They are counted, and no more than its row is kept of each.
 */
export interface Resting {
  readonly policy: Sourced<Policy>;
  /** The note that all of them have, with the first of their dates; else that of the first. */
  readonly note: Omit<NoteClass, 'count'>;
  /** The device with the first of their dates, where it is of one of these rows. */
  readonly soonest?: Evaluation;
  /** Ascending. */
  readonly rows: readonly number[];
}

type OpenResting = Building<Resting> & { readonly rows: number[] };

/**
 * Judges each desired state: once for devices that share their judgement, then each of the others.
 * @param seen what sees each of the others, whatever its rollout is; `rest` sees those that share and rest, before
 */
export function startJudging(
  input: Prepared,
  { wants }: Pick<Desired, 'wants'>,
  seen: { rest(resting: Resting): void; observers: readonly ((one: Evaluation) => void)[] },
): Judging {
  const knownOf = shareAlike(input, (want) => judgeFirst(want, input));
  const own = new Map<number, Evaluation>();
  const numberOf = ({ row, wanted: { task } }: Want): number =>
    row * TASK_TYPES.length + TASK_TYPES.indexOf(task);
  const evaluateFirst = (want: Want): Evaluation =>
    getOrAdd(own, numberOf(want), () => {
      const asked = askedOf(want.wanted, input);
      return toEvaluation(asked, judge(asked, toCase(want, input), knownOf(want)?.judgement));
    });
  const approved = new Set(input.memory.approvals?.ids());
  const isApproved = ({ row, wanted: { task } }: Want): boolean =>
    approved.size > 0 && approved.has(changeId(task, input.snapshot.devices.idAt(row)));
  const restingOf = (want: Want): OpenResting | undefined => {
    const resting = knownOf(want)?.resting;
    return resting && isApproved(want) ? undefined : resting;
  };
  const policies = new Set<Sourced<Policy>>();
  const resting = new Set<OpenResting>();
  const others: Want[] = [];
  for (const want of wants) {
    policies.add(want.wanted.policy);
    const found = restingOf(want);
    found?.rows.push(want.row);
    if (found) resting.add(found);
    else others.push(want);
  }
  for (const each of resting) seen.rest(each);
  const alone = new Map<object, Map<string, OpenResting>>();
  const open = others.filter((want) => {
    const evaluation = evaluateFirst(want);
    for (const observe of seen.observers) observe(evaluation);
    const note = input.part || isApproved(want) ? undefined : restNote(evaluation, want);
    if (!note) return true;
    const { policy, timing = policy } = evaluation;
    const classes = getOrAdd(alone, timing, () => new Map<string, OpenResting>());
    const found = getOrAdd(classes, classKey(note), () => ({ policy, note, rows: [] }));
    // The first of a class and its windows is decided as any other device.
    const isFirst = !resting.has(found);
    resting.add(found);
    if (isFirst) return true;
    found.rows.push(want.row);
    if (nextOf(note) < nextOf(found.note)) Object.assign(found, { note, soonest: evaluation });
    return !own.delete(numberOf(want));
  });
  return {
    policies,
    resting: [...resting],
    open,
    evaluate(want, whole) {
      const first = evaluateFirst(want);
      return whole === input ? first : toEvaluation(askedOf(want.wanted, whole), first);
    },
    isAtRest: (want) => restingOf(want) !== undefined,
  };
}

/** What is known of devices that nothing tells apart. */
function judgeFirst(want: Want, input: Prepared) {
  const evaluation = evaluate(toDecisionInput(want, input));
  const { judgement, policy } = evaluation;
  const note = restNote(evaluation, want);
  const resting: OpenResting | undefined = note && { policy, note, rows: [] };
  return { judgement, resting };
}

/** The note of a device at rest; undefined where more than its policy, a later step or a near date may decide about it. */
function restNote(evaluation: Evaluation, { wanted }: Want): Resting['note'] | undefined {
  const { judgement, task, case: theCase } = evaluation;
  if (!isUsual(wanted) || (judgement.is !== 'converged' && !isRenewed(evaluation)))
    return undefined;
  const { reason } = runSteps(evaluation);
  if (reason.code !== 'alreadyConverged' && reason.code !== 'notDue') return undefined;
  const note = { task, at: causingLine(evaluation, reason), reason };
  return nextOf(note) < theCase.now + COUNTED_AHEAD ? undefined : note;
}

const nextOf = ({ reason: { next } }: Resting['note']): Instant =>
  typeof next === 'number' ? next : Infinity;

/** Whether a rotation is not due: its device shows what the policy wants. */
export function isRenewed({ judgement, policy }: Evaluation): boolean {
  return judgement.is === 'notDue' && policy.value.section === 'rotations';
}
