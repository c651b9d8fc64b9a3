import { basename, dirname } from 'node:path';
import type { Documents } from '../../model/documents/policy.ts';
import type { Shell } from '../../shell/shell.ts';
import { documentsFolder } from '../documents.ts';
import { commitsSince } from './default-branch.ts';

/** How many commits are asked for their requests: the newest. */
const MOST_COMMITS = 50;

/**
 * The requests merged since a commit, oldest first, as `#7`: from the forge in a job, else from the
 * subjects of the commits. A commit without one is named by its ID.
 */
export async function mergedSince(
  shell: Shell,
  documents: Documents,
  range: { readonly from?: string | undefined; readonly to: string },
): Promise<readonly string[]> {
  const commits = await commitsToApprove(shell, documents, range);
  const pulls = new Set<string>();
  const ask = await openForge(shell);
  try {
    for (const { commit, subject } of commits)
      for (const pull of (await ask?.pulls(commit)) ?? numbersIn(subject, commit)) pulls.add(pull);
  } finally {
    await ask?.close();
  }
  return [...pulls];
}

/**
 * The commits that no gate has seen, oldest first, and of many the newest: those after the last approved
 * one; before the first approval those since the documents first asked for gates (semantics N74, N79).
 */
export async function commitsToApprove(
  shell: Shell,
  documents: Documents,
  { from, to }: { readonly from?: string | undefined; readonly to: string },
): Promise<readonly { readonly commit: string; readonly subject: string }[]> {
  const start = from ?? (await firstGated(shell, documents, to));
  const commits = await commitsSince(shell, documents, { from: start, to });
  return commits.slice(-MOST_COMMITS);
}

/** The commit before the first one that mentions approvals, or `''` if that is the first of all. */
async function firstGated(
  shell: Shell,
  documents: Documents,
  to: string,
): Promise<string | undefined> {
  const { remoteGit } = await import('../../git/git.ts');
  const folder = documentsFolder(shell, documents);
  const git = remoteGit(dirname(folder), shell.env, { silence: 60_000 });
  const which = ['--first-parent', '-m', '-Gapproval', '--format=%P'];
  const { out, exit } = await git('log', ...which, to, '--', basename(folder));
  const parents = out.split('\n').slice(0, -1);
  return exit === 0 ? parents.at(-1)?.split(' ')[0] : undefined;
}

function numbersIn(subject: string, commit: string): readonly string[] {
  const [, merged, squashed] = /^Merge pull request (#\d+) |\((#\d+)\)$/.exec(subject) ?? [];
  return [merged ?? squashed ?? commit.slice(0, 12)];
}

/** The source of the requests of a commit; undefined outside of a job. */
interface RequestSource {
  pulls(commit: string): Promise<readonly string[] | undefined>;
  close(): Promise<void>;
}

async function openForge(shell: Shell): Promise<RequestSource | undefined> {
  const { isJob, openJob } = await import('../job.ts');
  if (!isJob(shell.env)) return undefined;
  const job = await openJob(shell);
  return {
    async pulls(commit) {
      const found = await job.forge.mergedRequests(commit).catch(() => []);
      return found.length === 0 ? undefined : found.map(({ name }) => name);
    },
    close: () => job.close(),
  };
}
