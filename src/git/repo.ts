import { simpleGit, type SimpleGit } from 'simple-git';
import { blameLines, lastToMove, type BlamedAt, type MovedIn, type WantedLines } from './blame.ts';
import { merge, type Merge, type MergeSides } from './merge.ts';
import { withScratch } from './scratch.ts';
import { scopeTrailers, type RequestCommits } from './scope-trailers.ts';
import { ENDING } from './ending.ts';
import { readContents } from './contents.ts';
import { filesAt } from './tree.ts';

/** Variables that git may see. Everything else, above all credentials, is withheld. */
export const ALLOWED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'SYSTEMROOT', 'USERPROFILE'];
const OWN = { GIT_OPTIONAL_LOCKS: '0', GIT_NO_REPLACE_OBJECTS: '1' };

/**
 * Opens the repository around a folder, read with the installed git. Outside a repository or
 * without git every result is undefined, since a plan works in any folder. `own` is added to git's
 * environment.
 */
export function openRepository(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>> = {},
) {
  const gitWith = (more: Readonly<Record<string, string>>, stdin?: string): SimpleGit => {
    const all = { ...allowedEnvironment(env), ...own, ...more };
    return simpleGit({
      baseDir: folder,
      input: () => stdin,
      abort: ENDING,
      allowEnvironment: Object.keys(all),
      unsafe: {
        allowUnsafeConfigEnvCount: true,
        allowUnsafeFsMonitor: true,
        allowUnsafeFilter: true,
      },
    }).env(all);
  };
  const git = (stdin?: string): SimpleGit => gitWith({}, stdin);
  return {
    /** The commit, and whether files below some paths have changed since; below this folder without any. */
    head: (paths?: readonly string[]) => orUndefined(() => readHead(gitWith, paths)),
    /** `user.name` of git. */
    user: () =>
      orUndefined(
        async () => (await git().raw('config', '--get', 'user.name')).trim() || undefined,
      ),
    /** The full ID of the commit of a branch, tag or short ID. */
    commitAt: (ref: string) => orUndefined(() => readCommit(git(), ref)),
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

function allowedEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const allowed = ALLOWED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return { ...(Object.fromEntries(allowed) as Record<string, string>), ...OWN };
}

/**
 * When git checks for changes it runs programs that the clone names: a file monitor, and a filter
 * for each changed file. A plan runs no program of the repository, so these are disabled.
 */
async function readHead(
  gitWith: (env: Readonly<Record<string, string>>) => SimpleGit,
  paths: readonly string[] = ['.'],
): Promise<{ commit: string; dirty: boolean }> {
  const git = gitWith({});
  const all = (await git.raw('config', '--list', '--name-only', '-z')).split('\0');
  const off = switchedOff(all.filter((key) => key.startsWith('filter.')));
  const how = ['--porcelain=v2', '--branch', '--no-ahead-behind', '--untracked-files=all'];
  const out = await gitWith(off).raw('status', ...how, '--', ...paths);
  const [, commit] = /^# branch\.oid (\w+)$/m.exec(out) ?? [];
  if (commit === undefined) throw new Error('There is no commit');
  return { commit, dirty: /^[^#\n]/m.test(out) };
}

/** Passed in the environment: a filter name may contain characters that separate arguments. */
function switchedOff(filters: readonly string[]): Readonly<Record<string, string>> {
  const off = filters.map((key) => [key, key.endsWith('.required') ? 'false' : '']);
  const all = [['core.fsmonitor', 'false'], ...off];
  const pairs = all.flatMap(([key = '', value = ''], n) => [
    [`GIT_CONFIG_KEY_${n}`, key],
    [`GIT_CONFIG_VALUE_${n}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(all.length), ...Object.fromEntries(pairs) };
}

/** A name that starts like an option is refused. */
async function readCommit(git: SimpleGit, ref: string): Promise<string> {
  const found = await git.raw('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`);
  return found.trim();
}

async function orUndefined<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}
