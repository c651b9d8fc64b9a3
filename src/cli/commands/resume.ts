import type { Survey as Reading } from '../../apply/run/execute.ts';
import { formatInstant } from '../../lib/time.ts';
import { PLAN_VERSION } from '../../model/plan/plan.ts';
import type { ApplyParts } from '../../operations/apply.ts';
import { usage } from '../../model/error.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { pick } from '../../lib/objects.ts';

/**
 * Finishes what earlier runs started. It polls tasks in flight, verifies those that ended and settles
 * tasks in doubt if there is evidence; it sends no task. With a scope and a reason it first lifts what
 * is paused there, and says at the end what comes next for it; with a reason or a ticket alone it only
 * lists what is paused (protocol N65). Throws `usage`.
 */
export const resume = command({
  name: 'resume',
  summary: 'Finish what earlier runs started, or lift a pause',
  more: 'Starts no new task. With --reason and no SCOPE, lists the pauses.',
  examples: ['resume --watch 45m', 'resume firmware.axis --reason "fixed" --ticket OPS-7'],
  environment: flag.SERVICE_VARIABLES,
  acts: true,
  flags: {
    ...flag.CONNECTION,
    ...flag.LOCK,
    scope: flag.optionalArgument('SCOPE', 'Paused policy (firmware.NAME), incident or fleet'),
    watch: flag.duration('How long to check tasks in doubt', '0s'),
    /** The former name of `--watch`; `apply --wait` has another meaning. */
    wait: flag.text('[duration]', '', { isHidden: true }),
    reason: flag.text('REASON', 'Reason to lift the pause'),
    by: flag.by,
    ticket: flag.text('TICKET', 'Lift a pause under this ticket'),
    /** The former way to name what is paused. */
    rollout: flag.text('name', '', { isHidden: true }),
    format: flag.format,
  },
  async run(flags, shell) {
    if (flags.wait !== undefined) throw usage(RENAMED);
    const { withConnection } = await import('../../operations/connect.ts');
    const { loadDocuments } = await import('../../operations/documents.ts');
    const { finishWith } = await import('../../operations/apply.ts');
    const lifting = await import('../../operations/intervene/lift.ts');
    const named = flags.scope ?? flags.rollout;
    const lift = { ...flags, ...(named !== undefined && { scope: named }) };
    const mode = lifting.asksToLift(lift);
    const here = await loadDocuments(shell, flags.fleet);
    const options = { ...flags, readOnly: true };
    return withConnection(shell, here.documents.service.value, options, async (connection) => {
      const parts: ApplyParts = {
        ...here,
        ...connection,
        judgedBy: 'startsNothing',
        ...pick(flags, 'lockWait', 'takeOver'),
        watchDoubts: flags.watch,
        format: flags.format,
        command: 'resume',
      };
      if (mode === 'list') return lifting.listHeld(parts);
      const lifted = mode === 'lift' ? await lifting.liftScope(parts, lift) : undefined;
      const ours = { ...parts, ...(lifted && { lifted }) };
      const exit = await finishWith(ours, await nothingToDo(parts));
      if (lifted && shell.stop.requested === 'no') await lifting.printNext(parts, lifted);
      return exit;
    });
  },
});

const RENAMED = '`resume` takes --watch DURATION; --wait is a flag of `apply`';

/** A plan without changes on an unread fleet: work in flight needs neither. */
async function nothingToDo(parts: ApplyParts): Promise<Reading> {
  const { createSnapshot } = await import('../../live/snapshot.ts');
  const { fold } = await import('../../ledger/fold.ts');
  const { planProvenance } = await import('../../operations/plan.ts');
  const takenAt = parts.shell.clock.now();
  const snapshot = createSnapshot({
    takenAt,
    confidence: 'torn',
    discoveredConfidence: 'torn',
    devices: [],
  });
  const at = formatInstant(takenAt);
  return {
    snapshot,
    diagnostics: [],
    noted: () => undefined,
    pending: [],
    plan: {
      version: PLAN_VERSION,
      id: '',
      evaluatedAt: at,
      expiresAt: at,
      inputs: planProvenance(parts, fold([]), { snapshot, digest: '' }),
      changes: { length: 0, [Symbol.iterator]: () => [][Symbol.iterator]() },
      notes: [],
      waves: [],
      verdicts: [],
      counts: { run: 0, wait: 0, skip: 0, note: 0 },
      warnings: [],
    },
  };
}
