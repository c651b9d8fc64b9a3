import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { loadFleet, type Loaded } from '../config/load.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { fleetFolder, type Shell } from '../shell/shell.ts';
import { filesBelow } from './files-below.ts';
import { foldersBelow, type Fleet } from './find-fleets.ts';
import { isDocument } from './repository.ts';
import { isSameService } from './target.ts';

/**
 * An error for each fleet beside this one that names the same organization of the same service, such as a copied folder:
 * each would act on the devices of the other, whatever their ledgers (protocol M14). A folder in the root of a
 * repository, or of the command, has no fleets beside it.
 */
export async function findSharedService(
  shell: Shell,
  fleet: string,
  { documents, service = documents?.service }: Loaded,
): Promise<readonly Diagnostic[]> {
  const root = dirname(fleet);
  const full = fleetFolder(shell, root);
  if (!service || full === fleetFolder(shell, '.') || existsSync(join(full, '.git'))) return [];
  const { organization } = service.value;
  const isOther = ({ name, why }: ReturnType<typeof foldersBelow>[number]): boolean =>
    name !== basename(fleet) && (why === undefined || why === 'unusable');
  const found: Diagnostic[] = [];
  for (const other of foldersBelow(shell, root).filter(isOther)) {
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
  const names = (path: string): boolean => readFileSync(path, 'utf8').includes(organization);
  if (!filesBelow(full).some((path) => isDocument(path) && names(path))) return undefined;
  const { documents, service = documents?.service } = await loadFleet(full);
  return service;
}
