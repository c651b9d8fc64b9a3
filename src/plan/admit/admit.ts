import { KINDS } from '../../kinds/index.ts';
import { Bug } from '../../lib/bug.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Documents, Policy } from '../../model/documents/policy.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Instant } from '../../lib/time.ts';
import type { BudgetInput, Wanted } from '../../rollout/budgets/budget-tracker.ts';
import { openBudgetTracker } from '../../rollout/budgets/budgets.ts';
import { reasonOf } from '../../rollout/budgets/budget-reason.ts';
import { canaryPace } from './canary-pace.ts';
import { openCaps, type Counter } from './caps.ts';
import type { Prepared } from '../decide/decision-input.ts';
import { credentialsClash } from '../decide/credential-gap.ts';
import type { Drafts } from '../drafts.ts';
import { firstDay } from './first-day.ts';
import type { PlannerInput } from '../input.ts';
import { policiesOf } from '../../model/documents/policies.ts';
import { ours } from '../decide/steps.ts';
import { openRequestBudget } from './request-budget.ts';

/**
 * Gives out what is scarce (semantics K21), in this order: the turns of a new device, one change a device, what
 * policies allow in a time, the canary pace of what is of unknown age, budgets and `maxInFlight`,
 * the requests that a window leaves time for. What was to run and gets no share waits, with the
 * reason (semantics K8, K10, K13, K17, K18).
 */
export function admit(
  { columns, lastStarts }: Pick<Drafts, 'columns' | 'lastStarts'>,
  order: Uint32Array,
  given: Prepared & Members,
): void {
  const input = { ...given, policies: policiesByAddress(given.documents) };
  const counters: readonly Counter[] = [
    firstDay(input, columns.view()),
    onePerDevice(input.now),
    ...openCaps({ ...input, sitesOf: sitesIn(input) }),
    canaryPace(input.memory),
    budgets(input),
  ];
  const requestBudget = openRequestBudget(input, lastStarts);
  for (const index of order) {
    const change = columns.at(index);
    if (change.action !== 'run') continue;
    const reason = firstRefusal(counters, change) ?? requestBudget.refuses(change, index);
    if (reason) columns.decide(index, { action: 'wait', reason });
    else for (const counter of [...counters, requestBudget]) counter.count?.(change);
  }
}

/** How selectors of budgets are evaluated. */
type Members = Pick<BudgetInput, 'members'>;

interface Policies {
  /** By their address. */
  readonly policies: ReadonlyMap<string, Policy>;
}

function firstRefusal(counters: readonly Counter[], change: Change): Reason | undefined {
  for (const counter of counters) {
    const reason = counter.refuses(change);
    if (reason) return reason;
  }
  return undefined;
}

/** One task at a time on a device (semantics K24). */
function onePerDevice(now: Instant): Counter {
  const taskByDevice = new Map<string, TaskType>();
  return {
    refuses({ device, task }) {
      const first = taskByDevice.get(device.id);
      return first && (credentialsClash(task, first, now) ?? ours(first));
    },
    count: ({ device, task }) => void taskByDevice.set(device.id, task),
  };
}

function budgets({ policies, ...input }: PlannerInput & Members & Policies): Counter {
  const tracker = openBudgetTracker(input);
  const wantedBy = ({ task, device, at }: Change): Wanted => {
    const policy = policies.get(at.policy);
    if (!policy) throw new Bug(`a change of no policy: ${at.policy}`);
    const rollout = rolloutOrDefault(input.documents.rollouts, policy.rollout);
    return { task, deviceId: device.id, policy, rollout, disruptive: KINDS[task].disruptive };
  };
  return {
    refuses(change) {
      const refusal = tracker.refuses(wantedBy(change));
      return refusal && reasonOf(refusal);
    },
    count: (change) => tracker.count(wantedBy(change)),
  };
}

function sitesIn({ snapshot: { devices } }: PlannerInput): (deviceId: string) => readonly string[] {
  return (deviceId) => {
    const row = devices.rowOf(deviceId);
    return row === undefined ? [] : devices.at(row).sites.map(({ id }) => id);
  };
}

function policiesByAddress(documents: Documents): ReadonlyMap<string, Policy> {
  return new Map(policiesOf(documents).map(({ value }) => [value.address, value]));
}
