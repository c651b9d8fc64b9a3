import { existsSync } from 'node:fs';
import { connect, type ConnectFlags, type Settings } from '../../../operations/connect.ts';
import { loadDocuments } from '../../../operations/documents.ts';
import { EXIT } from '../../shell/exit.ts';
import { textStyle } from '../../shell/output.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import { get, type GetRequest } from './get.ts';

export type GetFlags = ConnectFlags &
  Omit<GetRequest, 'filters'> & { readonly filter: readonly string[] };

const DEFAULT_PACE = { requestsPerSecond: 1, tokenRequestsPerMinute: 5, pollEvery: 30_000 };

/**
 * `fleetform get`: reads anything from the service. The transport of this command allows reads
 * only.
 */
export async function getCommand(flags: GetFlags, shell: Shell): Promise<number> {
  const settings = await readSettings(flags, shell);
  const connection = await connect(shell, settings, { ...flags, readOnly: true });
  try {
    return await get(
      { ...flags, filters: flags.filter },
      {
        client: connection.client,
        out: (text) => shell.out.write(text),
        err: (text) => shell.err.write(text),
        width: textStyle(shell.out, shell.env).width,
      },
    );
  } catch (error) {
    if (shell.out.isUnread === true) return EXIT.done;
    throw error;
  } finally {
    await connection.close();
  }
}

/** Reading a service needs no documents: without a fleet folder the environment may name it. */
async function readSettings(flags: GetFlags, shell: Shell): Promise<Settings> {
  const organization = shell.env['FLEETFORM_ORGANIZATION'];
  const baseUrl = flags.service ?? shell.env['FLEETFORM_BASE_URL'];
  if (organization && baseUrl && !existsSync(fleetFolder(shell, flags.fleet)))
    return { baseUrl, organization, pace: DEFAULT_PACE, dialect: {} };
  const { documents } = await loadDocuments(shell, flags.fleet);
  return documents.service.value;
}
