import type { Memory } from '../../model/ledger/memory.ts';
import type { NewestApproved } from '../../plan/preapproval.ts';
import type { Here } from '../here.ts';
import { type FoundBranch, defaultHistory, readDefaultBranch } from './default-branch.ts';
import { documentsAt } from '../repository.ts';
import { newestApproval, wholeApprovals } from '../../ledger/approval-records.ts';

/**
 * The newest approved commit in the history of the default branch, with its documents (semantics N73).
 * Undefined where the ledger has no approval of a whole plan.
 * @param known the default branch, if it was read before
 */
export async function newestApproved(
  here: Here,
  memory: Memory,
  known?: FoundBranch,
): Promise<NewestApproved | undefined> {
  const plans = wholeApprovals(memory.approvals?.plans);
  const last = plans.at(-1);
  if (!last) return undefined;
  const branch = known ?? (await readDefaultBranch(here));
  const approval = newestApproval(plans, await defaultHistory(here, branch));
  if (!approval) return { is: 'lapsed', commit: last.commit };
  const found = await documentsAt(here, approval.commit);
  return { is: 'known', approval, ...(found.documents && { documents: found.documents }) };
}
