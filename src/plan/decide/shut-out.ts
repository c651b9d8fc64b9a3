import type { Policy } from '../../model/documents/policy.ts';
import type { BudgetRefusal, BudgetTracker } from '../../rollout/budgets/budget-tracker.ts';
import { isTakenByDevices } from '../../rollout/budgets/headroom.ts';

/**
 * Why the task of a policy cannot start on a device because of what is down anyway, or because
 * a budget never allows it: no running task changes that, and waiting for one does not help.
 * Undefined where it may start, now or later.
 */
export function findShutOut(
  policy: Policy,
  tracker: Pick<BudgetTracker, 'refuses'>,
): (deviceId: string) => BudgetRefusal | undefined {
  const request = {
    task: policy.task,
    policy,
    rollout: { maxInFlight: Infinity },
    disruptive: true,
  };
  return (deviceId) => {
    const refusal = tracker.refuses({ ...request, deviceId });
    if (!refusal) return undefined;
    const { blocked, headroom } = refusal;
    const isShutOut = blocked !== undefined || (headroom && isTakenByDevices(headroom));
    return isShutOut ? refusal : undefined;
  };
}
