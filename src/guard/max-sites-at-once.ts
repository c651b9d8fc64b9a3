import { groupChanges } from './counted.ts';
import type { LimitRule } from './rule.ts';
import { weigh } from './weigh.ts';

/** Counts sites with a counted change. */
export const maxSitesAtOnce: LimitRule = ({ counted, limit, allowances }) => {
  const units = groupChanges(counted, ({ sites }) => sites).values();
  return [weigh({ units, limit, allowances, allowed: (value) => value })];
};
