import { KINDS } from '../kinds/index.ts';
import type { IntentState } from '../model/memory.ts';
import type { Documents } from '../model/policy.ts';
import type { Milliseconds } from '../model/time.ts';

/**
 * From the end of a task to `unverified`: as the policy of the intent says it, else as its kind does.
 * The policy may have left the documents since.
 */
export function verifyLimitOf(
  { rotations }: Pick<Documents, 'rotations'>,
  { task, policy }: Pick<IntentState, 'task' | 'policy'>,
): Milliseconds {
  for (const { value } of rotations.values())
    if (value.address === policy && value.verifyWithin !== undefined) return value.verifyWithin;
  return KINDS[task].verifyLimit;
}
