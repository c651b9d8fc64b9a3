import { basename, dirname } from 'node:path';
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
 * The repository of the documents, and the name of their folder in it.
 * @param more what git needs of an environment to read a commit outside the history
 */
export function cloneOf(here: Cloned, more: Readonly<Record<string, string>> = {}) {
  const { env } = here.shell;
  const folder = documentsFolder(here);
  const above = dirname(folder);
  return {
    folder,
    name: basename(folder),
    repository: openRepository(above, env, more),
    git: remoteGit(above, env, { more, silence: 60_000 }),
  };
}

/** The commit of the documents, and whether they have changed since. */
export interface Head {
  readonly commit: string;
  readonly dirty: boolean;
}

/** Undefined outside a repository. */
export async function readCommit(here: Cloned): Promise<Head | undefined> {
  return openRepository(documentsFolder(here), here.shell.env).head();
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
  const { repository, name } = cloneOf(here);
  return (await repository.filesAt('HEAD', name))?.texts;
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
  const { files } = await documentsAt(here, base.commit);
  if (files.length === 0) return base;
  const prefix = `${baseName(base)}:`;
  return { ...base, documents: await validAt(here, base.commit, { prefix }) };
}

/** The documents of a commit. Throws `InvalidDocuments`, with `prefix` before each file name. */
export async function validAt(
  here: Cloned,
  commit: string,
  { prefix = '', env = {} }: CommitReading = {},
): Promise<Documents> {
  const { documents, diagnostics } = await documentsAt(here, commit, { env });
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

/** Commits of any branch that changed the documents, newest first; none outside a repository. */
export async function commitsTouching(here: Cloned, most: number): Promise<readonly string[]> {
  const { git, name } = cloneOf(here);
  const which = ['--all', '--full-history', '--date-order', `--max-count=${most}`];
  const { out, exit } = await git('log', '--format=%H', ...which, '--', name);
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

/** Whether the history of this clone is shallow, so that commits may be missing. */
export async function isShallow(here: Cloned): Promise<boolean> {
  const { git } = cloneOf(here);
  return (await git('rev-parse', '--is-shallow-repository')).out.trim() === 'true';
}

/**
 * The documents of a commit, read through git; each file name is its path after `prefix`. `env` is
 * the environment that git needs to read a commit outside the history.
 */
export async function documentsAt(
  here: Cloned,
  commit: string,
  { prefix = '', env = {} }: CommitReading = {},
): Promise<Loaded> {
  const [{ loadTexts }, { refusedLink, isMisnamed, misnamed }] = await Promise.all([
    import('../config/load.ts'),
    import('../config/read-files.ts'),
  ]);
  const { folder, repository, name } = cloneOf(here, env);
  const { texts = new Map<string, string>(), links = [] } =
    (await repository.filesAt(commit, name)) ?? {};
  const isRead = (path: string): boolean => isDocument(path) && !isHidden(path, folder);
  const documents = [...texts].filter(([path]) => isRead(path));
  const refused = links.filter(
    ({ path, problem }) =>
      !isHidden(path, folder) && (!['nothing', 'document'].includes(problem) || isDocument(path)),
  );
  const odd = [...texts.keys()].filter((path) => isMisnamed(path) && !isHidden(path, folder));
  if (documents.length + refused.length + odd.length === 0) return { files: [], diagnostics: [] };
  return loadTexts(
    documents.map(([path, text]) => ({ path: `${prefix}${path}`, text })),
    [
      ...refused.map(({ path, problem }) => refusedLink(`${prefix}${path}`, problem)),
      ...odd.map((path) => misnamed(`${prefix}${path}`)),
    ],
  );
}

/** Whether the name of a file, or of a parent folder, begins with a dot: such files are ignored. */
function isHidden(path: string, folder: string): boolean {
  return path.slice(basename(folder).length).includes('/.');
}

export function isDocument(path: string): boolean {
  return /\.ya?ml$/.test(path);
}
