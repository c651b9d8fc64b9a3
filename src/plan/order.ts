import { KINDS } from '../kinds/index.ts';
import { seedOf, type Documents } from '../model/documents/policy.ts';
import { compareTexts } from '../lib/text-order.ts';
import { listPolicies } from '../model/documents/policies.ts';

/**
 * The total order of a plan: in it changes are listed, and shares of budgets are given out.
 *
 * 1. task: rotations that are expedited, certificates inside their `expiryGuard`, passwords, other
 *    certificates, firmware, restarts, onboarding (semantics K22)
 * 2. priority of the policy, highest first
 * 3. address of the policy
 * 4. wave of its rollout
 * 5. device id, by code unit
 *
 * 1 to 3 are the rank of the policy, 5 is the device's row in its sorted list.
 */
export function planOrder(keys: readonly number[]): Uint32Array {
  return Uint32Array.from(keys, (_, index) => index).sort(
    (a, b) => (keys[a] ?? 0) - (keys[b] ?? 0),
  );
}

/**
 * The position of a change in the total order, from the rank of its policy and the row of its
 * device.
 */
export function orderKey(rank: number, row: number, wave = 0): number {
  return (rank * WAVES + wave) * ROWS + row;
}

/**
 * Larger than the rows of a list and the waves of a rollout; ranks times these stay exact in a
 * double.
 */
const ROWS = 2 ** 26;
const WAVES = 2 ** 7;

/** The rank of each policy by its address, from 1. */
export function rankPolicies(documents: Documents): ReadonlyMap<string, number> {
  const sorted = listPolicies(documents)
    .map(({ value }) => value)
    .sort(
      (a, b) =>
        KINDS[a.task].rank - KINDS[b.task].rank ||
        b.priority - a.priority ||
        compareTexts(seedOf(a), seedOf(b)),
    );
  return new Map(sorted.map(({ address }, rank) => [address, rank + 1]));
}

/** Changes that are more urgent than the rest of their policy. */
export type Urgency = 'expedited' | 'expiring' | 'none';

/**
 * The rank of a policy for urgent changes: before every other, in the normal order among
 * themselves.
 */
export function urgently(rank: number, urgency: Urgency): number {
  return rank - AHEAD[urgency] * MANY;
}

const AHEAD: Readonly<Record<Urgency, number>> = { expedited: 2, expiring: 1, none: 0 };

/** Larger than the number of policies. */
const MANY = 2 ** 19;
