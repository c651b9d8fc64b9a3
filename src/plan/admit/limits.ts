import { KINDS } from '../../kinds/index.ts';
import { Bug } from '../../lib/bug.ts';
import type { Policy } from '../../model/documents/policy.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { reasonOf } from '../../rollout/budgets/budget-reason.ts';
import type { BudgetTracker, BudgetRequest } from '../../rollout/budgets/budget-tracker.ts';
import { mayBeRunning } from '../../rollout/budgets/down.ts';
import { credentialsClash } from '../decide/rotations.ts';
import type { Prepared } from '../decide/decision-input.ts';
import { ours } from '../decide/steps.ts';
import { type CapsInput, type Counter, onboardingsPerDay, restartsPerSite } from './caps.ts';
import { firstDay } from './first-day.ts';
import type { LastStarts } from './last-starts.ts';
import { openRequestBudget } from './request-budget.ts';
import type { Memory } from '../../model/ledger/memory.ts';

/** What limits are counted on, whoever gives out shares. */
interface Admitting extends CapsInput, AgeInput {
  readonly tracker: BudgetTracker;
  /** By their address. */
  readonly policies: ReadonlyMap<string, Policy>;
}

/** A plan, which gives out shares to all its changes at one moment. */
export interface PlanPhase extends Admitting, Omit<Prepared, keyof Admitting> {
  readonly documents: Prepared['documents'];
  readonly changes: Iterable<Change>;
  readonly lastStarts: LastStarts;
}

/** A batch of apply, whose changes share one POST of this moment. */
export interface BatchPhase extends Admitting {
  /** The window of a change has closed while others had their turn. */
  closed(change: Change): Reason | undefined;
  /** Its window closes before a batch of this size is read. */
  late(change: Change, size: number): Reason | undefined;
}

/** Something of which there is only so much, and where it is counted; it holds in no phase that it leaves out. */
export interface Limit {
  readonly name: string;
  readonly plan?: (phase: PlanPhase) => Counter;
  readonly batch?: (phase: BatchPhase) => Counter;
}

/**
 * All that is scarce (semantics K21), in the order in which it is asked: the first that refuses gives the
 * reason. A change that a plan let wait for room is counted again in the batch that it joins, by every
 * limit that says `both`.
 */
export const LIMITS: readonly Limit[] = [
  { name: 'firstDay', plan: (phase) => firstDay(phase, phase.changes) },
  { name: 'onePerDevice', plan: onePerDevice, batch: nothingOpen },
  { name: 'window', batch: ({ closed }) => ({ refuses: closed }) },
  both('maxPerDay', onboardingsPerDay),
  both('maxPerSite', restartsPerSite),
  both('canaryPace', canaryPace),
  both('budgets', budgets),
  { name: 'requests', plan: requests, batch: readInTime },
];

function both(name: string, open: (phase: Admitting) => Counter): Limit {
  return { name, plan: open, batch: open };
}

/** The limits of a plan as one. */
export function planLimits(phase: PlanPhase): Counter {
  return inOrder(LIMITS.flatMap(({ plan }) => (plan ? [plan(phase)] : [])));
}

/** The limits of a batch as one. */
export function batchLimits(phase: BatchPhase): Counter {
  return inOrder(LIMITS.flatMap(({ batch }) => (batch ? [batch(phase)] : [])));
}

/** One action as budgets count it. */
export function wantedOf(change: Change, { policies, documents }: Admitting): BudgetRequest {
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

/** One task at a time on a device (semantics K24). What the ledger has open, the decision has refused. */
function onePerDevice({ now }: PlanPhase): Counter {
  const taskByDevice = new Map<string, TaskType>();
  return {
    refuses({ device, task }) {
      const first = taskByDevice.get(device.id);
      return first && (credentialsClash(task, first, now) ?? ours(first));
    },
    count: ({ device, task }) => void taskByDevice.set(device.id, task),
  };
}

/** Something may have been sent to the device since the plan was made. */
function nothingOpen({ memory }: BatchPhase): Counter {
  return {
    refuses: ({ device }) =>
      memory.intentsOf(device.id).some(mayBeRunning) ? { code: 'busy', why: 'ours' } : undefined,
  };
}

function budgets(phase: Admitting): Counter {
  return {
    refuses(change) {
      const refusal = phase.tracker.refuses(wantedOf(change, phase));
      return refusal && reasonOf(refusal);
    },
    count: (change) => phase.tracker.count(wantedOf(change, phase)),
  };
}

function requests(phase: PlanPhase): Counter {
  return openRequestBudget(phase, phase.lastStarts);
}

function readInTime({ late }: BatchPhase): Counter {
  return { refuses: (change, place) => late(change, place + 1) };
}

/** Devices of one policy whose credential is of unknown age: so many at a time (semantics R10). */
const AT_ONCE = 5;

/** What the pace of rotations goes by. */
interface AgeInput {
  readonly memory: Memory;
  /** Nobody knows how old the credential is, and nobody has called for it to be rotated at once. */
  readonly isOfUnknownAge: (change: Change) => boolean;
}

/**
 * Keeps rotations of unknown age at the pace of a canary, for they are all due at once: what is in
 * flight for their policy counts, whatever its age.
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
