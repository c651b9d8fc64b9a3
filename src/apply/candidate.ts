import type { Change } from '../model/change.ts';
import type { Dialect } from '../model/dialect.ts';
import type { Policy } from '../model/policy.ts';
import type { RolloutSpec } from '../model/rollout.ts';
import type { At, Sourced } from '../model/source.ts';
import type { TaskType } from '../model/task.ts';
import type { Exemption } from '../model/wish.ts';

/**
 * A change that may be attempted in this run, with the wish behind it: what its last look decides
 * on anew.
 */
export interface Candidate {
  /** Its place in the plan's order. */
  readonly order: number;
  readonly change: Change;
  readonly policy: Sourced<Policy>;
  readonly exemption: Exemption;
  readonly losers: readonly At[];
  /** Of its policy; a policy without one keeps to `batch` and `maxInFlight` of `default`. */
  readonly rollout: RolloutSpec;
}

/** Changes with the same group may share a POST: one task type, one policy. */
export function groupOf({ change }: Pick<Candidate, 'change'>): string {
  return `${change.task} ${change.at.policy}`;
}

/**
 * How many devices one POST may name. Until the service has accepted a task type once, a refused
 * payload would leave a whole batch in doubt, so the first goes alone; so does a device whose id
 * may change on the way.
 */
export function batchLimit(
  {
    change,
    rollout,
  }: Pick<Candidate, 'change'> & {
    readonly rollout: Pick<RolloutSpec, 'batch'>;
  },
  known: { readonly accepted: ReadonlySet<TaskType>; readonly dialect: Dialect },
): number {
  const { task } = change;
  if (!known.accepted.has(task) || renames(task, known.dialect)) return 1;
  const largest = Number(known.dialect.maxDevicesPerTask);
  return Math.max(1, Math.min(rollout.batch, largest));
}

/** The service may show the device under another id once the task is done. */
export function renames(task: TaskType, dialect: Dialect): boolean {
  return task === 'onboardDevice' && dialect.onboardedId !== 'same';
}
