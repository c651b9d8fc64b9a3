import type { Limit } from './limit.ts';
import { countsBetween } from './recount.ts';
import { weigh } from './weigh.ts';

/** Counts the changes of one plan, onboarding included. */
export const maxChanges: Limit = {
  judge({ counted, limit, allowances }) {
    const units = counted.map((change) => [change]);
    return [weigh({ units, limit, allowances, allowed: (value) => value })];
  },
  follows(verdict, { counted }) {
    const changes = [...counted].length;
    return verdict.allowed === verdict.value && countsBetween(verdict, changes, changes);
  },
};
