import { basename, dirname } from 'node:path';
import { WorldError } from '../../model/error.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Shell } from '../../shell/shell.ts';
import { documentsFolder, loadDocuments } from '../documents.ts';
import { readCommit } from '../repository.ts';
import { readDefaultBranch } from './default-branch.ts';

/**
 * How the documents compare with those of the newest commit of the default branch. `newest`: they are
 * the same. `newer`: that commit has others. `unknown`: the default branch is not known, or cannot be
 * fetched.
 */
export type ComparedWithNewest =
  { readonly is: 'newest' | 'unknown' } | { readonly is: 'newer'; readonly commit: string };

/**
 * Compares the documents of a folder with the newest ones, where a plan is the approval: in a job that
 * is run again, or that waited while something was merged. What is approved starts by the newest
 * documents alone, since they may hold, freeze or take back what older ones start (semantics N73). They
 * are the newest where the commit is the approval, and where there is no remote.
 */
export async function compareWithNewest(shell: Shell, fleet: string): Promise<ComparedWithNewest> {
  const { documents } = await loadDocuments(shell, fleet);
  const head = await readCommit(shell, fleet);
  return compareCommit(shell, documents, head?.commit);
}

async function compareCommit(
  shell: Shell,
  documents: Documents,
  commit: string | undefined,
): Promise<ComparedWithNewest> {
  if (documents.service.value.approval.is !== 'plan' || commit === undefined)
    return { is: 'newest' };
  const branch = await readDefaultBranch(shell, documents, { isFetched: true });
  if (branch === 'none') return { is: 'newest' };
  if (branch === 'unknown') return { is: 'unknown' };
  const { remoteGit } = await import('../../git/git.ts');
  const folder = documentsFolder(shell, documents);
  const git = remoteGit(dirname(folder), shell.env, { silence: 60_000 });
  const paths = ['--', basename(folder)];
  const { exit } = await git('diff', '--quiet', commit, branch.tip, ...paths);
  return exit === 0 ? { is: 'newest' } : { is: 'newer', commit: branch.tip };
}

/**
 * The same for a run by hand, where the work tree may have changes that are not merged. Throws
 * `documentsNotNewest`.
 * @returns `unknown` where the default branch is not known, or cannot be fetched
 */
export async function checkNewest(
  shell: Shell,
  documents: Documents,
  head: { readonly commit: string; readonly dirty: boolean } | undefined,
): Promise<'newest' | 'unknown'> {
  const compared = await compareCommit(shell, documents, head?.commit);
  if (compared.is === 'newer')
    throw new WorldError('documentsNotNewest', { newest: compared.commit.slice(0, 12) });
  if (head?.dirty === true && documents.service.value.approval.is === 'plan')
    throw new WorldError('documentsNotNewest', { why: 'dirty' });
  return compared.is;
}
