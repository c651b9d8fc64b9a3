import { connect, type ConnectFlags } from '../../operations/connect.ts';
import { hasError, loadDocuments } from '../../operations/documents.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import { EXIT } from '../shell/exit.ts';
import { remembered } from '../../operations/ledger.ts';
import { styleOf, print, printJson } from '../shell/output.ts';
import type { Shell } from '../shell/shell.ts';
import { survey } from '../../operations/survey.ts';

export interface StatusFlags extends ConnectFlags {
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
    const parts = { shell, documents, connection, commit: undefined, expiresAfter: 0, onProgress };
    const { plan, input, diagnostics, follow } = await survey(parts, memory);
    if (hasError(diagnostics)) throw new InvalidDocuments(diagnostics, documents.files);
    const [
      { outlooks },
      { timeoutsOf },
      { fleetStatus: statusOf },
      { statusText },
      { statusJson },
    ] = await Promise.all([
      import('../../plan/explain/outlook.ts'),
      import('../../apply/watch/timeouts.ts'),
      import('../../report/status.ts'),
      import('../../render/text/status-text.ts'),
      import('../../render/data/report-json.ts'),
    ]);
    const followed = follow?.({ memory, now: input.now });
    const status = statusOf({
      plan,
      outlooks: outlooks(input),
      memory,
      ...(followed && { followed }),
      lostAfter: (intent) => timeoutsOf(documents, intent).lost,
      now: input.now,
    });
    if (flags.format === 'json') await printJson(shell.out, statusJson(status));
    else print(shell.out, statusText(status, styleOf(shell.out, shell.env)));
    return EXIT.done;
  } finally {
    await connection.close();
  }
}
