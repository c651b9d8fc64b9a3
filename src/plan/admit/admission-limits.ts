import { KINDS } from '../../kinds/index.ts';
import { Bug } from '../../lib/bug.ts';
import type { Policy } from '../../model/documents/policy.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { toReason } from '../../rollout/budgets/budget-reason.ts';
import type { BudgetTracker, BudgetRequest } from '../../rollout/budgets/budget-tracker.ts';
import { mayBeRunning } from '../../rollout/budgets/down.ts';
import { gapAfter, otherThan } from '../decide/rotations.ts';
import type { Prepared } from '../decide/decision-input.ts';
import { ours } from '../decide/steps.ts';
import type { Job } from '../forecast/job.ts';
import { type CapsInput, type Counter, onboardingsPerDay, restartsPerSite } from './caps.ts';
import { firstDay } from './first-day.ts';
import { openRequestBudget } from './request-budget.ts';
import type { Memory } from '../../model/ledger/memory.ts';

/** The inputs of the limits, for a plan and for a batch. */
interface Admitting extends CapsInput, AgeInput {
  readonly tracker: BudgetTracker;
  /** By their address. */
  readonly policies: ReadonlyMap<string, Policy>;
}

/** A plan, which assigns shares to all its changes at one time. */
export interface PlanPhase extends Admitting, Omit<Prepared, keyof Admitting> {
  readonly documents: Prepared['documents'];
  readonly changes: Iterable<Change>;
  /** By the place of their change. */
  readonly jobs: readonly (Job | undefined)[];
}

/** A batch of apply, whose changes share one POST now. */
export interface BatchPhase extends Admitting {
  /** The window of a change closed while other changes ran. */
  closed(change: Change): Reason | undefined;
  /** Its window closes before a batch of this size is read. */
  late(change: Change, size: number): Reason | undefined;
}

/** A limit, and where it is counted; it does not apply in a phase that it omits. */
export interface Limit {
  readonly name: string;
  readonly plan?: (phase: PlanPhase) => Counter;
  readonly batch?: (phase: BatchPhase) => Counter;
}

/**
 * All limits (semantics K21) in order: the first that refuses gives the reason. A change that waits
 * for capacity in a plan is counted again in its batch, by every limit that applies to both.
 */
export const LIMITS: readonly Limit[] = [
  { name: 'firstDay', plan: (phase) => firstDay(phase, phase.changes) },
  { name: 'onePerDevice', plan: onePerDevice, batch: nothingOpen },
  { name: 'window', batch: ({ closed }) => ({ refuses: closed }) },
  both('maxPerDay', onboardingsPerDay),
  both('maxPerSite', restartsPerSite),
  both('canaryPace', canaryPace),
  both('budgets', budgets),
  {
    name: 'requests',
    plan: (phase) => openRequestBudget(phase, phase.jobs),
    batch: ({ late }) => ({ refuses: (change, place) => late(change, place + 1) }),
  },
];

function both(name: string, open: (phase: Admitting) => Counter): Limit {
  return { name, plan: open, batch: open };
}

/** All limits of a plan, combined. */
export function planLimits(phase: PlanPhase): Counter {
  return inOrder(LIMITS.flatMap(({ plan }) => (plan ? [plan(phase)] : [])));
}

/** All limits of a batch, combined. */
export function batchLimits(phase: BatchPhase): Counter {
  return inOrder(LIMITS.flatMap(({ batch }) => (batch ? [batch(phase)] : [])));
}

/** One action in the form that budgets count. A change whose policy is unknown is a `Bug`. */
export function toBudgetRequest(change: Change, { policies, documents }: Admitting): BudgetRequest {
  const { task, device } = change;
  const policy = policies.get(change.policy);
  if (!policy) throw new Bug(`a change of no policy: ${change.policy}`);
  const rollout = rolloutOrDefault(documents.rollouts, policy.rollout);
  return { task, deviceId: device.id, policy, rollout, disruptive: KINDS[task].disruptive };
}

function inOrder(counters: readonly Counter[]): Counter {
  return {
    refuses(change, place) {
      for (const counter of counters) {
        const reason = counter.refuses(change, place);
        if (reason) return reason;
      }
      return undefined;
    },
    count(change) {
      for (const counter of counters) counter.count?.(change);
    },
  };
}

/**
 * One task at a time on a device (semantics K24). The decision has already refused devices with an
 * open intent.
 */
function onePerDevice({ now }: PlanPhase): Counter {
  const taskByDevice = new Map<string, TaskType>();
  return {
    refuses({ device, task }) {
      const first = taskByDevice.get(device.id);
      return first && (otherThan(task) === first ? gapAfter(first, now) : ours(first));
    },
    count: ({ device, task }) => void taskByDevice.set(device.id, task),
  };
}

/** A task may have been sent to the device since the plan was made. */
function nothingOpen({ memory }: BatchPhase): Counter {
  return {
    refuses: ({ device }) =>
      memory.intentsOf(device.id).some(mayBeRunning) ? { code: 'busy', why: 'ours' } : undefined,
  };
}

function budgets(phase: Admitting): Counter {
  return {
    refuses(change) {
      const refusal = phase.tracker.refuses(toBudgetRequest(change, phase));
      return refusal && toReason(refusal);
    },
    count: (change) => phase.tracker.count(toBudgetRequest(change, phase)),
  };
}

/**
 * The maximum of devices of one policy at a time whose credential has an unknown age (semantics
 * R10).
 */
const AT_ONCE = 5;

/** The inputs of the limit on rotations of unknown age. */
interface AgeInput {
  readonly memory: Memory;
  /**
   * The age of the credential is unknown, and no generation or exception requests its rotation at
   * once.
   */
  readonly isOfUnknownAge: (change: Change) => boolean;
}

/**
 * Limits rotations of unknown age to the pace of a canary, because all of them are due at once.
 * Open intents of their policy count, whatever their age.
 */
function canaryPace({ memory, isOfUnknownAge }: AgeInput): Counter {
  const taken = new Map<string, number>();
  for (const { policy } of memory.open().filter(mayBeRunning))
    taken.set(policy, (taken.get(policy) ?? 0) + 1);
  return {
    refuses: (change) =>
      (taken.get(change.policy) ?? 0) >= AT_ONCE && isOfUnknownAge(change)
        ? { code: 'waveNotOpen', why: 'canaryPace', params: { most: AT_ONCE } }
        : undefined,
    count(change) {
      const { policy } = change;
      if (isOfUnknownAge(change)) taken.set(policy, (taken.get(policy) ?? 0) + 1);
    },
  };
}
