import { printBlocks, printJson } from '../../shell/output.ts';
import { command, type Flag } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { resolvePerson } from '../process/person.ts';
import { collect } from '../program/flags.ts';

const TASKS: Flag<readonly string[]> = {
  value: 'TASK...',
  about: 'IDs of tasks in doubt',
  parse: collect,
  isArgument: true,
};

/**
 * A person records the outcome of tasks in doubt, of all that are named or of none. The records have a name and a reason
 * and close the intents (protocol Q6). The command sends nothing to the service and needs no credentials.
 */
export const resolve = command({
  name: 'resolve',
  summary: 'Record the outcome of tasks in doubt (sends nothing)',
  more: 'Check the devices first. `status` prints TASK, the ID of each. One that is not in doubt refuses all.',
  examples: ['resolve TASK --as done --reason "picture and time are right"'],
  acts: true,
  flags: {
    intent: TASKS,
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
    const { intentsToResolve, resolveOn } = await import('../../operations/intervene/resolve.ts');
    const here = await loadWithTarget(shell, flags);
    const said = { resolution, who: await resolvePerson(shell, flags), why: flags.reason } as const;
    const journal = await openJournalFor(here);
    intentsToResolve(journal.memory, flags.intent, resolution);
    await takeLease(journal, flags, shell);
    try {
      const intents = await resolveOn(journal, flags.intent, said);
      const { resolvedBlocks, resolvedJson } = await import('../../render/outputs/decisions.ts');
      if (flags.format === 'json') await printJson(shell.out, resolvedJson(intents, said));
      else await printBlocks(shell, resolvedBlocks(intents, said));
    } finally {
      await journal.release();
    }
    const { leaveNotes } = await import('../../operations/leave-note.ts');
    await leaveNotes(here, journal);
  },
});
