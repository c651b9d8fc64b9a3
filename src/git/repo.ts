import { simpleGit, type SimpleGit } from 'simple-git';
import type { GitPort } from '../model/ports.ts';
import { blameLines, lastToMove } from './blame.ts';
import { withMerge } from './merge.ts';
import { ENDING } from './ending.ts';
import { filesAt } from './tree.ts';

/** Variables that git may see; everything else, credentials above all, stays with us. */
export const ALLOWED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'SYSTEMROOT', 'USERPROFILE'];
const OWN = { GIT_OPTIONAL_LOCKS: '0', GIT_NO_REPLACE_OBJECTS: '1' };

/**
 * The repository around a folder, read through the git of the machine. Outside a repository, or without git,
 * every answer is undefined: a plan can be made from any folder. `own` is added to what git sees in its environment.
 */
export function openRepository(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>> = {},
): GitPort {
  const gitWith = (more: Readonly<Record<string, string>>): SimpleGit => {
    const all = { ...allowedOf(env), ...own, ...more };
    return simpleGit({
      baseDir: folder,
      abort: ENDING,
      allowEnvironment: Object.keys(all),
      unsafe: {
        allowUnsafeConfigEnvCount: true,
        allowUnsafeFsMonitor: true,
        allowUnsafeFilter: true,
      },
    }).env(all);
  };
  const git = (): SimpleGit => gitWith({});
  return {
    root: () => orUndefined(async () => (await git().raw('rev-parse', '--show-toplevel')).trim()),
    head: () => orUndefined(() => readHead(gitWith)),
    mainBranch: async () =>
      (await orUndefined(() => readBranch(git(), 'refs/remotes/origin/HEAD'))) ??
      orUndefined(() => readBranch(git(), 'HEAD')),
    user: () => orUndefined(() => readUser(git())),
    commitAt: (ref) => orUndefined(() => readCommit(git(), ref)),
    filesAt: (ref, below) => orUndefined(() => filesAt(gitWith, ref, below)),
    withMerge: (sides, use) => withMerge(gitWith, sides, use),
    lastToMove: (text, at) => orUndefined(() => lastToMove(git(), text, at)),
    blame: (lines, at) => orUndefined(() => blameLines(git(), lines, at)),
  };
}

function allowedOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const allowed = ALLOWED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return { ...(Object.fromEntries(allowed) as Record<string, string>), ...OWN };
}

/**
 * To look for changes git would run what the clone names for it: a monitor of files, and a filter for
 * each file that is not as it was. A plan runs no program of the repository, so they are off for it.
 */
async function readHead(
  gitWith: (env: Readonly<Record<string, string>>) => SimpleGit,
): Promise<{ commit: string; dirty: boolean }> {
  const git = gitWith({});
  const commit = (await git.raw('rev-parse', 'HEAD')).trim();
  const keys = ['--name-only', '-z', '--get-regexp', '^filter\\.'];
  const filters = await git.raw('config', ...keys).catch(() => '');
  const named = filters.split('\0').filter((key) => key !== '');
  const status = ['status', '--porcelain', '--untracked-files=all', '--', '.'];
  const changed = await gitWith(switchedOff(named)).raw(...status);
  return { commit, dirty: changed.trim() !== '' };
}

/** By the environment: the name of a filter may hold what git parts its arguments by. */
function switchedOff(filters: readonly string[]): Readonly<Record<string, string>> {
  const off = filters.map((key) => [key, key.endsWith('.required') ? 'false' : '']);
  const all = [['core.fsmonitor', 'false'], ...off];
  const pairs = all.flatMap(([key = '', value = ''], n) => [
    [`GIT_CONFIG_KEY_${n}`, key],
    [`GIT_CONFIG_VALUE_${n}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(all.length), ...Object.fromEntries(pairs) };
}

/** Without `--quiet`: a git that fails in silence counts as one that succeeded. */
async function readBranch(git: SimpleGit, ref: string): Promise<string> {
  const branch = (await git.raw('symbolic-ref', '--short', ref)).trim();
  return branch.replace(/^origin\//, '');
}

async function readUser(git: SimpleGit): Promise<string | undefined> {
  return (await git.raw('config', '--get', 'user.name')).trim() || undefined;
}

/** A name that starts like an option is none. */
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
