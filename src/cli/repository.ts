import { basename, dirname } from 'node:path';
import { fleetFolder, hasError, InvalidDocuments } from './documents.ts';
import { WorldError } from '../model/error.ts';
import type { Shell } from './shell.ts';
import type { Base } from './decide.ts';

/** The commit that the documents stand at, and whether they have changed since; undefined outside a repository. */
export async function commitOf(
  shell: Shell,
  fleet: string,
): Promise<{ readonly commit: string; readonly dirty: boolean } | undefined> {
  const { openRepository } = await import('../git/repo.ts');
  return openRepository(fleetFolder(shell, fleet), shell.env).head();
}

/**
 * The documents as they were committed last, by the path that findings call them; undefined outside
 * a repository and before the first commit.
 */
export async function committedDocuments(
  shell: Shell,
  fleet: string,
): Promise<ReadonlyMap<string, string> | undefined> {
  const folder = fleetFolder(shell, fleet);
  const { openRepository } = await import('../git/repo.ts');
  const name = folder.slice(dirname(folder).length + 1);
  return openRepository(dirname(folder), shell.env).filesAt('HEAD', name);
}

/**
 * The documents of another commit, to compare a plan with; the work tree is not touched. A commit
 * from before the first document has none. Throws `refUnknown`, and `InvalidDocuments` where they
 * cannot be planned with, each file named with its commit.
 */
export async function baseAt(shell: Shell, fleet: string, ref: string): Promise<Base> {
  const folder = fleetFolder(shell, fleet);
  const { openRepository } = await import('../git/repo.ts');
  const repository = openRepository(dirname(folder), shell.env);
  const commit = await repository.commitAt(ref);
  if (commit === undefined) throw new WorldError('refUnknown', { ref });
  const files = await repository.filesAt(commit, basename(folder));
  const texts = [...(files ?? [])].flatMap(([path, text]) =>
    isDocument(path) ? [{ path: `${ref}:${path}`, text }] : [],
  );
  if (texts.length === 0) return { ref, commit };
  const { loadTexts } = await import('../config/load.ts');
  const loaded = loadTexts(texts);
  if (!loaded.documents || hasError(loaded.diagnostics))
    throw new InvalidDocuments(loaded.diagnostics, loaded.files);
  return { ref, commit, documents: loaded.documents };
}

/** Whether a file of the folder is one that documents are read from. */
export function isDocument(path: string): boolean {
  return /\.ya?ml$/.test(path);
}
