import type { WishedBudget, Wishes } from '../wishes.ts';
import { fits, isIn, type Member } from './selecting.ts';

/** One set of devices of which so many may be down at once. */
export interface Capped {
  readonly name: string;
  readonly members: readonly Member[];
  /** Infinity where the budget says nothing of devices that are down. */
  readonly mostDown: number;
  /**
   * How many may be in our hands for tasks that leave a camera in service; absent where these count
   * as any other (semantics N44).
   */
  readonly mostInHands?: number;
}

/** In force unless an entry of the same name replaces them (semantics B14). */
const BUILT_IN: Wishes['budgets'] = {
  'default-site': { per: 'site', maxUnavailable: '10%' },
  'default-fleet': { per: 'fleet', maxInFlight: 50 },
};

/** Every set of every budget and redundancy group, with what may be down of it (semantics B12, B13). */
export function cappedSets(wishes: Wishes, fleet: readonly Member[]): readonly Capped[] {
  const budgets = Object.entries({ ...BUILT_IN, ...wishes.budgets });
  const groups = Object.entries(wishes.groups).filter(([, { redundancy }]) => redundancy);
  return [
    ...budgets.flatMap(([name, budget]) => setsOf(name, budget, fleet)),
    ...groups.map(([name, group]) => {
      const members = fleet.filter((member) => isIn(group, member));
      return { name: `groups.${name}`, members, mostDown: aloneOr(members, 1) };
    }),
  ];
}

function setsOf(name: string, budget: WishedBudget, fleet: readonly Member[]): readonly Capped[] {
  const { select, per, maxUnavailable, minAvailable } = budget;
  if (maxUnavailable === undefined && minAvailable === undefined) return [];
  const selected = fleet.filter((member) => select === undefined || fits(select, member));
  const byKey = new Map<string, Member[]>();
  for (const member of selected) {
    const key = per === 'site' ? member.site : 'fleet';
    const members = byKey.get(key) ?? [];
    members.push(member);
    byKey.set(key, members);
  }
  return [...byKey].map(([key, members]) => {
    const size = members.length;
    const down = maxUnavailable === undefined ? Infinity : mostOf(maxUnavailable, per, size);
    const up = minAvailable === undefined ? Infinity : Math.max(0, size - minAvailable);
    const capped = { name: `${name} ${key}`, members };
    const mostDown = aloneOr(members, Math.min(down, up));
    if (maxUnavailable === undefined || size === 1) return { ...capped, mostDown };
    const none =
      typeof maxUnavailable === 'number' ? maxUnavailable === 0 : maxUnavailable === '0%';
    return { ...capped, mostDown, mostInHands: none ? 0 : Math.max(1, down) };
  });
}

/** A set of one that is no camera needs an approval, and nobody approves in a simulation. */
function aloneOr(members: readonly Member[], most: number): number {
  const [only] = members;
  return members.length === 1 && only?.deviceType !== 'camera' ? 0 : most;
}

/** Percents round down, at a site to at least one. */
function mostOf(limit: number | string, per: string, size: number): number {
  if (typeof limit === 'number') return limit;
  const percent = Number(limit.slice(0, -1));
  const share = Math.floor((size * percent) / 100 + 1e-9);
  return per === 'site' && percent > 0 ? Math.max(1, share) : share;
}
