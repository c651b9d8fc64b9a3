import { computeOnce } from '../../lib/compute-once.ts';
import type { Budget } from '../../model/documents/budget.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { DEFAULT_NAME } from '../../model/documents/rollout-defaults.ts';
import { trackBudget } from './tracked-budget.ts';
import type { NamedBudget, TrackedBudget, TrackedFleet } from './tracked-budget.ts';
import type {
  BudgetFleet,
  BudgetInput,
  BudgetMoment,
  BudgetRefusal,
  BudgetRequest,
  BudgetTracker,
  Released,
} from './budget-tracker.ts';
import { atOnce } from './headroom.ts';
import { moveWith } from './moving-counts.ts';
import { activeApprovals } from './singletons.ts';
import { openBaseCounts } from './base-counts.ts';

const SICK_IS_DOWN = { treatPartialAs: 'unavailable', treatUnknownAs: 'unavailable' } as const;

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
  return openBudgetBook(input).at(input);
}

/** The budgets of one reading of a fleet. */
export interface BudgetBook {
  /** A tracker on what counts now. It costs what changed since the last one, not the whole fleet. */
  at(moment: BudgetMoment): BudgetTracker;
}

/**
 * Opens the book of all budgets. Its first moment judges every device; each later one only those whose
 * intents, sightings or reads changed since.
 */
export function openBudgetBook(fleet: BudgetFleet): BudgetBook {
  const books = listBudgets(fleet.documents).map((named) => {
    return { named, base: openBaseCounts(named.budget, fleet) };
  });
  const moving = moveWith(
    fleet,
    books.map(({ base }) => base),
  );
  // A selector of an exception is compiled once, not for each tracker.
  const members = computeOnce(fleet.members);
  return {
    at(moment) {
      moving.moveTo(moment);
      const input = { ...fleet, ...moment, members };
      const tracked = { ...input, approves: activeApprovals(input), moved: new Map() };
      const trackers = books.map(({ named, base }) => trackBudget(named, base, tracked));
      return combine(trackers, moving.inFlight, tracked);
    },
  };
}

function combine(
  trackers: readonly TrackedBudget[],
  inFlight: ReadonlyMap<string, number>,
  { moved, snapshot }: TrackedFleet,
): BudgetTracker {
  const rollouts = openRollouts(inFlight);
  const rowOf = ({ deviceId, row = snapshot.devices.rowOf(deviceId) }: Released) => row;
  const refusals: BudgetTracker['refusals'] = (request) => {
    const row = rowOf(request);
    return trackers.flatMap((tracker) => tracker.refuses(request, row) ?? []);
  };
  // A refusal that waiting does not resolve comes first: a person has to act, whatever else is full.
  const refuses: BudgetTracker['refuses'] = (request) => {
    const full = rollouts.refuses(request);
    if (full) return full;
    const all = refusals(request);
    return all.find(({ blocked }) => blocked) ?? all[0];
  };
  const move = (request: Released, starts: boolean): void => {
    rollouts.move(request, starts);
    const row = rowOf(request);
    for (const tracker of trackers) tracker.move(request, row, starts);
    if (request.disruptive && row !== undefined) moved.set(row, starts);
  };
  return {
    refuses,
    refusals,
    fullIn(request) {
      if (rollouts.refuses(request)) return request.policy.address;
      const row = rowOf(request);
      for (const tracker of trackers) {
        const set = tracker.fullIn(request, row);
        if (set) return set;
      }
      return undefined;
    },
    count: (request) => move(request, true),
    release: (request) => move(request, false),
    eachLimit(request, visit) {
      const row = rowOf(request);
      for (const tracker of trackers) tracker.eachLimit(request, row, visit);
    },
    take(request) {
      const refusal = refuses(request);
      if (!refusal) move(request, true);
      return refusal;
    },
  };
}

/** Counts the device tasks of each policy that are not final, on top of those in flight already. */
function openRollouts(before: ReadonlyMap<string, number>) {
  const given = new Map<string, number>();
  const inFlight = (policy: string): number => (before.get(policy) ?? 0) + (given.get(policy) ?? 0);
  return {
    refuses({ policy, rollout }: BudgetRequest): BudgetRefusal | undefined {
      if (inFlight(policy.address) < rollout.maxInFlight) return undefined;
      const headroom = atOnce(rollout);
      return { budget: policy.rollout ?? DEFAULT_NAME, scope: 'rollout', headroom };
    },
    move: ({ policy: { address } }: Released, starts: boolean) =>
      void given.set(address, (given.get(address) ?? 0) + (starts ? 1 : -1)),
  };
}
