import type { Policy } from '../../model/documents/policy.ts';
import type { BudgetInput } from '../../rollout/budgets/budget-tracker.ts';
import { openBudgetTracker } from '../../rollout/budgets/budgets.ts';
import { isTakenByDevices } from '../../rollout/budgets/headroom.ts';

/**
 * Whether the task of a policy cannot start on a device because of what is down anyway, or because
 * a budget never allows it: no running task changes that, and waiting for one does not help.
 */
export function findShutOut(policy: Policy, input: BudgetInput): (deviceId: string) => boolean {
  const tracker = openBudgetTracker(input);
  const request = {
    task: policy.task,
    policy,
    rollout: { maxInFlight: Infinity },
    disruptive: true,
  };
  return (deviceId) => {
    const refusal = tracker.refuses({ ...request, deviceId });
    if (!refusal) return false;
    const { blocked, headroom } = refusal;
    return blocked !== undefined || (headroom !== undefined && isTakenByDevices(headroom));
  };
}
