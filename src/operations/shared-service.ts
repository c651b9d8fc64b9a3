import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathFrom, repositoryAround } from '../config/fleet-place.ts';
import { loadFleet, type Loaded } from '../config/load.ts';
import { readNamed } from '../model/error.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { fleetFolder, type Shell } from '../shell/shell.ts';
import { filesBelow } from './files-below.ts';
import { foldersBelow, type Fleet } from './find-fleets.ts';
import { isDocument } from './repository.ts';
import { isSameService } from './target.ts';

/**
 * An error for each fleet beside this one that names the same organization of the same service, such as a copied folder:
 * each would act on the devices of the other, whatever their ledgers (protocol M14). A folder in the root of a repository,
 * or outside of one where the command runs, has no fleets beside it. Throws `fileUnreadable` for one that cannot be read.
 */
export async function findSharedService(
  shell: Shell,
  fleet: string,
  { documents, service = documents?.service }: Loaded,
): Promise<readonly Diagnostic[]> {
  const full = fleetFolder(shell, fleet);
  const above = dirname(full);
  const isApart = above === shell.cwd && repositoryAround(realpathSync(above)) === undefined;
  if (!service || isApart || existsSync(join(above, '.git'))) return [];
  const { organization } = service.value;
  const isOther = ({ name, why }: ReturnType<typeof foldersBelow>[number]): boolean =>
    name !== basename(full) && (why === undefined || why === 'unusable');
  const found: Diagnostic[] = [];
  for (const other of foldersBelow(shell, pathFrom(shell.cwd, above) || '.').filter(isOther)) {
    const of = await serviceIn(shell, other, organization);
    if (!of || !isSameService(of.value, service.value)) continue;
    const params = { organization, folder: other.folder };
    found.push({
      code: 'serviceShared',
      severity: 'error',
      at: service.at,
      params,
      related: [of.at],
    });
  }
  return found;
}

/** The service of a fleet, where its documents name this organization at all; they may have errors. */
async function serviceIn(shell: Shell, { folder }: Fleet, organization: string) {
  const full = fleetFolder(shell, folder);
  const names = (path: string): boolean =>
    readNamed(path, () => readFileSync(path, 'utf8')).includes(organization);
  if (!filesBelow(full).some((path) => isDocument(path) && names(path))) return undefined;
  const { documents, service = documents?.service } = await loadFleet(full);
  return service;
}
