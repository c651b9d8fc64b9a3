import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openRepository } from '../../git/repo.ts';
import type { Shell } from '../../shell/shell.ts';

/** The folders on this disk, by their real paths. */
export interface Place {
  /** The repository; outside a repository, the working directory. */
  readonly root: string;
  readonly folder: string;
  /** The nearest folder with a package.json, where the tool is installed. */
  readonly home: string;
}

export async function findPlace(shell: Pick<Shell, 'cwd' | 'env'>): Promise<Place> {
  const folder = realpathSync(shell.cwd);
  const top = await openRepository(folder, shell.env).root();
  const root = top === undefined ? folder : realpathSync(top);
  let home = folder;
  while (home !== root && !existsSync(join(home, 'package.json'))) home = dirname(home);
  return { root, folder, home };
}
