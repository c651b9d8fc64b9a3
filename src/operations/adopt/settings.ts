import { existsSync } from 'node:fs';
import type { Loaded } from '../../config/load.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import { WorldError } from '../../model/error.ts';
import { printMessages } from '../../shell/messages.ts';
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
 * environment names. If none says where the service is, throws `InvalidDocuments`, or `usage` where
 * there is no document.
 */
export async function findSettings(
  flags: ConnectFlags,
  shell: Shell,
  loaded: Loaded | undefined,
): Promise<Settings> {
  const { env } = shell;
  const organization = env['FLEETFORM_ORGANIZATION'];
  if (loaded?.documents) {
    const { value } = loaded.documents.service;
    if (organization) await warnOfOther(organization, value.organization, shell);
    return value;
  }
  const baseUrl = flags.service ?? env['FLEETFORM_BASE_URL'];
  const named =
    organization && baseUrl
      ? { baseUrl, organization, pace: DEFAULT_PACE, dialect: {} }
      : undefined;
  const settings = loaded?.service?.value ?? named;
  if (!loaded || loaded.files.length === 0) {
    if (settings) return settings;
    throw unnamedService(flags.fleet, { organization, baseUrl });
  }
  if (!settings) throw new InvalidDocuments(loaded.diagnostics, loaded.files);
  const { unusedDocumentsWords } = await import('../../render/words/reading-words.ts');
  printMessages(shell, [
    unusedDocumentsWords(loaded.diagnostics.filter(({ severity }) => severity === 'error').length),
  ]);
  return settings;
}

/** A command that read another organization than the one in its environment would mislead in silence. */
async function warnOfOther(variable: string, organization: string, shell: Shell): Promise<void> {
  if (variable === organization) return;
  const { unusedOrganizationWords } = await import('../../render/words/reading-words.ts');
  printMessages(shell, [unusedOrganizationWords(variable, organization)]);
}

/** Says what the flags and the environment lack in order to name a service without documents. */
function unnamedService(
  fleet: string,
  { organization, baseUrl }: Readonly<Record<'organization' | 'baseUrl', string | undefined>>,
): WorldError {
  const lacking = [
    ...(organization ? [] : ['set FLEETFORM_ORGANIZATION']),
    ...(baseUrl ? [] : ['pass --service URL or set FLEETFORM_BASE_URL']),
  ].join(', and ');
  const message = `no documents in ${fleet} (another directory: --fleet): ${lacking}, or run \`fleetform init\``;
  return new WorldError('usage', { message });
}
