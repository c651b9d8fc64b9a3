import { blameLines, lastToMove, type BlamedAt, type MovedIn, type WantedLines } from './blame.ts';
import { merge, type Merge, type MergeSides } from './merge.ts';
import { withScratch } from './scratch.ts';
import { scopeTrailers, type RequestCommits } from './scope-trailers.ts';
import { localGit, resolved, said, type Env, type Git } from './git.ts';
import { readContents } from './contents.ts';
import { filesAt } from './tree.ts';

/**
 * Opens the repository around a folder, read with the installed git. Outside a repository or
 * without git every result is undefined, since a plan works in any folder. `own` is added to git's
 * environment.
 */
export function openRepository(
  folder: string,
  env: Env,
  own: Readonly<Record<string, string>> = {},
) {
  const gitWith = (more: Readonly<Record<string, string>>, objects?: readonly string[]): Git =>
    localGit(folder, env, { more: { ...own, ...more }, ...(objects && { objects }) });
  const git = (objects?: readonly string[]): Git => gitWith({}, objects);
  return {
    /** The commit, and whether files below some paths have changed since; below this folder without any. */
    head: (paths?: readonly string[]) => orUndefined(() => readHead(gitWith, paths)),
    /** `user.name` of git. */
    user: async () => (await git()('config', '--get', 'user.name')).out.trim() || undefined,
    /** The full ID of the commit of a branch, tag or short ID. */
    commitAt: (ref: string) => resolved(git(), `${ref}^{commit}`),
    filesAt: (ref: string, below: string) => orUndefined(() => filesAt(git, ref, below)),
    /** The texts of files by the IDs of their contents, without those that the clone does not have. */
    contents: (ids: readonly string[]) => readContents(git, ids),
    /** Calls `use` with the result of merging a branch into its base; what git wrote for it is removed afterwards. */
    withMerge: <T>(sides: MergeSides, use: (merged: Merge) => Promise<T>) =>
      withScratch('merge', async (scratch) => use(await merge(gitWith, sides, scratch))),
    scopeTrailers: (request: RequestCommits) => scopeTrailers(git(), request),
    lastToMove: (text: string, at: MovedIn) => orUndefined(() => lastToMove(git(), text, at)),
    blame: (lines: WantedLines, at: BlamedAt) => orUndefined(() => blameLines(git(), lines, at)),
  };
}

/**
 * When git checks for changes it runs a filter that the clone names for each changed file. A plan runs no program of the
 * repository, so these are disabled.
 */
async function readHead(
  gitWith: (more: Readonly<Record<string, string>>) => Git,
  paths: readonly string[] = ['.'],
): Promise<{ commit: string; dirty: boolean }> {
  const all = (await said(gitWith({}), 'config', '--list', '--name-only', '-z')).split('\0');
  const off = switchedOff(all.filter((key) => key.startsWith('filter.')));
  const how = ['--porcelain=v2', '--branch', '--no-ahead-behind', '--untracked-files=all'];
  const out = await said(gitWith(off), 'status', ...how, '--', ...paths);
  const [, commit] = /^# branch\.oid (\w+)$/m.exec(out) ?? [];
  if (commit === undefined) throw new Error('There is no commit');
  return { commit, dirty: /^[^#\n]/m.test(out) };
}

/** Passed in the environment: a filter name may contain characters that separate arguments. */
function switchedOff(filters: readonly string[]): Readonly<Record<string, string>> {
  const pairs = filters.flatMap((key, n) => [
    [`GIT_CONFIG_KEY_${n}`, key],
    [`GIT_CONFIG_VALUE_${n}`, key.endsWith('.required') ? 'false' : ''],
  ]);
  return { GIT_CONFIG_COUNT: String(filters.length), ...Object.fromEntries(pairs) };
}

async function orUndefined<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}
