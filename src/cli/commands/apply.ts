import { isCi } from '../../lib/ci.ts';
import { countPlanColumns } from '../../model/plan/actor.ts';
import { outcomeOfPlan } from '../../model/report/plan-situation.ts';
import { WorldError, usage } from '../../model/error.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { ApprovedBy, UnmergedBy } from '../../model/ledger/record.ts';
import type { ApplyParts } from '../../operations/apply.ts';
import type { Named } from '../../operations/approval.ts';
import type { NewestDocuments } from '../../operations/gate/overtaken.ts';
import type { Shell } from '../../shell/shell.ts';
import { repeatApply } from '../process/apply-line.ts';
import { confirm, resolvePerson } from '../process/person.ts';
import { command, type FlagsOf } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { planTexts } from './show.ts';
import type { Here } from '../../operations/here.ts';
import { pick } from '../../lib/objects.ts';
import { toDuration } from '../program/flags.ts';

const FLAGS = {
  file: flag.optionalArgument('FILE', 'Saved plan'),
  approved: flag.text('ID[:DIGEST]', 'Apply only the plan with this ID and file digest'),
  yes: flag.on('Skip the confirmation prompt'),
  unmerged: flag.on('Start documents that are not the newest ones'),
  reason: flag.text('REASON', 'Reason to start them, on record'),
  by: flag.by,
  wait: flag.option('DURATION', 'Stay for work that starts within it (terminal: 10m)', toDuration),
  saveSnapshot: flag.saveSnapshot,
  metrics: flag.metrics,
  format: flag.runFormat,
  ...flag.PART,
  ...flag.CONNECTION,
  ...flag.LOCK,
  ...flag.reading(10),
};

interface ApplyFlags extends FlagsOf<typeof FLAGS> {
  /** Where to leave the outcome for the comment on a pull request. */
  readonly outcome?: string;
}

export const apply = command({
  name: 'apply',
  summary: 'Apply, and verify every device',
  more: 'With FILE, only changes that were approved there and are still due.',
  examples: ['apply --yes', 'apply plan.json --yes', 'apply --yes --wait 2h'],
  acts: true,
  flags: FLAGS,
  run: (flags, shell) => runApply(flags, shell),
});

type Observed = Pick<ApplyParts, 'onReport' | 'report'>;

/** How long a run that a person watches stays for work: a short soak ends, a window opens. */
const WATCHED = 10 * 60_000;

/** A plan of one run is never saved, so its expiry does not matter. */
const ONE_RUN = 24 * 3_600_000;

/**
 * Applies the plan and verifies every device. With a file, applies what was approved there and is still
 * valid; without one, the plan that was just shown and confirmed, or with `--yes` the plan made under
 * the lease. With `--yes` nobody may be looking: what keeps it from starting is told as a run that failed is.
 */
export async function runApply(
  flags: ApplyFlags,
  shell: Shell,
  observed: Observed = {},
): Promise<number> {
  if (flags.format === 'ndjson' && !shell.events) {
    const { printRun } = await import('../../operations/outcome/tell-run.ts');
    return printRun(shell, 'apply', (heard) => runApply(flags, heard, observed));
  }
  try {
    return await runHere(flags, shell, observed);
  } catch (error) {
    if (!flags.yes) throw error;
    const { reportUnstarted } = await import('../../operations/outcome/unstarted-run.ts');
    await reportUnstarted(shell, { ...flags, error });
    throw error;
  }
}

async function runHere(flags: ApplyFlags, shell: Shell, observed: Observed): Promise<number> {
  const { parseApproved } = await import('../../operations/approval.ts');
  const { tellStart } = await import('../../operations/outcome/tell-run.ts');
  const { withConnection } = await import('../../operations/connect.ts');
  const { loadDocuments } = await import('../../operations/documents.ts');
  const named = flags.approved === undefined ? undefined : parseApproved(flags.approved);
  if (named?.digest !== undefined && flags.file === undefined) throw usage(NO_FILE);
  const here = await loadDocuments(shell, flags.fleet);
  await tellStart(here);
  if (!flags.yes && !shell.ask) throw new WorldError('confirmationMissing');
  const newest = await compareWithNewest(flags, here);
  const isWatched = shell.ask !== undefined && !isCi(shell.env);
  const stayMs = flags.wait ?? (isWatched ? WATCHED : 0);
  const options = { ...flags, readOnly: false };
  return withConnection(shell, here.documents.service.value, options, async (connection) => {
    const { executeWith } = await import('../../operations/apply.ts');
    const { pickLimits } = await import('../../operations/facts/reading-limits.ts');
    const { keepFirst } = await import('../../operations/snapshot-file.ts');
    const { partResolver } = await import('../../operations/survey.ts');
    const resolvePart = partResolver(flags);
    const parts: ApplyParts = {
      ...here,
      ...connection,
      commit: newest.commit,
      judgedBy: newest,
      expiresAfter: stayMs + ONE_RUN,
      stayMs,
      ...pick(flags, 'lockWait', 'takeOver', 'file', 'outcome'),
      format: flags.format,
      command: 'apply',
      approval: { ...approvalSource(flags, newest), named: named !== undefined },
      limits: pickLimits(flags),
      ...keepFirst(shell, flags.saveSnapshot),
      ...(resolvePart && { resolvePart }),
    };
    const approved = await approvedPlan(flags, named, parts);
    if (approved?.is === 'over') return outcomeOfPlan(approved.plan);
    const next = repeatApply(flags, approved);
    return executeWith({ ...parts, command: next, ...observed }, approved?.plan);
  });
}

