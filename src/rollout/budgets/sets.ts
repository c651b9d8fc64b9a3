import type { Budget, BudgetLimit } from '../../model/documents/policy.ts';
import { type Divided, setsPer, UNKNOWN_SITE, type BudgetSet, type SetsOf } from './division.ts';

/**
 * Divides the devices that a budget selects into sets and counts the members of each. A device that
 * is not managed yet has no row: it is in the fleet set of a budget for every device, and in no
 * other set. A device that may be a member is in its sets too, but adds no member: it counts when
 * it is down, and it raises no percentage (semantics B15).
 */
export function divide(budget: Budget, fleet: Divided): SetsOf {
  const { of: setsOf, perhaps } = setsPer(budget.per, fleet);
  const membershipOf = budget.select ? fleet.members(budget.select) : () => true;
  const member = new Uint8Array(fleet.snapshot.devices.length);
  for (let row = 0; row < member.length; row++) {
    const isMember = membershipOf(row);
    if (isMember === false) continue;
    member[row] = 1;
    if (isMember === true) for (const set of setsOf(row)) count(set, row);
  }
  const strangers = budget.select ? [] : setsOf(undefined);
  return (row) => {
    if (row === undefined) return strangers;
    if (member[row] === 0) return [];
    const open = perhaps(row);
    return open.length === 0 ? setsOf(row) : [...setsOf(row), ...open];
  };
}

/** Every set that contains a device of these rows, once. */
export function allSets(setsOf: SetsOf, rows: Iterable<number>): ReadonlySet<BudgetSet> {
  const sets = new Set<BudgetSet>();
  for (const row of rows) for (const set of setsOf(row)) sets.add(set);
  return sets;
}

/**
 * How many devices of a set may be down. A percentage rounds down; with `per: site` it is at least
 * 1 unless it is written as 0. Devices without a readable site may belong to many sites: at most
 * one of them may be down.
 */
export function allowedDown(budget: Budget, set: BudgetSet): number {
  const allowed = Math.min(
    budget.maxUnavailable ? maximumDown(budget.maxUnavailable, budget, set) : Infinity,
    budget.minAvailable === undefined ? Infinity : Math.max(0, set.members - budget.minAvailable),
  );
  return budget.per === 'site' && set.key === UNKNOWN_SITE ? Math.min(1, allowed) : allowed;
}

/**
 * How many devices of a set may be in our hands for a task that leaves its device in service
 * (semantics N44): as many as may be down, at least 1 where a percentage rounds down to 0.
 */
export function allowedInHands(budget: Budget, set: BudgetSet): number {
  if (budget.maxUnavailable === undefined) return Infinity;
  return isWrittenZero(budget) ? 0 : Math.max(1, allowedDown(budget, set));
}

/** Whether the limit is written as 0, whatever the size of the set. */
export function isWrittenZero({ maxUnavailable }: Budget): boolean {
  if (!maxUnavailable) return false;
  return ('count' in maxUnavailable ? maxUnavailable.count : maxUnavailable.percent) === 0;
}

function maximumDown(limit: BudgetLimit, budget: Budget, set: BudgetSet): number {
  if ('count' in limit) return limit.count;
  const share = Math.floor(Math.round(set.members * limit.percent * 100) / 10_000);
  return budget.per === 'site' && limit.percent > 0 ? Math.max(1, share) : share;
}

function count(set: BudgetSet, row: number): void {
  set.members++;
  set.last = row;
}
