import type { Budget } from '../../model/documents/budget.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { DEFAULT_NAME } from '../../model/documents/rollout-defaults.ts';
import type { CoveredFleet, TrackedBudget, NamedBudget } from './tracked-budget.ts';
import { trackBudget } from './tracked-budget.ts';
import {
  lastRead,
  type BudgetTracker,
  type BudgetInput,
  type BudgetRefusal,
  type BudgetRequest,
} from './budget-tracker.ts';
import { failedInOurHands } from './in-service.ts';
import { COVERAGES, judgeCoverage, heldDown, isInFlight } from './down.ts';
import { atOnce } from './headroom.ts';
import { activeApprovals } from './singletons.ts';

const SICK_IS_DOWN = { partialIsDown: true, unknownIsDown: true } as const;

/**
 * The built-in budgets, in force unless an entry of the same name replaces them (semantics B14).
 */
export const BUILT_IN_BUDGETS: Readonly<Record<string, Budget>> = {
  'default-site': { per: 'site', maxUnavailable: { percent: 10 }, ...SICK_IS_DOWN },
  'default-storage-server': { per: 'storageServer', maxInFlight: 5, ...SICK_IS_DOWN },
  'default-fleet': { per: 'fleet', maxInFlight: 50, ...SICK_IS_DOWN },
};

/**
 * The limits of a group with redundancy, which no entry can loosen: at most one member down, and at
 * most one action at once on members that are already down.
 */
const REDUNDANCY: Budget = {
  per: 'redundancyGroup',
  maxUnavailable: { count: 1 },
  maxInFlight: 1,
  ...SICK_IS_DOWN,
};

/** Every budget in force, by name: written, built-in, and of groups. */
export function listBudgets({ budgets }: Pick<Documents, 'budgets'>): readonly NamedBudget[] {
  const written = [...budgets].map(([name, { value }]) => [name, value] as const);
  const byName = new Map([...Object.entries(BUILT_IN_BUDGETS), ...written]);
  const named = [...byName].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...named.map(([name, budget]) => ({ budget, name, nameOf: () => name })),
    { budget: REDUNDANCY, nameOf: ({ key }) => `groups.${key}` },
  ];
}

/**
 * Opens the trackers of all budgets, with the devices that read as down, are kept down by the
 * ledger, or are in flight already counted (semantics B13, protocol I6).
 */
export function openBudgetTracker(input: BudgetInput): BudgetTracker {
  const fleet = { ...input, ...rowMarks(input), approves: activeApprovals(input) };
  const trackers = listBudgets(input.documents).map((named) => trackBudget(named, fleet));
  const rollouts = openRollouts(input.memory);
  const rowOf = ({ deviceId }: BudgetRequest) => input.snapshot.devices.rowOf(deviceId);
  const refuses: BudgetTracker['refuses'] = (request) =>
    rollouts.refuses(request) ??
    firstRefusal(trackers, (tracker) => tracker.refuses(request, rowOf(request)));
  const count: BudgetTracker['count'] = (request) => {
    rollouts.count(request);
    for (const tracker of trackers) tracker.count(request, rowOf(request));
  };
  const take: BudgetTracker['take'] = (request) => {
    const refusal = refuses(request);
    if (!refusal) count(request);
    return refusal;
  };
  return { refuses, count, take };
}

/**
 * A refusal that waiting does not resolve comes first: a person has to act, whatever else is full.
 */
function firstRefusal(
  trackers: readonly TrackedBudget[],
  refuses: (tracker: TrackedBudget) => BudgetRefusal | undefined,
): BudgetRefusal | undefined {
  let first: BudgetRefusal | undefined;
  for (const tracker of trackers) {
    const refusal = refuses(tracker);
    if (refusal?.blocked) return refusal;
    first ??= refusal;
  }
  return first;
}

/**
 * One byte for each row: the index of the device's coverage in `COVERAGES`, and whether the device
 * is in our hands.
 */
function rowMarks(input: BudgetInput): Pick<CoveredFleet, 'coverage' | 'hands'> {
  const { snapshot, memory, now } = input;
  const coverage = new Uint8Array(snapshot.devices.length);
  const hands = new Uint8Array(coverage.length);
  const sight = { facts: snapshot.facts, now };
  for (let row = 0; row < coverage.length; row++) {
    const read = lastRead(input, row);
    const { device, readAt } = read;
    const held = heldDown(memory, device, sight);
    coverage[row] = COVERAGES.indexOf(held ? 'down' : judgeCoverage(device, readAt));
    hands[row] = Number(held || failedInOurHands(memory, read));
  }
  return { coverage, hands };
}

/** Counts the device tasks of each policy that are not final. */
function openRollouts(memory: Memory) {
  const inFlight = new Map<string, number>();
  const add = (policy: string): void => {
    inFlight.set(policy, (inFlight.get(policy) ?? 0) + 1);
  };
  for (const intent of memory.open()) if (isInFlight(intent)) add(intent.policy);
  return {
    refuses({ policy, rollout }: BudgetRequest): BudgetRefusal | undefined {
      if ((inFlight.get(policy.address) ?? 0) < rollout.maxInFlight) return undefined;
      const headroom = atOnce(rollout);
      return { budget: policy.rollout ?? DEFAULT_NAME, scope: 'rollout', headroom };
    },
    count: ({ policy }: BudgetRequest) => add(policy.address),
  };
}
