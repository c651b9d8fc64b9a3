import { basename, dirname } from 'node:path';
import type { Loaded } from '../config/load.ts';
import { hasError } from './documents.ts';
import { InvalidDocuments } from '../model/documents/quoted.ts';
import { fleetFolder, type Shell } from '../shell/shell.ts';
import { baseName, type ComparisonBase } from './plan.ts';

/**
 * The commit of the documents, and whether they have changed since; undefined outside a repository.
 */
export async function readCommit(
  shell: Shell,
  fleet: string,
): Promise<{ readonly commit: string; readonly dirty: boolean } | undefined> {
  const { openRepository } = await import('../git/repo.ts');
  return openRepository(fleetFolder(shell, fleet), shell.env).head();
}

/**
 * The documents as of the last commit, by their paths in findings; undefined outside a repository
 * and before the first commit.
 */
export async function committedDocuments(
  shell: Shell,
  fleet: string,
): Promise<ReadonlyMap<string, string> | undefined> {
  const folder = fleetFolder(shell, fleet);
  const { openRepository } = await import('../git/repo.ts');
  const name = folder.slice(dirname(folder).length + 1);
  return (await openRepository(dirname(folder), shell.env).filesAt('HEAD', name))?.texts;
}

/**
 * The documents of another commit, for the comparison of a plan; the work tree is not touched. A
 * commit from before the first document has none. Throws `InvalidDocuments` if they are invalid,
 * with the commit in each file name.
 */
export async function baseAt(
  shell: Shell,
  fleet: string,
  base: Pick<ComparisonBase, 'ref' | 'commit' | 'behind'>,
): Promise<ComparisonBase> {
  const { files, documents, diagnostics } = await documentsAt(shell, fleet, base.commit);
  if (files.length === 0) return base;
  if (documents && !hasError(diagnostics)) return { ...base, documents };
  const prefix = `${baseName(base)}:`;
  const named = await documentsAt(shell, fleet, base.commit, { prefix });
  throw new InvalidDocuments(named.diagnostics, named.files);
}

/** The full ID of a commit; undefined if the clone does not have it. */
export async function commitNamed(
  shell: Shell,
  fleet: string,
  ref: string,
): Promise<string | undefined> {
  const { openRepository } = await import('../git/repo.ts');
  return openRepository(dirname(fleetFolder(shell, fleet)), shell.env).commitAt(ref);
}

/** Commits of any branch that changed the documents, newest first; none outside a repository. */
export async function commitsTouching(
  shell: Shell,
  fleet: string,
  most: number,
): Promise<readonly string[]> {
  const { remoteGit } = await import('../git/git.ts');
  const folder = fleetFolder(shell, fleet);
  const git = remoteGit(dirname(folder), shell.env, { silence: 30_000 });
  const which = ['--all', '--full-history', '--date-order', `--max-count=${most}`];
  const { out, exit } = await git('log', '--format=%H', ...which, '--', basename(folder));
  return exit === 0 ? out.split('\n').filter((line) => line !== '') : [];
}

/** Whether the history of this clone is shallow, so that commits may be missing. */
export async function isShallow(shell: Shell, fleet: string): Promise<boolean> {
  const { remoteGit } = await import('../git/git.ts');
  const git = remoteGit(dirname(fleetFolder(shell, fleet)), shell.env, { silence: 30_000 });
  return (await git('rev-parse', '--is-shallow-repository')).out.trim() === 'true';
}

/**
 * The documents of a commit, read through git; each file name is its path after `prefix`. `env` is
 * the environment that git needs to read a commit outside the history.
 */
export async function documentsAt(
  shell: Shell,
  fleet: string,
  commit: string,
  {
    prefix = '',
    env = {},
  }: { readonly prefix?: string; readonly env?: Record<string, string> } = {},
): Promise<Loaded> {
  const folder = fleetFolder(shell, fleet);
  const [{ openRepository }, { loadTexts }, { refusedLink, isMisnamed, misnamed }] =
    await Promise.all([
      import('../git/repo.ts'),
      import('../config/load.ts'),
      import('../config/read-files.ts'),
    ]);
  const { texts = new Map<string, string>(), links = [] } =
    (await openRepository(dirname(folder), shell.env, env).filesAt(commit, basename(folder))) ?? {};
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

/** Whether a file of the folder is a document. */
export function isDocument(path: string): boolean {
  return /\.ya?ml$/.test(path);
}
