import type { LimitRule } from './rule.ts';
import { weigh } from './weigh.ts';

/** Counts the changes of one plan, onboarding included. */
export const maxChanges: LimitRule = ({ counted, limit, allowances }) => {
  const units = counted.map((change) => [change]);
  return [weigh({ units, limit, allowances, allowed: (value) => value })];
};
