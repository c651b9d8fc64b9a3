import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { Documents, Policy } from '../model/documents/policy.ts';
import type { Sourced } from '../model/documents/source.ts';
import { TASK_TYPES } from '../model/fleet/task.ts';
import { toConflict } from './conflicts.ts';
import { rank } from './precedence.ts';
import { toClaim, toSide } from './resolve-fleet.ts';

/**
 * Ties that the documents prove: two policies for one task with equal priority, different outcomes
 * and the same selector, or one that selects everything (semantics L-conflict, at `validate`). A
 * policy with a higher priority may resolve a tie, so then nothing is reported.
 */
export function sureConflicts(documents: Documents): readonly Diagnostic[] {
  const { firmware, rotations, onboarding, restarts } = documents;
  const all: readonly Sourced<Policy>[] = [firmware, rotations, onboarding, restarts].flatMap(
    (section): readonly Sourced<Policy>[] => [...section.values()],
  );
  return TASK_TYPES.flatMap((task) => tiesIn(all.filter(({ value }) => value.task === task)));
}

function tiesIn(policies: readonly Sourced<Policy>[]): readonly Diagnostic[] {
  const highest = Math.max(...policies.map(({ value }) => value.priority));
  const top = policies.filter(({ value }) => value.priority === highest);
  const selectors = top.map(({ value }) =>
    value.select ? JSON.stringify(value.select) : undefined,
  );
  const pairs = top.flatMap((one, first) =>
    top.slice(first + 1).flatMap((other, index) => {
      const [mine, theirs] = [selectors[first], selectors[first + 1 + index]];
      const overlap = mine !== undefined && theirs !== undefined;
      const sure = overlap && (mine === theirs || mine === EVERYTHING || theirs === EVERYTHING);
      return sure ? [[toClaim(one), toClaim(other)] as const] : [];
    }),
  );
  return pairs.flatMap((pair) =>
    rank(pair).ties.map(([one, other]) => toConflict([toSide(one), toSide(other)])),
  );
}

const EVERYTHING = JSON.stringify({ device: ['*'] });
