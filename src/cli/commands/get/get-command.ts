import type { Loaded } from '../../../config/load.ts';
import { connect, type ConnectFlags } from '../../../operations/connect.ts';
import { findSettings, loadedDocuments } from '../../../operations/adopt/settings.ts';
import { EXIT } from '../../../shell/exit.ts';
import { printMessages } from '../../../shell/messages.ts';
import { textStyle } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { get, type GetIo, type GetRequest } from './get.ts';

type GetFlags = ConnectFlags &
  Omit<GetRequest, 'filters' | 'selection'> & {
    readonly filter: readonly string[];
    readonly select?: string;
    readonly snapshot?: string;
  };

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
  const connection = await connect(shell, settings, {
    ...flags,
    readOnly: true,
    isLedgerless: true,
  });
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
function printTo(shell: Shell): Pick<GetIo, 'out' | 'err' | 'width'> {
  const { out, env } = shell;
  return {
    out: (text) => out.write(text),
    err: (text) => {
      if (shell.isQuiet !== true) printMessages(shell, [text]);
    },
    width: out.isTerminal ? textStyle(out, env).width : Infinity,
  };
}

async function loadSelection(
  { select }: GetFlags,
  loaded: Loaded | undefined,
): Promise<GetRequest['selection']> {
  if (select === undefined) return undefined;
  const { loadSelector } = await import('../../../config/selector-flag.ts');
  return loadSelector(select, loaded?.files ?? []);
}
