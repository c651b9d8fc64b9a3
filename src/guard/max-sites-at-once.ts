import { groupByEach } from '../lib/group-by.ts';
import type { Limit } from './limit.ts';
import { countsBetween } from './recount.ts';
import { weigh } from './weigh.ts';

/** Counts sites with a counted change. A saved plan has their names, and several sites may share one. */
export const maxSitesAtOnce: Limit = {
  judge({ counted, limit, allowances }) {
    const units = groupByEach(counted, ({ sites }) => sites).values();
    return [weigh({ units, limit, allowances, allowed: (value) => value })];
  },
  follows(verdict, { counted }) {
    const single = new Set<string>();
    let most = 0;
    for (const { sites } of counted) {
      most += sites.length;
      if (sites.length === 1) single.add(sites.join());
    }
    const least = Math.max(single.size, Math.min(1, most));
    return verdict.allowed === verdict.value && countsBetween(verdict, least, most);
  },
};
