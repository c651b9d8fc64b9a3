import { usage } from '../../model/error.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { FINISHING, finishOpen } from './recover.ts';

/**
 * Lifts what is paused, with a reason on record, finishes what earlier runs started, and says what comes
 * next for it. Without a SCOPE it only lists what is paused (protocol N65). Throws `usage`.
 */
export const unpause = command({
  name: 'unpause',
  summary: 'Let it go on',
  more: 'Records the reason. Starts no new task; the next apply does. Without SCOPE, lists what is paused.',
  examples: ['unpause', 'unpause firmware.axis --reason "fixed" --ticket OPS-7'],
  acts: true,
  flags: {
    ...FINISHING,
    scope: flag.optionalArgument('SCOPE', flag.SCOPE),
    site: flag.site,
    reason: flag.reason('Reason for which it may go on'),
    by: flag.by,
    ticket: flag.text('TICKET', 'Ticket, where the pause or the stop rule requires one'),
  },
  async run(flags, shell) {
    const { by, reason, site } = flags;
    const scope = flags.scope ?? (site === undefined ? undefined : 'fleet');
    if (scope === undefined) {
      if (by !== undefined) throw usage('--by names who ends a pause: add its SCOPE');
      if (flags.format === 'json')
        throw usage('--format json is of what ends a pause: add its SCOPE; `status` lists pauses');
      const { listHeld } = await import('../../operations/intervene/lift.ts');
      const { loadWithTarget } = await import('../../operations/documents.ts');
      return listHeld(await loadWithTarget(shell, flags), flags);
    }
    if (reason === undefined) throw usage(`--reason is required: say why ${scope} may go on`);
    return finishOpen('unpause', flags, shell, { ...flags, scope });
  },
});
