import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/**
 * Where a fleet folder is, which need not exist: `root`, from which its documents are named, and its path from there, with
 * `/`. The root is that of the repository around it; outside of one it is the folder that it stands in.
 */
export function placeOf(folder: string): { readonly root: string; readonly name: string } {
  const above = dirname(resolve(folder));
  const real = existsSync(above) ? realpathSync(above) : above;
  const root = repositoryAround(real) ?? real;
  return { root, name: pathFrom(root, join(real, basename(folder))) };
}

/** The path of a file from a folder, with `/` on every system. */
export function pathFrom(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}

/** The nearest folder around a real path, itself included, that git has as a repository. */
export function repositoryAround(real: string): string | undefined {
  for (let folder = real; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
