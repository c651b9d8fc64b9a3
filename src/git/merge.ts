import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { said, type Git } from './git.ts';

type GitWith = (more: Readonly<Record<string, string>>) => Git;

/**
 * The result of merging a branch into its base. `contained`: the branch has all commits of the
 * base, so the branch is the merge. Otherwise `lacks` counts the commits of the base that the
 * branch does not have, and `left` is the commit where the branch left the base.
 */
export type Merge =
  | { readonly is: 'contained' }
  | {
      readonly is: 'merged';
      readonly lacks: number;
      /** The merge commit. `own` lists each commit that was made for it; no branch has them. */
      readonly commit: string;
      readonly own: readonly string[];
      /** What git needs to read it. */
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly is: 'conflict';
      readonly lacks: number;
      readonly left: string;
      /** Files of the documents in which both sides changed the same lines. */
      readonly files: readonly string[];
    }
  | { readonly is: 'gitTooOld' | 'failed'; readonly lacks: number; readonly left: string }
  /** No commit is in both histories, as far as this clone has them. */
  | { readonly is: 'unrelated'; readonly lacks: number };

/** What to merge: a base, and a branch or, without one, the work tree of the folders of the documents. */
export interface MergeSides {
  readonly base: string;
  readonly branch?: string;
  readonly folders: readonly string[];
}

/** The first version with `git merge-tree --write-tree`. */
const LEAST_GIT = [2, 38] as const;

/** Temporary commits are never published, so their author and time do not matter. */
const IDENTITY = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'fleetform'],
    [`GIT_${who}_EMAIL`, 'fleetform@localhost'],
    [`GIT_${who}_DATE`, '@0 +0000'],
  ]),
);

/** Merges a branch into its base. Objects are written into `scratch`; neither the repository nor the work tree changes. */
export async function merge(gitWith: GitWith, sides: MergeSides, scratch: string): Promise<Merge> {
  const git = gitWith({});
  const { base, branch, folders } = sides;
  const head = (await said(git, 'rev-parse', '--verify', `${branch ?? 'HEAD'}^{commit}`)).trim();
  const common = await git('merge-base', head, base);
  // 1 says that there is none.
  if (common.exit !== 0 && common.exit !== 1) throw new Error(common.err);
  const left = common.out.trim();
  if (left === base) return { is: 'contained' };
  const lacks = Number((await said(git, 'rev-list', '--count', `${head}..${base}`)).trim());
  if (left === '') return { is: 'unrelated', lacks };
  if (!(await isNewEnough(git))) return { is: 'gitTooOld', lacks, left };
  const repository = await besides(gitWith, scratch);
  const ours = branch === undefined ? await workTree(repository, head, sides) : head;
  const how = ['--write-tree', '-z', '--name-only', '--no-messages'];
  const { exit, out } = await repository.git()('merge-tree', ...how, ours, base);
  if (exit !== 0 && exit !== 1) return { is: 'failed', lacks, left };
  const [tree = '', ...names] = out.split('\0').filter((part) => part !== '');
  // Git names files relative to its working directory, as the documents do.
  const files = names.filter((name) =>
    folders.some((folder) => name === folder || name.startsWith(`${folder}/`)),
  );
  if (files.length > 0) return { is: 'conflict', lacks, left, files: [...new Set(files)].sort() };
  const merged = await repository.commit(tree, ours, base);
  const own = [merged, ...(ours === head ? [] : [ours])];
  return { is: 'merged', lacks, commit: merged, own, env: repository.env };
}

interface MergeParts {
  /** Reads the repository and writes objects to a separate folder. */
  readonly env: Readonly<Record<string, string>>;
  git(more?: Readonly<Record<string, string>>): Git;
  commit(tree: string, ...parents: readonly string[]): Promise<string>;
}

async function besides(gitWith: GitWith, scratch: string): Promise<MergeParts> {
  const objects = join(scratch, 'objects');
  await mkdir(objects);
  const path = ['rev-parse', '--path-format=absolute', '--git-path', 'objects'];
  const known = (await said(gitWith({}), ...path)).trim();
  const env = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(known) };
  const git = (more: Readonly<Record<string, string>> = {}): Git => gitWith({ ...env, ...more });
  return {
    env,
    git: (more) => git({ GIT_INDEX_FILE: join(scratch, 'index'), ...more }),
    async commit(tree, ...parents) {
      const named = parents.flatMap((parent) => ['-p', parent]);
      return (await said(git(IDENTITY), 'commit-tree', tree, ...named, '-m', 'merge')).trim();
    },
  };
}

/** A path with a colon or a leading quote must be quoted in a path list. */
function quoted(path: string): string {
  return /[":]/.test(path) && !/^[A-Za-z]:[\\/]/.test(path) ? JSON.stringify(path) : path;
}

/** The content of the work tree, ignored files included, since documents are read from them too. */
async function workTree(
  repository: MergeParts,
  head: string,
  { folders }: MergeSides,
): Promise<string> {
  const git = repository.git();
  await said(git, 'read-tree', head);
  await said(git, '--literal-pathspecs', 'add', '--all', '--force', '--', ...folders);
  const tree = (await said(git, 'write-tree')).trim();
  if (tree === (await said(git, 'rev-parse', `${head}^{tree}`)).trim()) return head;
  return repository.commit(tree, head);
}

async function isNewEnough(git: Git): Promise<boolean> {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(await said(git, 'version')) ?? [];
  const [first, second] = LEAST_GIT;
  return Number(major) > first || (Number(major) === first && Number(minor) >= second);
}
