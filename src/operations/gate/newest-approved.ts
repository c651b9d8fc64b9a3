import type { Documents } from '../../model/documents/policy.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { NewestApproved } from '../../plan/preapproval.ts';
import type { Shell } from '../../shell/shell.ts';
import { documentsFolder } from '../documents.ts';
import type { FoundBranch } from './default-branch.ts';
import { documentsAt } from '../repository.ts';

/**
 * The newest approved commit in the history of the default branch, with its documents (semantics N73).
 * Undefined where the ledger has no approval of a whole plan.
 * @param known the default branch, if it was read before
 */
export async function newestApproved(
  shell: Shell,
  documents: Documents,
  memory: Memory,
  known?: FoundBranch,
): Promise<NewestApproved | undefined> {
  const [{ newestApproval, wholeApprovals }, { defaultHistory, readDefaultBranch }] =
    await Promise.all([import('../../ledger/approval-records.ts'), import('./default-branch.ts')]);
  const plans = wholeApprovals(memory.approvals?.plans);
  const last = plans.at(-1);
  if (!last) return undefined;
  const branch = known ?? (await readDefaultBranch(shell, documents));
  const approval = newestApproval(plans, await defaultHistory(shell, documents, branch));
  if (!approval) return { is: 'lapsed', commit: last.commit };
  const folder = documentsFolder(shell, documents);
  const found = await documentsAt(shell, folder, approval.commit);
  return { is: 'known', approval, ...(found.documents && { documents: found.documents }) };
}
