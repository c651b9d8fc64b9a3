import { existsSync } from 'node:fs';
import type { Loaded } from '../../config/load.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import { print } from '../../shell/output.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import type { ConnectFlags, Settings } from '../connect.ts';

/** The default pace of every service. */
export const DEFAULT_PACE = { requestsPerSecond: 1, tokenRequestsPerMinute: 5, pollEvery: 30_000 };

/** The documents of the folder, with their problems; undefined if there is no folder. */
export async function loadedDocuments(
  { fleet }: Pick<ConnectFlags, 'fleet'>,
  shell: Pick<Shell, 'cwd'>,
): Promise<Loaded | undefined> {
  const folder = fleetFolder(shell, fleet);
  if (!existsSync(folder)) return undefined;
  const { loadFleet } = await import('../../config/load.ts');
  return loadFleet(folder);
}

/**
 * The service of the documents; where these have errors, their entry `service` alone, or what the
 * environment names. Throws `InvalidDocuments` if none says where the service is.
 */
export async function findSettings(
  flags: ConnectFlags,
  { env, err, cwd }: Shell,
  loaded: Loaded | undefined,
): Promise<Settings> {
  if (loaded?.documents) return loaded.documents.service.value;
  const organization = env['FLEETFORM_ORGANIZATION'];
  const baseUrl = flags.service ?? env['FLEETFORM_BASE_URL'];
  const named =
    organization && baseUrl
      ? { baseUrl, organization, pace: DEFAULT_PACE, dialect: {} }
      : undefined;
  const settings = loaded?.service?.value ?? named;
  if (!loaded) {
    if (settings) return settings;
    const { loadFleet } = await import('../../config/load.ts');
    const { diagnostics, files } = await loadFleet(fleetFolder({ cwd }, flags.fleet));
    throw new InvalidDocuments(diagnostics, files);
  }
  if (!settings) throw new InvalidDocuments(loaded.diagnostics, loaded.files);
  const { unusedDocumentsWords } = await import('../../render/words/reading-words.ts');
  print(err, [
    unusedDocumentsWords(loaded.diagnostics.filter(({ severity }) => severity === 'error').length),
  ]);
  return settings;
}
