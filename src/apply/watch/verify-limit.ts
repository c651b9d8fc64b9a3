import type { IntentState } from '../../model/ledger/memory.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Milliseconds } from '../../lib/time.ts';
import { timeoutsOf } from './timeouts.ts';

/**
 * From the end of a task to `unverified`: as the policy of the intent says it, else as its rollout does.
 * The policy may have left the documents since.
 */
export function verifyLimitOf(
  documents: Documents,
  { task, policy }: Pick<IntentState, 'task' | 'policy'>,
): Milliseconds {
  for (const { value } of documents.rotations.values())
    if (value.address === policy && value.verifyWithin !== undefined) return value.verifyWithin;
  return timeoutsOf(documents, { policy }).verify[task];
}
