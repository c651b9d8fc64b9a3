import { basename, dirname } from 'node:path';
import type { Shell } from '../../shell/shell.ts';
import { documentsFolder, loadDocuments } from '../documents.ts';
import { readCommit } from '../repository.ts';
import { readDefaultBranch } from './default-branch.ts';

/**
 * The newest commit of the default branch, where a plan is the approval and another commit with other
 * documents is checked out: a job that is run again, or that waited while something was merged. What is
 * approved starts by the newest documents alone, since they may hold, freeze or take back what older
 * ones start (semantics N73). Undefined where the documents are those of the newest commit, or where
 * the remote does not say.
 */
export async function findNewerCommit(shell: Shell, fleet: string): Promise<string | undefined> {
  const { documents } = await loadDocuments(shell, fleet);
  if (documents.service.value.approval.is !== 'plan') return undefined;
  const head = await readCommit(shell, fleet);
  const branch = await readDefaultBranch(shell, documents, { isFetched: true });
  if (!head || branch === 'none' || branch === 'unknown') return undefined;
  const { remoteGit } = await import('../../git/git.ts');
  const folder = documentsFolder(shell, documents);
  const git = remoteGit(dirname(folder), shell.env, { silence: 60_000 });
  const paths = ['--', basename(folder)];
  const { exit } = await git('diff', '--quiet', head.commit, branch.tip, ...paths);
  return exit === 0 ? undefined : branch.tip;
}
