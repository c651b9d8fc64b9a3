import { KINDS } from '../kinds/index.ts';
import { Bug } from '../model/bug.ts';
import type { Change } from '../model/change.ts';
import type { Documents, Policy, Selector } from '../model/policy.ts';
import { rolloutOrDefault } from '../model/rollout-defaults.ts';
import type { Reason } from '../model/reason.ts';
import type { TaskType } from '../model/task.ts';
import type { Instant } from '../model/time.ts';
import { openBook } from '../rollout/budgets.ts';
import { reasonOf } from '../rollout/refusal.ts';
import { canaryPace } from './canary-pace.ts';
import { openCaps, type Counter } from './caps.ts';
import type { ChangeColumns } from './columns.ts';
import { credentialsClash } from './credential-gap.ts';
import { firstDay } from './first-day.ts';
import type { PlannerInput } from './input.ts';
import { policiesOf } from './policies.ts';
import { ours } from './steps.ts';

/**
 * Gives out what is scarce, in this order: the turns of a new device, one change a device, what
 * policies allow in a time, the canary pace of what is of unknown age, budgets and `maxInFlight`.
 * What was to run and gets no share waits, with the reason (semantics 4.5, steps 8, 10, 13, 17).
 */
export function admit(
  columns: ChangeColumns,
  order: Uint32Array,
  input: PlannerInput & Members,
): void {
  const counters: readonly Counter[] = [
    firstDay(input, columns.view()),
    onePerDevice(input.now),
    ...openCaps({ ...input, sitesOf: sitesIn(input) }),
    canaryPace(input.memory),
    budgets(input),
  ];
  for (const index of order) {
    const change = columns.at(index);
    if (change.action !== 'run') continue;
    const reason = firstRefusal(counters, change);
    if (reason) columns.decide(index, { action: 'wait', reason });
  }
}

/** How selectors of budgets are evaluated. */
interface Members {
  readonly members: (selector: Selector) => (row: number) => boolean;
}

/** The book of budgets is asked last, since it takes its share as it answers. */
function firstRefusal(counters: readonly Counter[], change: Change): Reason | undefined {
  for (const counter of counters) {
    const reason = counter.refuses(change);
    if (reason) return reason;
  }
  for (const counter of counters) counter.count?.(change);
  return undefined;
}

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

function budgets(input: PlannerInput & Members): Counter {
  const book = openBook(input);
  const policies = policiesByAddress(input.documents);
  return {
    refuses({ task, device, at }) {
      const policy = policies.get(at.policy);
      if (!policy) throw new Bug(`a change of no policy: ${at.policy}`);
      const refusal = book.take({
        task,
        deviceId: device.id,
        policy,
        rollout: rolloutOrDefault(input.documents.rollouts, policy.rollout),
        disruptive: KINDS[task].disruptive,
      });
      return refusal && reasonOf(refusal);
    },
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