/** Says what `--unmerged` does. Throws as `requireNewest`. */
async function compareWithNewest(flags: ApplyFlags, here: Here): Promise<NewestDocuments> {
  const { requireNewest } = await import('../../operations/gate/overtaken.ts');
  const { shell } = here;
  const unmerged = await personOf(flags, shell);
  const newest = await requireNewest(here, unmerged);
  if (!unmerged) return newest;
  const { printMessages } = await import('../../shell/messages.ts');
  const { unmergedWords } = await import('../../render/words/commands.ts');
  printMessages(shell, [unmergedWords(newest.unmerged)]);
  return newest;
}

/** Who starts documents that nobody merged: a person, with a reason; never a job (protocol M8). */
async function personOf(
  { unmerged, reason, by: name, fleet }: ApplyFlags,
  shell: Shell,
): Promise<UnmergedBy | undefined> {
  if (!unmerged) {
    if (reason === undefined && name === undefined) return undefined;
    throw usage('--reason and --by belong to --unmerged');
  }
  if (isCi(shell.env)) throw usage(IN_A_JOB);
  const why = reason?.trim() ?? '';
  if (why === '') throw usage('--unmerged requires --reason TEXT');
  return {
    who: await resolvePerson(shell, { fleet, ...(name !== undefined && { by: name }) }),
    why,
  };
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
  const { checkApproval } = await import('../../operations/approval.ts');
  const { shell, documents, target } = parts;
  const asked = { target, approved };
  if (flags.file !== undefined) {
    const { readApprovedFile } = await import('../../operations/plan-file.ts');
    const { plan, digest } = await readApprovedFile(shell, flags.file);
    checkApproval(plan, { ...asked, digest, now: shell.clock.now() });
    return { is: flags.yes ? 'approved' : await agreed(shell, plan, flags), plan, digest };
  }
  if (flags.yes && approved === undefined) return undefined;
  const { readMemory } = await import('../../operations/ledger.ts');
  const { survey } = await import('../../operations/survey.ts');
  const { requireValid } = await import('../../operations/documents.ts');
  const memory = await readMemory(parts);
  const surveyed = await survey(parts, memory);
  requireValid(surveyed, documents);
  const { plan } = surveyed;
  checkApproval(plan, { ...asked, now: shell.clock.now() });
  if (flags.yes) return { is: 'approved', plan };
  const mayStartLater = (flags.wait ?? 0) > 0 && plan.counts.wait > 0;
  if (plan.counts.run === 0 && memory.open().length === 0 && !mayStartLater) {
    const { printMessages } = await import('../../shell/messages.ts');
    printMessages(shell, await planTexts(shell, plan, { to: shell.err, isSummary: true }));
    const { recordCoverage } = await import('../../operations/facts/record-facts.ts');
    const { coverageOnRecord } = await import('../../plan/coverage-record.ts');
    const before = new Set(memory.coverage.at(-1)?.person);
    await recordCoverage(parts, memory, coverageOnRecord(surveyed, { before }));
    return { is: 'over', plan };
  }
  return { is: await agreed(shell, plan, flags), plan };
}

async function agreed(
  shell: Shell,
  plan: Plan,
  { wait }: Pick<ApplyFlags, 'wait'>,
): Promise<Approved['is']> {
  const { printMessages } = await import('../../shell/messages.ts');
  const asked = { to: shell.err, isPrompted: true, isSummary: true };
  printMessages(shell, await planTexts(shell, plan, asked));
  const { askWords, declinedWords } = await import('../../render/words/commands.ts');
  if (await confirm(shell, askWords(countPlanColumns(plan), wait))) return 'approved';
  printMessages(shell, [declinedWords()]);
  return 'over';
}
