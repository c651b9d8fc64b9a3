import { readFile, readlink, realpath, rm, stat, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { TreeLink } from '../model/documents/tree-files.ts';

/** Where a folder of a commit was written to, and where its clone has it. */
export interface Written {
  readonly files: string;
  readonly home: string;
}

/** Links that name their target in full mean the folder of the clone: they are led to what was written. */
export async function leadHome({ files, home }: Written, links: readonly string[]): Promise<void> {
  for (const link of links) {
    const target = await readlink(link);
    if (!isAbsolute(target) || !isBelow(home, target)) continue;
    await rm(link);
    await symlink(join(files, relative(home, target)), link);
  }
}

/**
 * The text that a link leads to where that is a file of the same folder and no document by its own
 * name, as the work tree is read; else why it is not read. Nothing outside of that folder is opened.
 */
export async function throughLink(
  files: string,
  link: string,
): Promise<{ readonly text: string } | { readonly problem: TreeLink['problem'] }> {
  const real = await realpath(link).catch(() => undefined);
  if (real === undefined) {
    const target = resolve(dirname(link), await readlink(link));
    return { problem: isBelow(files, target) ? 'nothing' : 'leaves' };
  }
  if (!isBelow(files, real)) return { problem: 'leaves' };
  const found = await stat(real);
  const names = relative(files, real).split(sep);
  const isDocument = /\.ya?ml$/.test(real) && !names.some((name) => name.startsWith('.'));
  if (found.isFile() && isDocument) return { problem: 'document' };
  if (found.isFile()) return { text: await readFile(real, 'utf8') };
  return { problem: found.isDirectory() ? 'folder' : 'nothing' };
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder + sep);
}
