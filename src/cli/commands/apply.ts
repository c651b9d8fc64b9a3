import { countPlanColumns } from '../../model/plan/actor.ts';
import type { RunReport } from '../../model/ledger/run-report.ts';
import { outcomeOfPlan } from '../../model/report/plan-situation.ts';
import { WorldError } from '../../model/error.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { ApprovedBy, UnmergedBy } from '../../model/ledger/record.ts';
import { parseDuration } from '../../lib/time.ts';
import { executeWith, type ApplyParts } from '../../operations/apply.ts';
import { repeatApply } from '../process/apply-line.ts';
import { confirm } from '../process/confirm.ts';
import { resolvePerson } from '../process/person.ts';
import { connect, type ConnectFlags } from '../../operations/connect.ts';
import { pickLimits, type ReadingLimits } from '../../operations/facts/reading-limits.ts';
import { hasError, loadDocuments } from '../../operations/documents.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import { readMemory } from '../../operations/ledger.ts';
import { readApprovedFile } from '../../operations/plan-file.ts';
import { requireNewest, type NewestDocuments } from '../../operations/gate/overtaken.ts';
import type { Shell } from '../../shell/shell.ts';
import { planTexts } from './show-plan.ts';
import { printMessages } from '../../shell/messages.ts';
import { keepFirst } from '../../operations/snapshot-file.ts';
import { partResolver, survey } from '../../operations/survey.ts';
import { isCi } from '../../lib/ci.ts';
import type { PartFlags } from '../../plan/part/resolve-part.ts';
import { checkApproval, parseApproved, type Named } from '../../operations/approval.ts';

interface ApplyFlags extends ConnectFlags, ReadingLimits, PartFlags {
  readonly file?: string;
  readonly approved?: string;
  readonly yes?: boolean;
  readonly wait: string;
  readonly lockWait: string;
  readonly takeOver?: boolean;
  /** Start documents that are not the newest, for a reason that is recorded. */
  readonly unmerged?: boolean;
  readonly reason?: string;
  readonly by?: string;
  readonly saveSnapshot?: string;
  /** Where to leave the outcome for the comment on a pull request. */
  readonly outcome?: string;
  /** Where to leave the metrics of the run; absent: nowhere. */
  readonly metrics?: string;
  readonly format: 'text' | 'json';
}

/** A plan of one run is never saved, so its expiry does not matter. */
const ONE_RUN = 24 * 3_600_000;

/**
 * `fleetform apply [FILE]`: applies the plan and verifies every device. With a file, applies what
 * was approved there and is still valid; without one, the plan that was just shown and confirmed,
 * or with `--yes` the plan made under the lease.
 */
export async function applyCommand(
  flags: ApplyFlags,
  shell: Shell,
  observed: Pick<ApplyParts, 'onReport'> = {},
): Promise<number> {
  if (flags.metrics === undefined) return applyFlags(flags, shell, observed);
  const { measureRun } = await import('../../operations/outcome/leave-metrics.ts');
  return measureRun(shell, flags.metrics, (measure) => {
    const onReport = (report: RunReport): void => {
      measure(report);
      observed.onReport?.(report);
    };
    return applyFlags(flags, shell, { onReport });
  });
}

async function applyFlags(
  flags: ApplyFlags,
  shell: Shell,
  observed: Pick<ApplyParts, 'onReport'>,
): Promise<number> {
  const named = flags.approved === undefined ? undefined : parseApproved(flags.approved);
  if (named?.digest !== undefined && flags.file === undefined)
    throw new WorldError('usage', { message: NO_FILE });
  const { documents } = await loadDocuments(shell, flags.fleet);
  if (!flags.yes && !shell.ask) throw new WorldError('confirmationMissing');
  const newest = await compareWithNewest(flags, shell, documents);
  const connection = await connect(shell, documents.service.value, { ...flags, readOnly: false });
  try {
    const { onProgress } = connection;
    const stayMs = parseDuration(flags.wait) ?? 0;
    const resolvePart = await partResolver(flags);
    const parts: ApplyParts = {
      shell,
      documents,
      connection,
      commit: newest.commit,
      judgedBy: newest,
      expiresAfter: stayMs + ONE_RUN,
      stayMs,
      onProgress,
      waitMs: parseDuration(flags.lockWait) ?? 0,
      takeOver: flags.takeOver === true,
      format: flags.format,
      command: 'apply',
      ...(flags.file !== undefined && { file: flags.file }),
      ...(flags.outcome !== undefined && { outcome: flags.outcome }),
      approval: { ...approvalSource(flags, newest), named: named !== undefined },
      limits: pickLimits(flags),
      ...keepFirst(shell, flags.saveSnapshot),
      ...(resolvePart && { resolvePart }),
    };
    const approved = await approvedPlan(flags, named, parts);
    if (approved?.is === 'over') return outcomeOfPlan(approved.plan);
    const command = repeatApply(flags, approved);
    return await executeWith({ ...parts, command, ...observed }, approved?.plan);
  } finally {
    await connection.close();
  }
}

