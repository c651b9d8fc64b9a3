import type { Budget, Limit } from '../model/policy.ts';
import type { Snapshot } from '../model/snapshot.ts';

/**
 * One set of devices that a budget counts on its own: a site, the devices without one, or the
 * fleet.
 */
export interface BudgetSet {
  readonly key: string;
  members: number;
  down: number;
  inFlight: number;
}

/**
 * Which sets of a budget the device in a row is counted in; none where the budget does not select
 * it. A device that is not managed yet has no row: it is in the fleet of a budget for every device,
 * and in no other set.
 */
export type SetsOf = (row: number | undefined) => readonly BudgetSet[];

/** The set of devices whose site cannot be read. */
export const UNKNOWN_SITE = 'unknown';

/** Divides the devices that a budget selects into its sets, with the number of members of each. */
export function divide(
  budget: Budget,
  snapshot: Snapshot,
  isMember: (row: number) => boolean,
): SetsOf {
  const setsOf = budget.per === 'fleet' ? wholeFleet() : bySite(snapshot);
  const member = new Uint8Array(snapshot.devices.length);
  for (let row = 0; row < member.length; row++) {
    if (!isMember(row)) continue;
    member[row] = 1;
    for (const set of setsOf(row)) set.members++;
  }
  const strangers = budget.per === 'fleet' && !budget.select ? setsOf(undefined) : [];
  return (row) => {
    if (row === undefined) return strangers;
    return member[row] === 1 ? setsOf(row) : [];
  };
}

/**
 * How many devices of a set may be down. A percent rounds down, at `per: site` to at least 1 unless
 * it is written 0. Devices without a readable site may be many sites: at most one of them is ever
 * down.
 */
export function allowedDown(budget: Budget, set: BudgetSet): number {
  const allowed = Math.min(
    budget.maxUnavailable ? mostOf(budget.maxUnavailable, budget, set) : Infinity,
    budget.minAvailable === undefined ? Infinity : Math.max(0, set.members - budget.minAvailable),
  );
  return budget.per === 'site' && set.key === UNKNOWN_SITE ? Math.min(1, allowed) : allowed;
}

function mostOf(limit: Limit, budget: Budget, set: BudgetSet): number {
  if ('count' in limit) return limit.count;
  const share = Math.floor(Math.round(set.members * limit.percent * 100) / 10_000);
  return budget.per === 'site' && limit.percent > 0 ? Math.max(1, share) : share;
}

function wholeFleet(): SetsOf {
  const sets = [createSet('fleet')];
  return () => sets;
}

/**
 * Sites are interned in the table, so the sets of a row are found by a code and made once for each.
 */
function bySite(snapshot: Snapshot): SetsOf {
  const { values, codes } = snapshot.devices.sites;
  const bySiteId = new Map<string, BudgetSet>();
  const setOf = (key: string): BudgetSet => {
    const set = bySiteId.get(key) ?? createSet(key);
    bySiteId.set(key, set);
    return set;
  };
  const unknown = [createSet(UNKNOWN_SITE)];
  const byCode = values.map((sites) =>
    sites.length === 0 ? unknown : [...new Set(sites.map((site) => setOf(site.id)))],
  );
  return (row) => byCode[codes[row ?? 0] ?? 0] ?? unknown;
}

function createSet(key: string): BudgetSet {
  return { key, members: 0, down: 0, inFlight: 0 };
}
