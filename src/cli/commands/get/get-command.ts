import { existsSync } from 'node:fs';
import type { Loaded } from '../../../config/load.ts';
import { connect, type ConnectFlags, type Settings } from '../../../operations/connect.ts';
import { InvalidDocuments } from '../../../model/documents/quoted.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print, textStyle } from '../../../shell/output.ts';
import { fleetFolder, type Shell } from '../../../shell/shell.ts';
import { get, type GetIo, type GetRequest } from './get.ts';

export type GetFlags = ConnectFlags &
  Omit<GetRequest, 'filters' | 'selection'> & {
    readonly filter: readonly string[];
    readonly select?: string;
    readonly snapshot?: string;
  };

const DEFAULT_PACE = { requestsPerSecond: 1, tokenRequestsPerMinute: 5, pollEvery: 30_000 };

/**
 * `fleetform get`: reads anything from the service, or lists from a saved snapshot. The transport of
 * this command allows reads only. It needs no documents, and invalid ones are no obstacle.
 */
export async function getCommand(flags: GetFlags, shell: Shell): Promise<number> {
  const loaded = await loadedDocuments(flags, shell);
  const selection = await loadSelection(flags, loaded);
  const request = { ...flags, filters: flags.filter, ...(selection && { selection }) };
  if (flags.snapshot !== undefined) {
    const [{ snapshotSource }, { readSnapshotFile }] = await Promise.all([
      import('./row-source.ts'),
      import('../../../operations/snapshot-file.ts'),
    ]);
    const { snapshot } = await readSnapshotFile(shell, flags.snapshot);
    return get(request, { ...printTo(shell), source: snapshotSource(snapshot) });
  }
  const settings = await findSettings(flags, shell, loaded);
  const connection = await connect(shell, settings, { ...flags, readOnly: true });
  try {
    return await get(request, { ...printTo(shell), source: connection.client });
  } catch (error) {
    if (shell.out.isUnread === true) return EXIT.done;
    throw error;
  } finally {
    await connection.close();
  }
}

/** Only a terminal has a width that cells are cut to. */
function printTo({ out, err, env }: Shell): Pick<GetIo, 'out' | 'err' | 'width'> {
  return {
    out: (text) => out.write(text),
    err: (text) => err.write(text),
    width: out.isTerminal ? textStyle(out, env).width : Infinity,
  };
}

async function loadedDocuments({ fleet }: GetFlags, shell: Shell): Promise<Loaded | undefined> {
  const folder = fleetFolder(shell, fleet);
  if (!existsSync(folder)) return undefined;
  const { loadFleet } = await import('../../../config/load.ts');
  return loadFleet(folder);
}

async function loadSelection(
  { select }: GetFlags,
  loaded: Loaded | undefined,
): Promise<GetRequest['selection']> {
  if (select === undefined) return undefined;
  const { loadSelector } = await import('../../../config/load.ts');
  return loadSelector(select, loaded?.files ?? []);
}

/**
 * The service of the documents; where these have errors, their entry `service` alone, or what the
 * environment names. Throws `InvalidDocuments` if none says where the service is.
 */
async function findSettings(
  flags: GetFlags,
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
    const { loadFleet } = await import('../../../config/load.ts');
    const { diagnostics, files } = await loadFleet(fleetFolder({ cwd }, flags.fleet));
    throw new InvalidDocuments(diagnostics, files);
  }
  if (!settings) throw new InvalidDocuments(loaded.diagnostics, loaded.files);
  const { unusedDocumentsWords } = await import('../../../render/words/reading-words.ts');
  print(err, [
    unusedDocumentsWords(loaded.diagnostics.filter(({ severity }) => severity === 'error').length),
  ]);
  return settings;
}
