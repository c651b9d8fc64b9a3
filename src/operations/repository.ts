import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathFrom, placeOf } from '../config/fleet-place.ts';
import type { FleetFiles } from '../config/include.ts';
import type { Loaded } from '../config/load.ts';
import { hasError } from '../model/documents/diagnostic.ts';
import { InvalidDocuments } from '../model/documents/quoted.ts';
import { openRepository } from '../git/repo.ts';
import { remoteGit } from '../git/git.ts';
import type { Behind } from '../model/plan/plan.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { ScopeTrailer } from '../model/plan/scope.ts';
import { documentsFolder, type Cloned } from './here.ts';

/**
 * The repository of the documents, and the path of their folder in it.
 * @param more what git needs of an environment to read a commit outside the history
 */
export function cloneOf(here: Cloned, more: Readonly<Record<string, string>> = {}) {
  const { env } = here.shell;
  const { root, name } = placeOf(documentsFolder(here));
  return {
    root,
    name,
    repository: openRepository(root, env, more),
    git: remoteGit(root, env, { more, silence: 60_000 }),
  };
}

/**
 * The folders that belong to a fleet, from the root of the repository: those of its documents or, before they are loaded,
 * of the work tree; and those that it has at some commits.
 */
export async function foldersOf(
  here: Cloned,
  commits: readonly string[] = [],
): Promise<readonly string[]> {
  const { readFleetFiles } = await import('../config/read-files.ts');
  const { name } = cloneOf(here);
  const { folders = (await readFleetFiles(documentsFolder(here))).folders } = here.documents;
  const found = await Promise.all(commits.map(async (commit) => await committed(here, commit)));
  return [...new Set([name, ...folders, ...found.flatMap((side) => side?.folders ?? [])])];
}

/** Whether documents differ between two commits, or git cannot tell, in the folders of the work tree and of some commits. */
export async function documentsDiffer(
  here: Cloned,
  sides: readonly [from: string, to: string],
  commits: readonly string[] = [],
): Promise<boolean> {
  const folders = await foldersOf(here, commits);
  const places = folders.map((folder) => `:(top,literal)${folder}`);
  return (await cloneOf(here).git('diff', '--quiet', ...sides, '--', ...places)).exit !== 0;
}

/** The path of a file from the root of the documents' repository, by its path from where the command runs. */
export function pathInClone(here: Cloned, file: string): string {
  return pathFrom(cloneOf(here).root, resolve(realpathSync(here.shell.cwd), file));
}

/** The commit of the documents, and whether they have changed since. */
export interface Head {
  readonly commit: string;
  readonly dirty: boolean;
}

/** Undefined outside a repository. */
export async function readCommit(here: Cloned): Promise<Head | undefined> {
  const [, ...shared] = await foldersOf(here);
  const paths = ['.', ...shared.map((folder) => `:(top,literal)${folder}`)];
  return openRepository(documentsFolder(here), here.shell.env).head(paths);
}

/** A commit to compare with; without documents if it has none. */
export interface ComparisonBase {
  readonly ref: string;
  readonly commit: string;
  readonly behind?: Behind;
  readonly documents?: Documents;
  readonly scopes?: readonly ScopeTrailer[];
  /** Files that this side changes since it left the base, from the root of the repository. */
  readonly changed?: readonly string[];
}

/** The name of a base's documents if they differ from those of its ref. */
export function baseName({ ref, commit, behind }: Omit<ComparisonBase, 'documents'>): string {
  return behind?.tip === undefined ? ref : commit.slice(0, 12);
}

/**
 * The documents as of the last commit, by their paths in findings; undefined outside a repository
 * and before the first commit.
 */
export async function committedDocuments(
  here: Cloned,
): Promise<ReadonlyMap<string, string> | undefined> {
  const found = await committed(here, 'HEAD');
  return found && new Map(found.files.map(({ path, text }) => [path, text]));
}

/**
 * The documents of another commit, for the comparison of a plan; the work tree is not touched. A
 * commit from before the first document has none. Throws `InvalidDocuments` if they are invalid,
 * with the commit in each file name.
 */
