import { join, resolve } from 'node:path';
import { InvalidDocuments } from '../../../model/documents/quoted.ts';
import { WorldError } from '../../../model/error.ts';
import type { Memory } from '../../../model/ledger/memory.ts';
import { toPartIds } from '../../../model/plan/part.ts';
import type { PlannedSurvey } from '../../../operations/plan.ts';
import type { SurveyParts } from '../../../operations/survey.ts';
import type { ProposalFound } from '../../../render/words/approval-words.ts';
import { missingCredentials } from '../../../shell/credentials.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print, printWrapped } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { addStepOutputs, clearIncoming, saveIncoming } from '../../process/step.ts';
import { command, type FlagsOf } from '../../program/command.ts';
import * as flag from '../../program/flags.ts';
import { planTexts } from '../show.ts';
import { addPlanToSummary } from './plan.ts';
import type { LedgerHere, Here } from '../../../operations/here.ts';

const FLAGS = {
  ...flag.PART_INPUTS,
  fleet: flag.fleet,
  out: flag.outFile('Output file for the gate', 'fleetform-shown.json'),
  reviewed: flag.text('FOLDER', 'Saved plans of the merged requests, by number'),
  findReviewed: flag.on('Print the workflow runs that planned those requests'),
  artifact: flag.text('NAME', 'Name of the artifact with such a plan', {
    default: 'fleetform-plan',
  }),
  work: flag.on('Print only whether a scheduled run has work'),
};

type LookFlags = FlagsOf<typeof FLAGS>;

/**
 * Plans the newest commit of the default branch, shows the plan, what of it awaits approval and the
 * requests merged since the last one, and keeps the outcomes for the gate (semantics N74); of a part only
 * what belongs to it (semantics N41). What the documents no longer want is withdrawn first. With `--work`
 * it only says whether a scheduled run has anything to do (semantics N78).
 */
export const ciLook = command({
  name: 'ci look',
  summary: 'Show what awaits approval and save it for the gate',
  examples: ['ci look', 'ci look --work', 'ci look --site "HQ Berlin"'],
  environment: flag.SERVICE_VARIABLES,
  flags: FLAGS,
  async run(flags, shell) {
    if (flags.findReviewed) return handOverReviewed(flags, shell);
    if (!flags.work) return look(flags, shell);
    try {
      return await look(flags, shell);
    } catch (error) {
      const { reportError, reportInvalid } = await import('../../../shell/failure.ts');
      if (error instanceof InvalidDocuments) await reportInvalid(error, false, shell);
      else if (error instanceof WorldError && error.code !== 'stopped')
        await reportError(error, false, shell);
      else throw error;
      // The job of apply ends in the same way, and tells of it.
      return unknownWork(shell, 'failed');
    }
  },
});

/**
 * Hands the plans of the requests merged since the last approval, or in a merge queue of the request that it tries, to the next step, by their numbers:
 * `incoming/7/fleetform-plan.json`, and one output `7:4711 8:4713` for those that the step fetches. Nothing depends on
 * it, so no failure of the forge or of the ledger fails it.
 */
async function handOverReviewed(flags: LookFlags, shell: Shell): Promise<void> {
  const { findPlans, PLAN_FILE, requestNumber } =
    await import('../../../operations/gate/reviewed-plans.ts');
  const { REVIEWED_WORDS } = await import('../../../render/words/approval-words.ts');
  clearIncoming(shell);
  try {
    const found = await findPlans(shell, flags);
    if (found.length === 0) await printWrapped(shell, [REVIEWED_WORDS.noRequest()]);
    for (const { name, plan } of found)
      await printWrapped(shell, [REVIEWED_WORDS[plan ? 'found' : 'noPlan'](name)]);
    const runs: string[] = [];
    for (const { name, plan } of found) {
      const number = requestNumber(name);
      if (number === undefined || !plan) continue;
      if (plan.is === 'run') runs.push(`${number}:${plan.run}`);
      else await saveIncoming(shell, join(number, PLAN_FILE), plan.content);
    }
    if (runs.length > 0) addStepOutputs(shell, { runs: runs.join(' ') });
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    await printWrapped(shell, [REVIEWED_WORDS.noForge()]);
  }
}

async function look(flags: LookFlags, shell: Shell): Promise<number> {
  const { withConnection } = await import('../../../operations/connect.ts');
  const { loadDocuments } = await import('../../../operations/documents.ts');
  const { READING_SECONDS } = await import('../../../operations/facts/reading-limits.ts');
  const { readMemory } = await import('../../../operations/ledger.ts');
  const { commitOf } = await import('../../../operations/gate/overtaken.ts');
  const { partResolver } = await import('../../../operations/survey.ts');
  const here = await loadDocuments(shell, flags.fleet);
  if (flags.work && missingCredentials(shell.env).length > 0) return unknownWork(shell, 'unknown');
  const options = { fleet: flags.fleet, readOnly: true };
  return withConnection(shell, here.documents.service.value, options, async (connection) => {
    const commit = await commitOf(here);
    const resolvePart = partResolver(flags);
    const parts: SurveyParts = {
      ...here,
      ...connection,
      commit,
      limits: flags.work ? { maxReads: 0 } : { seconds: READING_SECONDS.ci },
      ...(resolvePart && { resolvePart }),
    };
    const memory = await readMemory(parts);
    return flags.work ? printWork(parts, memory) : propose(flags, parts, memory);
  });
}

/** Without a client of its own, and after a failure, this job cannot know: the next one looks for itself. */
async function unknownWork(shell: Shell, why: 'unknown' | 'failed'): Promise<number> {
  const { WORK_WORDS } = await import('../../../render/words/approval-words.ts');
  await printWrapped(shell, [WORK_WORDS[why]]);
  addStepOutputs(shell, { work: 'true' });
  return EXIT.done;
}

