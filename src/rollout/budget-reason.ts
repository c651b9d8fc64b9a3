import type { Reason } from '../model/reason.ts';
import type { Refusal } from './book.ts';

/**
 * A refusal as the reason of a change that waits: step 17 of the decision order, or 13 where a set
 * of one wants an approval.
 */
export function reasonOf({ budget, scope, blocked }: Refusal): Reason {
  const params = { budget, scope };
  if (blocked === 'approval')
    return { code: 'approvalPending', why: 'singleton', next: 'never', params };
  if (blocked === 'never')
    return { code: 'budgetExhausted', why: 'noRoomEver', next: 'never', params };
  return { code: 'budgetExhausted', params };
}
