import { connect, type ConnectFlags } from '../../operations/connect.ts';
import { pickLimits, type ReadingLimits } from '../../operations/facts/reading-limits.ts';
import { loadDocuments } from '../../operations/documents.ts';
import { EXIT } from '../shell/exit.ts';
import { remembered } from '../../operations/ledger.ts';
import { textStyle, print, printJson } from '../shell/output.ts';
import type { Shell } from '../shell/shell.ts';
import { readStatus } from '../../operations/status.ts';

export interface StatusFlags extends ConnectFlags, ReadingLimits {
  readonly format: 'text' | 'json';
}

/**
 * `fleetform status`: shows the state of each rollout, from the fleet, the documents and the
 * ledger. Read-only.
 */
export async function statusCommand(flags: StatusFlags, shell: Shell): Promise<number> {
  const { documents } = await loadDocuments(shell, flags.fleet);
  const connection = await connect(shell, documents.service.value, { ...flags, readOnly: true });
  try {
    const { memory } = await remembered(shell, documents, connection.target);
    const { onProgress } = connection;
    const parts = {
      shell,
      documents,
      connection,
      commit: undefined,
      expiresAfter: 0,
      onProgress,
      limits: pickLimits(flags),
    };
    const [status, { statusText }, { statusJson }] = await Promise.all([
      readStatus(parts, memory),
      import('../../render/text/status-text.ts'),
      import('../../render/data/report-json.ts'),
    ]);
    if (flags.format === 'json') await printJson(shell.out, statusJson(status));
    else print(shell.out, statusText(status, textStyle(shell.out, shell.env)));
    return EXIT.done;
  } finally {
    await connection.close();
  }
}
