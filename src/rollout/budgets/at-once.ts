import type { Policy } from '../../model/documents/policy.ts';
import type { BudgetInput } from './budget-tracker.ts';
import { listBudgets } from './budgets.ts';
import type { BudgetSet } from './division.ts';
import { leavesInService } from './in-service.ts';
import { allowedDown, allowedInHands, divide } from './sets.ts';

/**
 * How many of these devices may be in flight at once by the budgets in force, if nothing else is
 * down or in flight: an upper bound for forecasts.
 */
export function mostAtOnce(
  input: Pick<BudgetInput, 'documents' | 'snapshot' | 'members'>,
  policy: Policy,
  rows: readonly number[],
): number {
  let most = rows.length;
  const { devices } = input.snapshot;
  for (const { budget } of listBudgets(input.documents)) {
    const setsOf = divide(budget, input);
    const counts = new Map<BudgetSet, number>();
    let free = 0;
    for (const row of rows) {
      const [set] = setsOf(row);
      if (set) counts.set(set, (counts.get(set) ?? 0) + 1);
      else free += 1;
    }
    const example = rows[0] === undefined ? undefined : devices.at(rows[0]);
    const staysUp = example !== undefined && leavesInService(policy, example);
    let allowed = free;
    for (const [set, count] of counts) {
      const down =
        staysUp && set.members > 1 ? allowedInHands(budget, set) : allowedDown(budget, set);
      allowed += Math.min(count, down, budget.maxInFlight ?? Infinity);
    }
    most = Math.min(most, allowed);
  }
  return most;
}
