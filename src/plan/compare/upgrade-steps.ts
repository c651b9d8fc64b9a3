import { readPath } from '../../kinds/firmware.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import { TASK_OF } from '../../model/fleet/task.ts';
import type { Change } from '../../model/plan/change.ts';
import { isAsApproved } from '../approved-fields.ts';

/** A version on the way to another one. */
interface Step {
  readonly version: string;
  /** The final version of its path. */
  readonly target: string;
  readonly generation: number;
}

/**
 * Where our own verified steps towards a target began: the version that a person saw, and the
 * generation of the first of them.
 * @param past the intents of the device and the task, oldest first
 * @param here the version of now
 */
export function findFirstStep(
  past: readonly IntentState[],
  here: Step,
): Pick<Step, 'version' | 'generation'> {
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

/**
 * Whether a change is a later step of an approved upgrade, whose steps before it are our own and
 * verified. An approval covers it, since it shows the final version (semantics N71): what a plan did
 * itself to a device makes nothing of it stale.
 * @param past the intents of the device and the task, oldest first
 */
export function isLaterStep(
  approved: Change,
  current: Change,
  past: readonly IntentState[],
): boolean {
  const { task, generation } = current;
  if (task !== TASK_OF.firmware) return false;
  const [meant, here] = [readPath(approved), readPath(current)];
  if (here.from === undefined || here.final === undefined) return false;
  if (here.from === meant.from || here.final !== meant.final) return false;
  const step = { version: here.from, target: here.final, generation };
  if (findFirstStep(past, step).version !== meant.from) return false;
  const { target, generation: first, before, after } = approved;
  return isAsApproved(approved, { ...current, target, generation: first, before, after });
}