export async function baseAt(
  here: Cloned,
  base: Pick<ComparisonBase, 'ref' | 'commit' | 'behind'>,
): Promise<ComparisonBase> {
  const found = await documentsAt(here, base.commit);
  if (found.files.length === 0) return base;
  const prefix = `${baseName(base)}:`;
  return { ...base, documents: await validAt(here, base.commit, { prefix }, found) };
}

/** The documents of a commit, which may be read already. Throws `InvalidDocuments`, with `prefix` before each file name. */
export async function validAt(
  here: Cloned,
  commit: string,
  { prefix = '', env = {} }: CommitReading = {},
  found?: Loaded,
): Promise<Documents> {
  const { documents, diagnostics } = found ?? (await documentsAt(here, commit, { env }));
  if (documents && !hasError(diagnostics)) return documents;
  const named = await documentsAt(here, commit, { env, prefix });
  throw new InvalidDocuments(named.diagnostics, named.files);
}

interface CommitReading {
  readonly prefix?: string;
  readonly env?: Record<string, string>;
}

/** The full ID of a commit; undefined if the clone does not have it. */
export async function commitNamed(here: Cloned, ref: string): Promise<string | undefined> {
  return cloneOf(here).repository.commitAt(ref);
}

/** Commits of any branch that changed files below some folders, newest first; none outside a repository. */
export async function commitsTouching(
  here: Cloned,
  folders: readonly string[],
  most: number,
): Promise<readonly string[]> {
  const { git } = cloneOf(here);
  const which = ['--all', '--full-history', '--date-order', `--max-count=${most}`];
  const { out, exit } = await git('log', '--format=%H', ...which, '--', ...folders);
  return exit === 0 ? out.split('\n').filter((line) => line !== '') : [];
}

/** The files that the work tree changes since it left a commit, from the root; none without a common commit. */
export async function changedSince(here: Cloned, commit: string): Promise<readonly string[]> {
  const { git } = cloneOf(here);
  const left = await git('merge-base', '--end-of-options', commit, 'HEAD');
  if (left.exit !== 0) return [];
  const diff = await git('diff', '--name-only', '-z', '--no-renames', left.out.trim(), '--');
  return diff.out.split('\0').filter((path) => path !== '');
}

/**
 * The documents of a commit, read through git; each file name is its path after `prefix`. `env` is
 * the environment that git needs to read a commit outside the history.
 */
export async function documentsAt(
  here: Cloned,
  commit: string,
  reading: CommitReading = {},
): Promise<Loaded> {
  const { loadTexts } = await import('../config/load.ts');
  const { files, diagnostics, folders } = (await committed(here, commit, reading)) ?? NOTHING;
  if (files.length + diagnostics.length === 0) return NOTHING;
  return loadTexts(files, diagnostics, folders);
}

const NOTHING: FleetFiles = { files: [], diagnostics: [], folders: [] };

/** The files of all folders that belong to a fleet at a commit; undefined where git does not read it. */
export async function committed(
  here: Cloned,
  commit: string,
  { prefix = '', env = {} }: CommitReading = {},
): Promise<FleetFiles | undefined> {
  const [{ readFolders }, { refusedLink, isMisnamed, misnamed }] = await Promise.all([
    import('../config/include.ts'),
    import('../config/read-files.ts'),
  ]);
  const { repository, name } = cloneOf(here, env);
  const own = await repository.filesAt(commit, name);
  if (!own) return undefined;
  const read = async (folder: string) => {
    const tree = folder === name ? own : await repository.filesAt(commit, folder);
    const isSeen = (path: string): boolean => !path.slice(folder.length).includes('/.');
    const texts = [...(tree?.texts ?? [])].filter(([path]) => isSeen(path));
    const refused = (tree?.links ?? []).filter(
      ({ path, problem }) =>
        isSeen(path) && (!['nothing', 'document'].includes(problem) || isDocument(path)),
    );
    return {
      files: texts
        .filter(([path]) => isDocument(path))
        .map(([path, text]) => ({ path: `${prefix}${path}`, text })),
      diagnostics: [
        ...refused.map(({ path, problem }) => refusedLink(`${prefix}${path}`, problem)),
        ...texts.flatMap(([path]) => (isMisnamed(path) ? [misnamed(`${prefix}${path}`)] : [])),
      ],
    };
  };
  return readFolders(name, read, prefix);
}

export function isDocument(path: string): boolean {
  return /\.ya?ml$/.test(path);
}
