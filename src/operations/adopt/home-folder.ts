import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { repositoryAround } from '../../config/fleet-place.ts';
import type { Shell } from '../../shell/shell.ts';

/** The folders on this disk, by their real paths. */
export interface Place {
  /** The repository; outside a repository, the working directory. */
  readonly root: string;
  readonly folder: string;
  /** The nearest folder with a package.json, where the tool is installed. */
  readonly home: string;
}

/** The folders around the working directory, which a caller of the library may leave to be created. */
export function findHome({ cwd }: Pick<Shell, 'cwd'>): Place {
  const folder = existsSync(cwd) ? realpathSync(cwd) : resolve(cwd);
  const root = repositoryAround(folder) ?? folder;
  let home = folder;
  while (home !== root && !existsSync(join(home, 'package.json'))) home = dirname(home);
  return { root, folder, home };
}
