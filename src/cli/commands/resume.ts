import type { Survey as Reading } from '../../apply/run/execute.ts';
import { WorldError } from '../../model/error.ts';
import { PLAN_VERSION } from '../../model/plan/plan.ts';
import { formatInstant, parseDuration } from '../../lib/time.ts';
import { finishWith, type ApplyParts } from '../../operations/apply.ts';
import { connect, type ConnectFlags } from '../../operations/connect.ts';
import { loadDocuments } from '../../operations/documents.ts';
import {
  asksToLift,
  liftScope,
  listHeld,
  printNext,
  type LiftFlags,
} from '../../operations/intervene/lift.ts';
import { EXIT } from '../../shell/exit.ts';
import type { Shell } from '../../shell/shell.ts';
import { planProvenance } from '../../operations/plan.ts';

interface ResumeFlags extends ConnectFlags, LiftFlags {
  readonly lockWait: string;
  readonly takeOver?: boolean;
  /** How long to wait for evidence. */
  readonly watch: string;
  /** The former name of `--watch`; `apply --wait` has another meaning. */
  readonly wait?: string | true;
  /** The former way to name what is paused. */
  readonly rollout?: string;
  readonly format: 'text' | 'json';
}

/**
 * `fleetform resume`: finishes what earlier runs started. It polls tasks in flight, verifies those
 * that ended and settles tasks in doubt if there is evidence; it sends no task. With a scope and a
 * reason it first lifts what is paused there, and says at the end what comes next for it; with a
 * reason or a ticket alone it only lists what is paused (protocol N65). Throws `usage`.
 */
export async function resumeCommand(flags: ResumeFlags, shell: Shell): Promise<number> {
  if (flags.wait !== undefined) throw new WorldError('usage', { message: RENAMED });
  const named = flags.scope ?? flags.rollout;
  const lift = { ...flags, ...(named !== undefined && { scope: named }) };
  const mode = asksToLift(lift);
  const { documents } = await loadDocuments(shell, flags.fleet);
  const connection = await connect(shell, documents.service.value, { ...flags, readOnly: true });
  try {
    const parts: ApplyParts = {
      shell,
      documents,
      connection,
      commit: undefined,
      judgedBy: 'startsNothing',
      expiresAfter: 0,
      onProgress: connection.onProgress,
      waitMs: parseDuration(flags.lockWait) ?? 0,
      takeOver: flags.takeOver === true,
      watchDoubts: parseDuration(flags.watch) ?? 0,
      format: flags.format,
      command: 'resume',
    };
    if (mode === 'list') {
      await listHeld(parts);
      return EXIT.done;
    }
    const lifted = mode === 'lift' ? await liftScope(parts, lift) : undefined;
    const ours = { ...parts, ...(lifted && { lifted }) };
    const exit = await finishWith(ours, await nothingToDo(parts));
    if (lifted && shell.stop.requested === 'no') await printNext(parts, lifted);
    return exit;
  } finally {
    await connection.close();
  }
}

const RENAMED = '`resume` takes --watch DURATION; --wait is a flag of `apply`';

/** A plan without changes on an unread fleet: work in flight needs neither. */
async function nothingToDo(parts: ApplyParts): Promise<Reading> {
  const [{ createSnapshot }, { fold }] = await Promise.all([
    import('../../live/snapshot.ts'),
    import('../../ledger/fold.ts'),
  ]);
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
