import { simpleGit, type SimpleGit } from 'simple-git';
import type { GitPort } from '../model/ports.ts';
import { blameLines, lastToMove } from './blame.ts';
import { withMerge } from './merge.ts';
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
    return simpleGit({ baseDir: folder, allowEnvironment: Object.keys(all) }).env(all);
  };
  const git = (): SimpleGit => gitWith({});
  return {
    root: () => orUndefined(async () => (await git().raw('rev-parse', '--show-toplevel')).trim()),
    head: () => orUndefined(() => readHead(git())),
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
  const kept = ALLOWED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...OWN };
}

async function readHead(git: SimpleGit): Promise<{ commit: string; dirty: boolean }> {
  const commit = (await git.raw('rev-parse', 'HEAD')).trim();
  const changed = await git.raw('status', '--porcelain', '--untracked-files=all', '--', '.');
  return { commit, dirty: changed.trim() !== '' };
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
