import { dirname } from 'node:path';
import { fleetFolder } from './documents.ts';
import type { Shell } from './shell.ts';

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
