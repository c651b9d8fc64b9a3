import { printBlocks, printJson } from '../../shell/output.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { resolvePerson } from '../process/person.ts';

/**
 * A person records the outcome of a task in doubt. The record has a name and a reason and closes
 * the intent (protocol Q6). The command sends nothing to the service and needs no credentials.
 */
export const resolve = command({
  name: 'resolve',
  summary: 'Record the outcome of a task in doubt (sends nothing)',
  more: 'Check the device first. `status` prints TASK, its ID.',
  examples: ['resolve TASK --as done --reason "picture and time are right"'],
  acts: true,
  flags: {
    intent: flag.argument('TASK', 'ID of a task in doubt'),
    as: flag.oneOf('OUTCOME', 'Outcome', ['done', 'not-done'], { must: true }),
    reason: flag.reason('Evidence for the outcome', { must: true }),
    by: flag.by,
    ...flag.LEDGER,
    ...flag.LOCK,
    format: flag.format,
  },
  async run(flags, shell) {
    const resolution = flags.as === 'done' ? 'done' : 'notDone';
    const { loadWithTarget } = await import('../../operations/documents.ts');
    const { openJournalFor } = await import('../../operations/ledger.ts');
    const { takeLease } = await import('../../operations/ledger.ts');
    const { intentMeant, resolveOn } = await import('../../operations/intervene/resolve.ts');
    const here = await loadWithTarget(shell, flags);
    const said = { resolution, who: await resolvePerson(shell, flags), why: flags.reason } as const;
    const journal = await openJournalFor(here);
    intentMeant(journal.memory, flags.intent, resolution);
    await takeLease(journal, flags, shell);
    try {
      const intent = await resolveOn(journal, flags.intent, said);
      const { resolvedBlocks, resolvedJson } = await import('../../render/outputs/decisions.ts');
      if (flags.format === 'json') await printJson(shell.out, resolvedJson(intent, said));
      else await printBlocks(shell, resolvedBlocks(intent, said));
    } finally {
      await journal.release();
    }
    const { leaveNotes } = await import('../../operations/leave-note.ts');
    await leaveNotes(here, journal);
  },
});
