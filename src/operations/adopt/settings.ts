import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Loaded } from '../../config/load.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import { STANDARD } from '../../model/documents/standard.gen.ts';
import { usage } from '../../model/error.ts';
import { printMessages } from '../../shell/messages.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import type { ConnectFlags, Settings } from '../connect.ts';
import { simulatorHere } from '../simulator.ts';

export const DEFAULT_PACE = STANDARD.pace;

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
 * environment names, or the simulator of this folder. If none says where the service is, throws `InvalidDocuments`, or `usage` where
 * there is no document.
 */
export async function findSettings(
  flags: ConnectFlags,
  shell: Shell,
  loaded: Loaded | undefined,
): Promise<Settings> {
  if (loaded?.documents) return loaded.documents.service.value;
  const { named, lacking } = await namedSettings(flags, shell, loaded?.service !== undefined);
  const settings = loaded?.service?.value ?? named;
  if (!loaded || loaded.files.length === 0) {
    if (settings) return settings;
    const what = lacking.join(', and ');
    const message = `no documents in ${flags.fleet} (another directory: --fleet): ${what}, or run \`fleetform init\``;
    throw usage(message);
  }
  if (!settings) throw new InvalidDocuments(loaded.diagnostics, loaded.files);
  const { unusedDocumentsWords } = await import('../../render/words/reading-words.ts');
  printMessages(shell, [
    unusedDocumentsWords(loaded.diagnostics.filter(({ severity }) => severity === 'error').length),
  ]);
  return settings;
}

/**
 * What flags and environment name, or the simulator of this folder where they do not say where the service is; and
 * what they lack. Where documents have it already, the simulator is not asked.
 */
async function namedSettings({ service }: ConnectFlags, shell: Shell, isInDocuments: boolean) {
  const { env } = shell;
  const address = service ?? env['FLEETFORM_BASE_URL'];
  const simulator = address || isInDocuments ? undefined : await simulatorHere(shell);
  const baseUrl = address || simulator?.url;
  const organization = env['FLEETFORM_ORGANIZATION'] || simulator?.organization;
  const lacking = [
    ...(organization ? [] : ['set FLEETFORM_ORGANIZATION']),
    ...(baseUrl ? [] : ['pass --service URL or set FLEETFORM_BASE_URL']),
  ];
  if (!organization || !baseUrl) return { lacking };
  return { named: { baseUrl, organization, pace: DEFAULT_PACE, dialect: {} }, lacking };
}

/** The name in the package.json of a folder, if it has one. */
export function packageName(folder: string): unknown {
  const found = jsonFile(join(folder, 'package.json')) as { readonly name?: unknown } | undefined;
  return found?.name;
}

/** Undefined for a file that is not there, or is no JSON. */
export function jsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Throws `usage` for a zone that no site can have. */
export async function checkTimeZone(timeZone: string | undefined): Promise<void> {
  if (timeZone === undefined) return;
  const { isSiteZone } = await import('../../config/rules/values.ts');
  if (isSiteZone(timeZone)) return;
  throw usage(`--time-zone ${timeZone} is not an IANA name such as Europe/Berlin`);
}
