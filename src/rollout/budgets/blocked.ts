import type { Budget } from '../../model/documents/budget.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import { TASK_TYPES } from '../../model/fleet/task.ts';
import type { NamedBudget } from './tracked-budget.ts';
import type { BudgetInput } from './budget-tracker.ts';
import { BUILT_IN_BUDGETS, listBudgets } from './budgets.ts';
import type { BudgetSet } from './division.ts';
import { isDisruptive } from './down.ts';
import { raisedBudget } from './raised-limits.ts';
import { allowedDown, allSets, divide, isWrittenZero } from './sets.ts';
import { allowedAlone, activeApprovals, type Approves } from './singletons.ts';

/** Why no device of a set can ever go down, regardless of time. */
export type BlockedWhy = 'approval' | 'percent' | 'never';

/** Sets of one budget in which nothing can ever start, for the same reason. */
export interface Blocked {
  readonly budget: string;
  readonly why: BlockedWhy;
  /** The name of each set, with the ID of one device in it. */
  readonly sets: readonly { readonly name: string; readonly device: string }[];
}

/** The inputs of the sets of a fleet; `targeted` has the rows of devices with a due action. */
export type BlockedInput = Pick<BudgetInput, 'documents' | 'snapshot' | 'members' | 'now'> & {
  readonly targeted: ReadonlySet<number>;
};

/**
 * The sets in which nothing can ever start (semantics B5): all sets of written budgets, and those
 * sets of built-in budgets that block a due action.
 */
export function findBlocked(input: BlockedInput): readonly Blocked[] {
  const approves = activeApprovals(input);
  return listBudgets(input.documents).flatMap((named) => blockedIn(named, approves, input));
}

function blockedIn(
  { budget, name, nameOf }: NamedBudget,
  approves: Approves,
  input: BlockedInput,
): readonly Blocked[] {
  if (budget.maxUnavailable === undefined && budget.minAvailable === undefined) return [];
  const { snapshot, targeted } = input;
  const setsOf = divide(budget, input);
  const found = new Map<string, Blocked>();
  const raised = name === undefined ? () => undefined : raisedBudget(name, budget, input);
  const isBuiltIn = Object.values(BUILT_IN_BUDGETS).includes(budget);
  const rows = isBuiltIn
    ? targeted
    : Array.from({ length: snapshot.devices.length }, (_, row) => row);
  for (const set of allSets(setsOf, rows)) {
    if (set.members === 0) continue;
    const looser = TASK_TYPES.filter(isDisruptive).flatMap((task) => raised(set.last, task) ?? []);
    const why = whyBlocked([budget, ...looser], set, { snapshot, approves });
    if (!why) continue;
    const key = `${nameOf(set)} ${why}`;
    const device = snapshot.devices.at(set.last).id;
    const known = [...input.snapshot.sites, ...input.snapshot.sources].find(
      ({ id }) => id === set.key,
    );
    const sets = [...(found.get(key)?.sets ?? []), { name: known?.name ?? set.key, device }];
    found.set(key, { budget: nameOf(set), why, sets });
  }
  return [...found.values()];
}

/** By the budget as it is written, and as exceptions raise it. */
function whyBlocked(
  [budget, ...looser]: readonly [Budget, ...Budget[]],
  set: BudgetSet,
  { snapshot, approves }: { readonly snapshot: Snapshot; readonly approves: Approves },
): BlockedWhy | undefined {
  const limit = Math.max(...[budget, ...looser].map((one) => allowedDown(one, set)));
  const tooSmall = limit === 0 && budget.maxUnavailable !== undefined && !isWrittenZero(budget);
  if (set.members > 1 && limit > 0) return undefined;
  if (set.members > 1) return tooSmall ? 'percent' : 'never';
  const { deviceType } = snapshot.devices.at(set.last);
  const approved = TASK_TYPES.some((task) => isDisruptive(task) && approves(set.last, task));
  const alone = allowedAlone(budget, set, { deviceType, approved });
  if (alone === 'approval') return tooSmall ? 'percent' : 'approval';
  return alone === 0 ? 'never' : undefined;
}
