import { WorldError } from '../../model/error.ts';
import { loadDocuments } from '../../operations/documents.ts';
import { EXIT } from '../../shell/exit.ts';
import { openJournalFor } from '../../operations/ledger.ts';
import { textStyle, print, printJson } from '../../shell/output.ts';
import { resolvePerson } from '../process/person.ts';
import type { Shell } from '../../shell/shell.ts';
import { resolveTarget } from '../../operations/target.ts';

export interface UnlockFlags {
  readonly reason: string;
  readonly by?: string;
  readonly fleet: string;
  readonly service?: string;
  readonly format: 'text' | 'json';
}

/**
 * `fleetform unlock`: a person releases the lock of another run, with name and reason on record. It
 * raises the epoch, so that run makes no further attempt even if it is alive, which makes it an
 * emergency stop too (protocol U5). The command sends nothing to the service. Throws `locked` if a
 * third run has taken the lock meanwhile.
 */
export async function unlockCommand(flags: UnlockFlags, shell: Shell): Promise<number> {
  const why = flags.reason.trim();
  if (why === '')
    throw new WorldError('usage', { message: '--reason is required: say why that run may end' });
  const { documents } = await loadDocuments(shell, flags.fleet);
  const who = await resolvePerson(shell, flags);
  const target = resolveTarget(documents.service.value, flags.service, shell.env);
  const journal = await openJournalFor(shell, documents, target);
  const held = await journal.unlock({ label: shell.identity.label, who, why });
  const { unlockedText, unlockedJson } = await import('../../render/text/ledger/lease-text.ts');
  if (flags.format === 'json') await printJson(shell.out, unlockedJson(held, { who, why }));
  else print(shell.out, unlockedText(held, { who, why }, textStyle(shell.out, shell.env)));
  return EXIT.done;
}
