import type { Documents } from '../../model/documents/policy.ts';
import type { Shell } from '../../shell/shell.ts';
import { commitsSince } from './default-branch.ts';

/** How many commits are asked for their requests: the newest. */
export const MOST_COMMITS = 50;

/**
 * The requests merged since a commit, oldest first, as `#7`: from the forge in a job, else from the
 * subjects of the commits. A commit without one is named by its ID.
 */
export async function mergedSince(
  shell: Shell,
  documents: Documents,
  range: { readonly from?: string | undefined; readonly to: string },
): Promise<readonly string[]> {
  const commits = (await commitsSince(shell, documents, range)).slice(-MOST_COMMITS);
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

function numbersIn(subject: string, commit: string): readonly string[] {
  const [, merged, squashed] = /^Merge pull request (#\d+) |\((#\d+)\)$/.exec(subject) ?? [];
  return [merged ?? squashed ?? commit.slice(0, 12)];
}

/** Where the requests of a commit come from; undefined outside of a job. */
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
