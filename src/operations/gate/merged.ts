import { WorldError } from '../../model/error.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Shell } from '../../shell/shell.ts';
import { defaultHistory, type FoundBranch, readDefaultBranch } from './default-branch.ts';

/**
 * The commit that is checked out, if it is on the default branch and its documents are unchanged.
 * Throws `commitNotMerged`: what was never merged is neither shown for an approval nor approved
 * (semantics N75).
 * @param branch the default branch, if it was read before
 */
export async function checkMerged(
  shell: Shell,
  documents: Documents,
  head: { readonly commit: string; readonly dirty: boolean } | undefined,
  branch?: FoundBranch,
): Promise<string> {
  if (!head) throw new WorldError('commitNotMerged', { why: 'noCommit' });
  const commit = head.commit.slice(0, 12);
  if (head.dirty) throw new WorldError('commitNotMerged', { commit, why: 'dirty' });
  const found = branch ?? (await readDefaultBranch(shell, documents, { isFetched: true }));
  if (found === 'unknown') throw new WorldError('commitNotMerged', { commit, why: 'unknown' });
  const history = await defaultHistory(shell, documents);
  if (!history.includes(head.commit)) throw new WorldError('commitNotMerged', { commit });
  return head.commit;
}
