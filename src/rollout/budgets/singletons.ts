import type { Budget } from '../../model/documents/budget.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { BudgetSet } from './division.ts';
import { isCamera } from './in-service.ts';
import type { Exceptions } from './raised-limits.ts';
import { allowedDown, isWrittenZero } from './sets.ts';

/** Whether an exception approves that this task takes the only device of a set down. */
export type Approves = (row: number, task: TaskType) => boolean;

/** The approvals in force now: `allow: {singleton: true}`, until it ends. */
export function activeApprovals({ documents, members, now }: Exceptions): Approves {
  const approvals = [...documents.exceptions.values()].flatMap(({ value }) => {
    if (value.type !== 'allow' || value.allow !== 'singleton' || value.until <= now) return [];
    return [{ tasks: value.tasks, selects: value.select ? members(value.select) : () => true }];
  });
  return (row, task) =>
    approvals.some(({ tasks, selects }) => tasks.includes(task) && selects(row) === true);
}

/** The only device of a set, as its rule needs it. */
export interface Only {
  readonly deviceType: string | undefined;
  readonly approved: boolean;
}

/**
 * How many devices of a set of one may go down, or `approval` if a person has to approve it first.
 * A written `allow`, like an approval, lifts limits that are too small for the set; a limit written
 * as 0 stays 0. A camera needs no approval and is subject to the written limits.
 */
export function allowedAlone(
  budget: Budget,
  set: BudgetSet,
  { deviceType, approved }: Only,
): number | 'approval' {
  const limit = allowedDown(budget, set);
  if (limit === Infinity) return limit;
  // A locked door is worse than a camera that does not record, so a door needs an approval.
  const rule = budget.singletons ?? (isCamera(deviceType) ? 'allow' : 'requireApproval');
  if (rule === 'block' || isWrittenZero(budget)) return 0;
  if (approved || budget.singletons === 'allow') return Math.max(1, limit);
  return rule === 'allow' && limit > 0 ? limit : 'approval';
}
