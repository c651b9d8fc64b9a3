import type { Budget, BudgetLimit } from '../../model/documents/policy.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { BudgetInput } from './budget-tracker.ts';

/** The budget of this name as an exception raises it for a device; undefined where none does. */
export type RaisedBudget = (row: number, task: TaskType) => Budget | undefined;

/** The inputs of the search for the exceptions in force. */
export type Exceptions = Pick<BudgetInput, 'members' | 'now'> & {
  readonly documents: Pick<BudgetInput['documents'], 'exceptions'>;
};

/**
 * The raised limits of a budget: exceptions of type `allow` that name it, until they end (semantics
 * N47). Of several the last in the order of names wins; the written limit holds where it is higher. A
 * number raises what the budget limits, a percentage `maxUnavailable` alone. Redundancy groups have no
 * name, so no exception reaches them.
 */
export function raisedBudget(
  name: string,
  budget: Budget,
  { documents, members, now }: Exceptions,
): RaisedBudget {
  const raises = [...documents.exceptions.values()].flatMap(({ value }) => {
    if (value.type !== 'allow' || value.allow !== 'budget') return [];
    if (value.budget !== name || value.until <= now) return [];
    const selects = value.select ? members(value.select) : () => true;
    return [{ tasks: value.tasks, selects, raised: withLimit(budget, value.value) }];
  });
  return (row, task) =>
    raises.findLast(({ tasks, selects }) => tasks.includes(task) && selects(row) === true)?.raised;
}

function withLimit(budget: Budget, limit: BudgetLimit): Budget {
  const { maxUnavailable, maxInFlight } = budget;
  return {
    ...budget,
    ...(maxUnavailable && { maxUnavailable: limit }),
    ...(maxInFlight !== undefined &&
      'count' in limit && { maxInFlight: Math.max(maxInFlight, limit.count) }),
  };
}
