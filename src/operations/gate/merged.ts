import { WorldError } from '../../model/error.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Shell } from '../../shell/shell.ts';
import { type DefaultBranch, defaultHistory } from './default-branch.ts';

/**
 * The commit that is checked out, if it is on the default branch and its documents are unchanged.
 * Throws `commitNotMerged`: what was never merged is neither shown for an approval nor approved
 * (semantics N75).
 */
export async function checkMerged(
  shell: Shell,
  documents: Documents,
  head: { readonly commit: string; readonly dirty: boolean } | undefined,
  branch: DefaultBranch | 'none',
): Promise<string> {
  if (!head) throw new WorldError('commitNotMerged', { why: 'noCommit' });
  const commit = head.commit.slice(0, 12);
  if (head.dirty) throw new WorldError('commitNotMerged', { commit, why: 'dirty' });
  const history = await defaultHistory(shell, documents, branch);
  if (!history.includes(head.commit)) throw new WorldError('commitNotMerged', { commit });
  return head.commit;
}
