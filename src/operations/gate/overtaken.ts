import { WorldError } from '../../model/error.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { UnmergedBy } from '../../model/ledger/record.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Shell } from '../../shell/shell.ts';
import { documentsFolder } from '../documents.ts';
import { documentsAt, readCommit } from '../repository.ts';
import { readDefaultBranch, requireClear, type DefaultBranch } from './default-branch.ts';

/** The commit by which a run is judged, and whether its documents are still the newest (protocol M8). */
export interface NewestDocuments {
  readonly commit: { readonly commit: string; readonly dirty: boolean } | undefined;
  /** Who starts documents that nobody merged, and why. */
  readonly unmerged?: UnmergedBy;
  /**
   * Whether another commit has other documents now. Looks again where the last look is over five minutes
   * old; throws `branchUnclear` where that fails.
   */
  readonly isOvertaken: () => Promise<boolean>;
}

/** After this time a run looks again before its next batch. */
const LOOK_LASTS: Milliseconds = 5 * 60_000;

/**
 * The newest commit of the default branch, fetched now, whose documents are those of this folder: another
 * commit may hold, freeze or take back what they start, whoever approved it (protocol M8). Throws
 * `documentsNotNewest`, and `branchUnclear`. A ledger in a directory serves one machine: its documents
 * are the newest unless a plan is the approval, and all are where there is no remote.
 */
export async function requireNewest(
  shell: Shell,
  documents: Documents,
  { unmerged }: { readonly unmerged?: UnmergedBy | undefined } = {},
): Promise<NewestDocuments> {
  const folder = documentsFolder(shell, documents);
  const head = await readCommit(shell, folder);
  const { approval, ledger } = documents.service.value;
  const own = { commit: head, isOvertaken: () => Promise.resolve(false) };
  if (!head || (ledger?.store !== 'git' && approval.is === 'commit')) return own;
  const branch = requireClear(await readDefaultBranch(shell, documents, { isFetched: true }));
  if (branch === 'none') return own;
  if (await isSame(shell, documents, branch))
    return {
      commit: { commit: branch.tip, dirty: false },
      isOvertaken: lookAgain(shell, documents, branch),
    };
  if (unmerged && approval.is === 'commit') return { ...own, unmerged };
  throw new WorldError('documentsNotNewest', {
    newest: branch.tip.slice(0, 12),
    ...(head.commit === branch.tip
      ? { why: 'dirty' }
      : { here: head.commit.slice(0, 12), branch: branch.name }),
    ...(approval.is === 'commit' && { unmerged: UNMERGED }),
  });
}

const UNMERGED = '--unmerged --reason R';

/** Whether the newest commit of a branch has these documents. */
async function isSame(
  shell: Shell,
  documents: Documents,
  { tip }: Pick<DefaultBranch, 'tip'>,
): Promise<boolean> {
  const found = await documentsAt(shell, documentsFolder(shell, documents), tip);
  return found.documents?.digest === documents.digest;
}

function lookAgain(
  shell: Shell,
  documents: Documents,
  branch: DefaultBranch,
): NewestDocuments['isOvertaken'] {
  let lookedAt: Instant = shell.clock.now();
  let { tip } = branch;
  return async () => {
    const now = shell.clock.now();
    if (Math.abs(now - lookedAt) <= LOOK_LASTS) return false;
    const found = requireClear(await readDefaultBranch(shell, documents, { isFetched: true }));
    if (found === 'none') return false;
    if (found.tip !== tip && !(await isSame(shell, documents, found))) return true;
    ({ tip } = found);
    lookedAt = now;
    return false;
  };
}
