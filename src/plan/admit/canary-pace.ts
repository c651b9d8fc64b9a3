import type { Change } from '../../model/plan/change.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { isOpen } from '../../rollout/budgets/down.ts';

/** Devices of one policy whose credential is of unknown age: so many at a time (semantics R10). */
const AT_ONCE = 5;

/** Whether a change may start now, and that it does. */
export interface CanaryPace {
  refuses(change: Change): Reason | undefined;
  count(change: Change): void;
}

/**
 * Keeps rotations of unknown age at the pace of a canary, for they are all due at once: what is in
 * flight for their policy counts, whatever its age.
 */
export function canaryPace(memory: Memory): CanaryPace {
  const taken = new Map<string, number>();
  for (const { policy } of memory.open().filter(isOpen))
    taken.set(policy, (taken.get(policy) ?? 0) + 1);
  return {
    refuses: ({ at, reason }) =>
      reason.why === 'ageUnknown' && (taken.get(at.policy) ?? 0) >= AT_ONCE
        ? { code: 'waveNotOpen', why: 'canaryPace', params: { most: AT_ONCE } }
        : undefined,
    count({ at, reason }) {
      if (reason.why === 'ageUnknown') taken.set(at.policy, (taken.get(at.policy) ?? 0) + 1);
    },
  };
}
