import type { Change } from '../../model/plan/change.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import { isOpen } from '../../rollout/budgets/down.ts';
import type { Counter } from './caps.ts';

/** Devices of one policy whose credential is of unknown age: so many at a time (semantics R10). */
const AT_ONCE = 5;

/** What the pace of rotations goes by. */
export interface AgeInput {
  readonly memory: Memory;
  /** Nobody knows how old the credential is, and nobody has called for it to be rotated at once. */
  readonly isOfUnknownAge: (change: Change) => boolean;
}

/**
 * Keeps rotations of unknown age at the pace of a canary, for they are all due at once: what is in
 * flight for their policy counts, whatever its age.
 */
export function canaryPace({ memory, isOfUnknownAge }: AgeInput): Counter {
  const taken = new Map<string, number>();
  for (const { policy } of memory.open().filter(isOpen))
    taken.set(policy, (taken.get(policy) ?? 0) + 1);
  return {
    refuses: (change) =>
      (taken.get(change.policy) ?? 0) >= AT_ONCE && isOfUnknownAge(change)
        ? { code: 'waveNotOpen', why: 'canaryPace', params: { most: AT_ONCE } }
        : undefined,
    count(change) {
      const { policy } = change;
      if (isOfUnknownAge(change)) taken.set(policy, (taken.get(policy) ?? 0) + 1);
    },
  };
}
