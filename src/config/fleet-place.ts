import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/** Where a fleet is. */
export interface FleetPlace {
  /** The folder from which the documents are named. */
  readonly root: string;
  /** The path of the fleet folder from there, with `/`. */
  readonly name: string;
}

/**
 * The place of a fleet folder, which need not exist. Its documents are named from the root of the repository around it;
 * outside of one, from the folder that it stands in.
 */
export function placeOf(folder: string): FleetPlace {
  const above = dirname(resolve(folder));
  const real = existsSync(above) ? realpathSync(above) : above;
  const root = repositoryAround(real) ?? real;
  return {
    root,
    name: relative(root, join(real, basename(folder)))
      .split(sep)
      .join('/'),
  };
}

/** The nearest folder around a real path, itself included, that git has as a repository. */
export function repositoryAround(real: string): string | undefined {
  for (let folder = real; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