/** Says what `--unmerged` does. Throws as `requireNewest`. */
async function compareWithNewest(
  flags: ApplyFlags,
  shell: Shell,
  documents: Documents,
): Promise<NewestDocuments> {
  const unmerged = await personOf(flags, shell);
  const newest = await requireNewest(shell, documents, { unmerged });
  if (!unmerged) return newest;
  const { unmergedWords } = await import('../../render/words/commands.ts');
  printMessages(shell, [unmergedWords(newest.unmerged)]);
  return newest;
}

/** Who starts documents that nobody merged: a person, with a reason; never a job (protocol M8). */
async function personOf(
  { unmerged, reason, by, fleet }: ApplyFlags,
  shell: Shell,
): Promise<UnmergedBy | undefined> {
  if (!unmerged) {
    if (reason === undefined && by === undefined) return undefined;
    throw new WorldError('usage', { message: '--reason and --by belong to --unmerged' });
  }
  if (isCi(shell.env)) throw new WorldError('usage', { message: IN_A_JOB });
  const why = reason?.trim() ?? '';
  if (why === '') throw new WorldError('usage', { message: '--unmerged requires --reason TEXT' });
  return { who: await resolvePerson(shell, { fleet, ...(by !== undefined && { by }) }), why };
}

const IN_A_JOB = '--unmerged is for a run by hand: a job applies the newest documents';

const NO_FILE = '--approved ID:DIGEST requires the file: `apply FILE --approved ID:DIGEST`';

function approvalSource({ file, yes }: ApplyFlags, { unmerged }: NewestDocuments) {
  const plain: ApprovedBy = yes === true ? 'commit' : 'terminal';
  return { by: file === undefined ? plain : ('file' as const), ...(unmerged && { unmerged }) };
}

/** What a run may do, and the digest of its file if it is a saved plan; `over`: there is none. */
interface Approved {
  readonly is: 'approved' | 'over';
  readonly plan: Plan;
  readonly digest?: string;
}

/**
 * The approved changes: the plan of the file, the plan that was shown and confirmed, or undefined
 * for every change found. What a plan without work shows is recorded (semantics M30).
 */
async function approvedPlan(
  flags: ApplyFlags,
  approved: Named | undefined,
  parts: ApplyParts,
): Promise<Approved | undefined> {
  const { shell, documents, connection, stayMs = 0 } = parts;
  if (flags.file !== undefined) {
    const { plan, digest } = await readApprovedFile(shell, flags.file);
    checkApproval(plan, {
      target: connection.target,
      approved,
      digest,
      now: shell.clock.now(),
    });
    return { is: flags.yes ? 'approved' : await agreed(shell, plan), plan, digest };
  }
  if (flags.yes && approved === undefined) return undefined;
  const memory = await readMemory(shell, documents, connection.target);
  const surveyed = await survey(parts, memory);
  const { plan, diagnostics } = surveyed;
  if (hasError(diagnostics)) throw new InvalidDocuments(diagnostics, documents.files);
  checkApproval(plan, {
    target: connection.target,
    approved,
    now: shell.clock.now(),
  });
  if (flags.yes) return { is: 'approved', plan };
  const mayStartLater = stayMs > 0 && plan.counts.wait > 0;
  if (plan.counts.run === 0 && memory.open().length === 0 && !mayStartLater) {
    printMessages(shell, await planTexts(shell, plan, { to: shell.err }));
    const { recordCoverage } = await import('../../operations/facts/record-facts.ts');
    await recordCoverage(parts, memory, surveyed);
    return { is: 'over', plan };
  }
  return { is: await agreed(shell, plan), plan };
}

async function agreed(shell: Shell, plan: Plan): Promise<Approved['is']> {
  printMessages(shell, await planTexts(shell, plan, { to: shell.err, isPrompted: true }));
  const { askWords, declinedWords } = await import('../../render/words/commands.ts');
  if (await confirm(shell, askWords(countPlanColumns(plan)))) return 'approved';
  printMessages(shell, [declinedWords()]);
  return 'over';
}
