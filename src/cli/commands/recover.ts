import type { Survey as Reading } from '../../apply/run/execute.ts';
import { formatInstant } from '../../lib/time.ts';
import { PLAN_VERSION } from '../../model/plan/plan.ts';
import type { ApplyParts } from '../../operations/apply.ts';
import type { LiftFlags } from '../../operations/intervene/lift.ts';
import type { Shell } from '../../shell/shell.ts';
import { command, type FlagsOf } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { pick } from '../../lib/objects.ts';

/** The flags of a command that finishes what earlier runs started. */
export const FINISHING = {
  ...flag.CONNECTION,
  ...flag.LOCK,
  watch: flag.duration('How long to check tasks in doubt', '0s'),
  format: flag.format,
};

/**
 * Finishes what earlier runs started. It polls tasks in flight, verifies those that ended and settles
 * tasks in doubt if there is evidence; it sends no task.
 */
export const recover = command({
  name: 'recover',
  summary: 'Finish what earlier runs started',
  more: 'Starts no new task. With --watch, keeps looking for evidence about tasks in doubt.',
  examples: ['recover --watch 45m'],
  acts: true,
  flags: { ...FINISHING, metrics: flag.metrics, format: flag.runFormat },
  async run(flags, shell) {
    if (flags.format !== 'ndjson') return finishOpen('recover', flags, shell);
    const { printRun } = await import('../../operations/outcome/tell-run.ts');
    return printRun(shell, 'recover', (heard) => finishOpen('recover', flags, heard));
  },
});

/** Finishes open work, after it has lifted what is paused where `lift` is given (protocol N65). Returns the exit code. */
export async function finishOpen(
  name: string,
  flags: Omit<FlagsOf<typeof FINISHING>, 'format'> & Pick<ApplyParts, 'format'>,
  shell: Shell,
  lift?: LiftFlags,
): Promise<number> {
  const { withConnection } = await import('../../operations/connect.ts');
  const { loadDocuments } = await import('../../operations/documents.ts');
  const { finishWith } = await import('../../operations/apply.ts');
  const { tellStart } = await import('../../operations/outcome/tell-run.ts');
  const lifting = await import('../../operations/intervene/lift.ts');
  const here = await loadDocuments(shell, flags.fleet);
  await tellStart(here);
  const options = { ...flags, readOnly: true };
  return withConnection(shell, here.documents.service.value, options, async (connection) => {
    const parts: ApplyParts = {
      ...here,
      ...connection,
      judgedBy: 'startsNothing',
      ...pick(flags, 'lockWait', 'takeOver'),
      watchDoubts: flags.watch,
      format: flags.format,
      command: name,
    };
    const lifted = lift && (await lifting.liftScope(parts, lift));
    const ours = { ...parts, ...(lifted && { lifted }) };
    const exit = await finishWith(ours, await nothingToDo(parts));
    if (lifted && shell.stop.requested === 'no') await lifting.printNext(parts, lifted);
    return exit;
  });
}

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
    debts: new Map(),
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
