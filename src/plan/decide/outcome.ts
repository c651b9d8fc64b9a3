import { toMark } from '../../model/fleet/mark.ts';
import { TASK_OF, TASKS } from '../../model/fleet/task.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import type { Change, Values } from '../../model/plan/change.ts';
import { formatOutcome } from '../../model/plan/outcome.ts';
import { outcomeDigests } from '../approved-fields.ts';
import type { Evaluation } from './decision-input.ts';

/** What the decision contributes to an outcome, besides the evaluation. */
type Bound = Pick<Change, 'payload' | 'wave' | 'window'>;

/**
 * The outcome of a decision as text (semantics N71), whatever its action is; undefined where nothing
 * is known of its target. A later step of the same path has the outcome of the first one, and a
 * change that the documents themselves ask for shows nothing of before.
 */
export function findOutcome(evaluation: Evaluation, bound: Bound): string | undefined {
  const { judgement, task, policy, case: theCase } = evaluation;
  if (judgement.is === 'unsupported' || judgement.is === 'notRead') return undefined;
  const { wave, ...fields } = bound;
  const digests = outcomeDigests({
    task,
    device: { id: theCase.device.id },
    policy: policy.value.address,
    ...fields,
    ...(TASKS[task].credential === undefined ? towards(evaluation) : renewed(evaluation)),
  });
  return formatOutcome({ ...digests, ...(wave !== undefined && { wave }) });
}

type Halves = Pick<Change, 'target' | 'generation' | 'before'>;

/**
 * A credential has no target: another generation, or other dates of before, are another outcome.
 * Without dates its mark tells whether it is the same.
 */
function renewed({ judgement, case: { policy, generation, device } }: Evaluation): Halves {
  const written = policy.section === 'rotations' ? policy.generation : 1;
  const raised = { target: '', generation: Math.max(written, generation) };
  if (judgement.is !== 'due') return { ...raised, before: judgement.before };
  if (BY_DOCUMENTS.has(judgement.why)) return { ...raised, before: {} };
  const isDated = Object.values(judgement.before).some((value) => value !== null);
  const before = isDated ? judgement.before : { mark: toMark(device.id, judgement.target) };
  return { ...raised, before };
}

/** Why a rotation is due that the document itself wants, whatever the device shows. */
const BY_DOCUMENTS: ReadonlySet<string> = new Set(['generationRaised', 'incident']);

function towards(evaluation: Evaluation): Halves {
  const { judgement, task, case: theCase } = evaluation;
  const generation = judgement.is === 'due' ? judgement.generation : 0;
  const { firmwareVersion } = theCase.device;
  if (task !== TASK_OF.firmware || firmwareVersion === undefined) {
    const target = judgement.is === 'due' ? judgement.target : '';
    return { target, generation, before: judgement.before };
  }
  const isThere = judgement.is === 'converged';
  const target = isThere ? firmwareVersion : finalTarget(evaluation);
  const first = firstStep(theCase.past, { version: firmwareVersion, target, generation });
  const before: Values = { firmwareVersion: first.version };
  return { target, generation: first.generation, before };
}

function finalTarget({ judgement }: Evaluation): string {
  const final = 'finalTarget' in judgement ? judgement.finalTarget : undefined;
  return final ?? (judgement.is === 'due' ? judgement.target : '');
}

/** Where our own verified steps towards a target began: the version that a person saw. */
function firstStep(
  past: readonly IntentState[],
  here: { readonly version: string; readonly target: string; readonly generation: number },
): { readonly version: string; readonly generation: number } {
  let { version, generation } = here;
  for (let left = past.length; left > 0; left -= 1) {
    const step = past.findLast(
      (intent) =>
        intent.verdict === 'done' && intent.target === version && intent.towards === here.target,
    );
    if (!step) break;
    ({ generation } = step);
    version = step.marker;
  }
  return { version, generation };
}