async function planned(parts: SurveyParts, memory: Memory): Promise<PlannedSurvey> {
  const { requireValid } = await import('../../../operations/documents.ts');
  const { survey } = await import('../../../operations/survey.ts');
  const surveyed = await survey(parts, memory);
  requireValid(surveyed, parts.documents);
  return surveyed;
}

async function printWork(parts: SurveyParts, memory: Memory): Promise<number> {
  const { shell } = parts;
  const { openFactBook } = await import('../../../operations/facts/fact-book.ts');
  const { findWork } = await import('../../../operations/gate/found-work.ts');
  const { WORK_WORDS } = await import('../../../render/words/approval-words.ts');
  const book = await openFactBook(parts, memory, parts.limits);
  const surveyed = await planned({ ...parts, book }, memory);
  const now = shell.clock.now();
  const found = findWork(surveyed, memory, { now, factsAt: book.newestAt });
  await printWrapped(shell, [WORK_WORDS[found]]);
  addStepOutputs(shell, { work: String(found !== 'none') });
  return EXIT.done;
}

async function propose(flags: LookFlags, parts: SurveyParts, before: Memory): Promise<number> {
  const { shell } = parts;
  const gate = await import('../../../operations/gate/default-branch.ts');
  const { withdrawUnwantedNow } = await import('../../../operations/gate/withdraw.ts');
  const { findAuthor } = await import('../../../operations/intervene/author.ts');
  const { openJournalFor } = await import('../../../operations/ledger.ts');
  const words = await import('../../../render/words/approval-words.ts');
  const found = await gate.readDefaultBranch(parts, { isFetched: true });
  const commit = await gate.checkMerged(parts, parts.commit, gate.requireClear(found));
  const { refuseEarlierApprovals } = await import('../../../operations/gate/approvers.ts');
  await refuseEarlierApprovals(parts, before);
  let memory = await standNow(parts, before);
  const first = await planned(parts, memory);
  let surveyed = first;
  if (first.unwanted) {
    const journal = await openJournalFor(parts);
    await withdrawUnwantedNow(journal, first, await findAuthor(shell));
    ({ memory } = journal);
    surveyed = await planned(parts, memory);
  }
  const shown = await describe(flags, parts, { surveyed, memory, commit });
  const withdrawn = first.unwanted?.length ?? 0;
  const lines = words.proposalWords({ ...shown, withdrawn });
  print(shell.out, await planTexts(shell, surveyed.plan, { to: shell.out, isPrompted: true }));
  print(shell.out, ['']);
  await printWrapped(shell, lines);
  const { runSummary } = await import('../../../render/words/job-words.ts');
  const above = `${runSummary('fleetform look', lines.join('\n'), 8_000)}\n`;
  await addPlanToSummary(shell, surveyed.plan, above);
  return EXIT.done;
}

/** A look records that plans are approved from now on (protocol M9). */
async function standNow(here: LedgerHere, before: Memory): Promise<Memory> {
  const isPlan = here.documents.service.value.approval.is === 'plan';
  if (!isPlan || before.ground?.approval === 'plan') return before;
  const { openJournalFor } = await import('../../../operations/ledger.ts');
  const journal = await openJournalFor(here);
  await journal.stand();
  return journal.memory;
}

interface Proposed {
  readonly surveyed: PlannedSurvey;
  readonly memory: Memory;
  readonly commit: string;
}

async function describe(
  { out, reviewed }: LookFlags,
  here: Here,
  { surveyed, memory, commit }: Proposed,
): Promise<Omit<ProposalFound, 'withdrawn'>> {
  const { shownDigest, formatShown } = await import('../../../operations/gate/shown.ts');
  const { wantedOutcomes } = await import('../../../plan/compare/wanted-outcomes.ts');
  const { mergedSince } = await import('../../../operations/gate/requests.ts');
  const gate = await import('../../../operations/gate/newest-approved.ts');
  const { replaceFile } = await import('../../../store/local-file.ts');
  const { shell } = here;
  const { plan } = surveyed;
  const newest = await gate.newestApproved(here, memory);
  const since = newest?.is === 'known' ? newest.approval.commit : undefined;
  const pulls = await mergedSince(here, { from: since, to: commit });
  const changes = wantedOutcomes(plan.changes);
  const { documents: digest } = plan.inputs;
  const text = formatShown({
    planId: plan.id,
    commit,
    documents: digest,
    pulls,
    changes,
    head: memory.head,
    ...(plan.part && { part: toPartIds(plan.part) }),
  });
  await replaceFile(resolve(shell.cwd, out), text);
  const awaiting = [...plan.changes].filter(
    ({ reason }) => reason.code === 'awaitsApproval',
  ).length;
  const isSame = newest?.is === 'known' && newest.approval.documents === digest;
  // A part approves no documents: without a change that waits, its gate has nothing to approve.
  const isOpen = surveyed.input.approvals !== undefined && !isSame && !plan.part;
  const needed = awaiting > 0 || isOpen;
  addStepOutputs(shell, {
    commit,
    digest: shownDigest(text),
    needed: String(needed),
    plan: plan.id,
  });
  const { compareReviewed } = await import('../../../operations/gate/reviewed-plans.ts');
  const compared =
    reviewed && (await compareReviewed(shell, reviewed, { pulls, changes, part: plan.part }));
  return {
    planId: plan.id,
    shown: `${out}, digest ${shownDigest(text)}`,
    pulls,
    awaiting,
    wanted: changes.length,
    needed,
    ...(since !== undefined && { since }),
    ...(compared && { reviewed: compared }),
  };
}
