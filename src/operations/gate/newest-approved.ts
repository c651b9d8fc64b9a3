import { basename, dirname } from 'node:path';
import type { Documents } from '../../model/documents/policy.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { NewestApproved } from '../../plan/preapproval.ts';
import type { Shell } from '../../shell/shell.ts';
import { documentsFolder } from '../documents.ts';
import { documentsAt } from '../repository.ts';

/**
 * The newest approved commit in the history of the default branch, with its documents (semantics N73),
 * and the commit that turned approvals on since (semantics N70). Undefined where the ledger has no
 * approval of a whole plan and no merged commit asks for one.
 */
export async function newestApproved(
  shell: Shell,
  documents: Documents,
  memory: Memory,
): Promise<NewestApproved | undefined> {
  const [{ newestApproval, wholeApprovals }, { defaultHistory }] = await Promise.all([
    import('../../ledger/approval-records.ts'),
    import('./default-branch.ts'),
  ]);
  const plans = wholeApprovals(memory.approvals?.plans);
  const last = plans.at(-1);
  if (!last) {
    const gated = await gatedSince(shell, documents);
    return gated === undefined ? undefined : { is: 'none', gated };
  }
  const approval = newestApproval(plans, await defaultHistory(shell, documents));
  if (!approval) return { is: 'lapsed', commit: last.commit };
  const folder = documentsFolder(shell, documents);
  const found = await documentsAt(shell, folder, approval.commit);
  const gated = await gatedSince(shell, documents, approval.commit);
  return {
    is: 'known',
    approval,
    ...(found.documents && { documents: found.documents }),
    ...(gated !== undefined && { gated }),
  };
}

/** A change of `service.approval`, of a policy's `approval`, or of a text about either. */
const MENTIONED = '-Gapproval';

/** How many such commits are looked at, newest first. */
const MOST = 50;

/**
 * The newest commit of the default branch, after an approved one, whose documents say `approval: plan`
 * where those of now say `commit`. Such a commit asked for gates, and none has let it go since.
 */
async function gatedSince(
  shell: Shell,
  documents: Documents,
  from?: string,
): Promise<string | undefined> {
  if (documents.service.value.approval.is === 'plan') return undefined;
  const [{ readDefaultBranch, newestTip }, { remoteGit }] = await Promise.all([
    import('./default-branch.ts'),
    import('../../git/git.ts'),
  ]);
  const folder = documentsFolder(shell, documents);
  const tip = newestTip(await readDefaultBranch(shell, documents));
  const git = remoteGit(dirname(folder), shell.env, { silence: 60_000 });
  const range = from === undefined ? tip : `${from}..${tip}`;
  const which = ['--first-parent', '-m', `--max-count=${MOST}`, MENTIONED];
  const { out, exit } = await git('log', '--format=%H %P', ...which, range, '--', basename(folder));
  if (exit !== 0) return undefined;
  // Each with its parent: the commit that wrote `plan` can be invalid, and a later commit corrects it.
  const sides = out.split('\n').flatMap((line) => line.split(' ').slice(0, 2));
  for (const commit of new Set(sides.filter((side) => side !== ''))) {
    const found = await documentsAt(shell, folder, commit);
    if (found.documents?.service.value.approval.is === 'plan') return commit;
  }
  return undefined;
}
