import { groupChanges } from './counted.ts';
import type { Limit } from './limit.ts';
import { countsBetween } from './tally.ts';
import { weigh } from './weigh.ts';

/** Counts sites with a counted change. */
export const maxSitesAtOnce: Limit = {
  judge({ counted, limit, allowances }) {
    const units = groupChanges(counted, ({ sites }) => sites).values();
    return [weigh({ units, limit, allowances, allowed: (value) => value })];
  },
  follows: (verdict, { sites }) =>
    verdict.allowed === verdict.value && countsBetween(verdict, ...sites),
};
