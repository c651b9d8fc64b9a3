import { resolve } from 'node:path';
import { InvalidDocuments } from '../../../model/documents/quoted.ts';
import type { Memory } from '../../../model/ledger/memory.ts';
import { connect } from '../../../operations/connect.ts';
import { hasError, loadDocuments } from '../../../operations/documents.ts';
import { pickLimits, READING_SECONDS } from '../../../operations/facts/reading-limits.ts';
import type { PlannedSurvey } from '../../../operations/plan.ts';
import { openJournalFor, readMemory } from '../../../operations/ledger.ts';
import { readCommit } from '../../../operations/repository.ts';
import { partResolver, survey, type SurveyParts } from '../../../operations/survey.ts';
import type { PartFlags } from '../../../plan/part/resolve-part.ts';
import { toPartIds } from '../../../model/plan/part.ts';
import type { ProposalFound } from '../../../render/words/approval-words.ts';
import { WorldError } from '../../../model/error.ts';
import { findAuthor } from '../../../operations/intervene/author.ts';
import { EXIT } from '../../../shell/exit.ts';
import { reportError, reportInvalid } from '../../../shell/failure.ts';
import { print, printWrapped } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { addStepOutputs } from '../../process/step-outputs.ts';
import { addToSummary } from '../../process/step-summary.ts';
import { planTexts } from '../show-plan.ts';
import { hasCredentials } from './plan.ts';

interface CiProposalFlags extends PartFlags {
  readonly fleet: string;
  /** Where to keep the outcomes that are shown. */
  readonly out: string;
  /** A folder with the saved plans of the requests, each in a folder of its number. */
  readonly reviewed?: string;
  /** Only say whether a scheduled run has work. */
  readonly work?: boolean;
  /** Only find the runs that planned the requests merged since the last approval. */
  readonly findReviewed?: boolean;
  /** The name of the artifact with that plan. */
  readonly artifact: string;
}

/**
 * `fleetform ci look`: plans the newest commit of the default branch, shows the plan, what of it
 * awaits approval and the requests merged since the last one, and keeps the outcomes for the gate
 * (semantics N74); of a part only what belongs to it (semantics N41). What the documents no longer want
 * is withdrawn first. With `--work` it only says whether a scheduled run has anything to do (semantics
 * N78).
 */
export async function ciProposalCommand(flags: CiProposalFlags, shell: Shell): Promise<number> {
  if (flags.findReviewed) return (await import('./compare-reviewed.ts')).findReviewed(flags, shell);
  if (!flags.work) return runProposal(flags, shell);
  try {
    return await runProposal(flags, shell);
  } catch (error) {
    if (error instanceof InvalidDocuments) await reportInvalid(error, false, shell);
    else if (error instanceof WorldError && error.code !== 'stopped')
      await reportError(error, false, shell);
    else throw error;
    // The job of apply ends in the same way, and tells of it.
    return unknownWork(shell);
  }
}

async function runProposal(flags: CiProposalFlags, shell: Shell): Promise<number> {
  const { documents } = await loadDocuments(shell, flags.fleet);
  if (flags.work && !hasCredentials(shell.env)) return unknownWork(shell);
  const connection = await connect(shell, documents.service.value, {
    fleet: flags.fleet,
    readOnly: true,
  });
  try {
    const commit = await readCommit(shell, flags.fleet);
    const { onProgress } = connection;
    const resolvePart = await partResolver(flags);
    const limits = flags.work ? { maxReads: 0 } : pickLimits({ seconds: READING_SECONDS.ci });
    const parts: SurveyParts = {
      shell,
      documents,
      connection,
      commit,
      onProgress,
      limits,
      expiresAfter: 0,
      ...(resolvePart && { resolvePart }),
    };
    const memory = await readMemory(shell, documents, connection.target);
    return await (flags.work ? printWork(parts, memory) : propose(flags, parts, memory));
  } finally {
    await connection.close();
  }
}

/** Without a client of its own, and after a failure, this job cannot know: the next one looks for itself. */
async function unknownWork(shell: Shell): Promise<number> {
  const { WORK_WORDS } = await import('../../../render/words/approval-words.ts');
  await printWrapped(shell, [WORK_WORDS.unknown]);
  addStepOutputs(shell, { work: 'true' });
  return EXIT.done;
}

async function planned(parts: SurveyParts, memory: Memory): Promise<PlannedSurvey> {
  const surveyed = await survey(parts, memory);
  if (hasError(surveyed.diagnostics))
    throw new InvalidDocuments(surveyed.diagnostics, parts.documents.files);
  return surveyed;
}

async function printWork(parts: SurveyParts, memory: Memory): Promise<number> {
  const { shell } = parts;
  const [{ openFactBook }, { findWork }, { WORK_WORDS }] = await Promise.all([
    import('../../../operations/facts/fact-book.ts'),
    import('../../../operations/gate/found-work.ts'),
    import('../../../render/words/approval-words.ts'),
  ]);
  const book = await openFactBook(parts, memory, parts.limits);
  const surveyed = await planned({ ...parts, book }, memory);
  const now = shell.clock.now();
  const found = findWork(surveyed, memory, { now, factsAt: book.newestAt });
  await printWrapped(shell, [WORK_WORDS[found]]);
  addStepOutputs(shell, { work: String(found !== 'none') });
  return EXIT.done;
}

async function propose(
  flags: CiProposalFlags,
  parts: SurveyParts,
  before: Memory,
): Promise<number> {
  const { shell, documents, connection } = parts;
  const [gate, { checkMerged }, { withdrawUnwantedNow }, words] = await Promise.all([
    import('../../../operations/gate/default-branch.ts'),
    import('../../../operations/gate/merged.ts'),
    import('../../../operations/gate/withdraw.ts'),
    import('../../../render/words/approval-words.ts'),
  ]);
  const found = await gate.readDefaultBranch(shell, documents, { isFetched: true });
  const commit = await checkMerged(shell, documents, parts.commit, gate.requireClear(found));
  let memory = await standNow(parts, before);
  const first = await planned(parts, memory);
  let surveyed = first;
  if (first.unwanted) {
    const journal = await openJournalFor(shell, documents, connection.target);
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
  await summarise(shell, surveyed, lines);
  return EXIT.done;
}

/** A look records that plans are approved from now on (protocol M9). */
async function standNow(
  { shell, documents, connection }: SurveyParts,
  before: Memory,
): Promise<Memory> {
  const isPlan = documents.service.value.approval.is === 'plan';
  if (!isPlan || before.ground?.approval === 'plan') return before;
  const journal = await openJournalFor(shell, documents, connection.target);
  await journal.stand();
  return journal.memory;
}

interface Proposed {
  readonly surveyed: PlannedSurvey;
  readonly memory: Memory;
  readonly commit: string;
}

async function describe(
  { out, reviewed }: CiProposalFlags,
  { shell, documents }: SurveyParts,
  { surveyed, memory, commit }: Proposed,
): Promise<Omit<ProposalFound, 'withdrawn'>> {
  const [{ shownDigest, formatShown }, { wantedOutcomes }, { mergedSince }, gate, { replaceFile }] =
    await Promise.all([
      import('../../../operations/gate/shown.ts'),
      import('../../../plan/compare/wanted-outcomes.ts'),
      import('../../../operations/gate/requests.ts'),
      import('../../../operations/gate/newest-approved.ts'),
      import('../../../store/local-file.ts'),
    ]);
  const { plan } = surveyed;
  const newest = await gate.newestApproved(shell, documents, memory);
  const since = newest?.is === 'known' ? newest.approval.commit : undefined;
  const pulls = await mergedSince(shell, documents, { from: since, to: commit });
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
  const { compareReviewed } = await import('./compare-reviewed.ts');
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

async function summarise(
  shell: Shell,
  { plan }: PlannedSurvey,
  lines: readonly string[],
): Promise<void> {
  const [{ planMarkdown }, { buildPlanView }, { runSummary }] = await Promise.all([
    import('../../../render/markdown/plan-markdown.ts'),
    import('../../../render/view/view.ts'),
    import('../../../render/words/job-words.ts'),
  ]);
  const view = buildPlanView(plan);
  const above = runSummary('fleetform look', lines.join('\n'), 8_000);
  addToSummary(
    shell,
    (limit) => `${above}\n${planMarkdown(view, { limit: limit - above.length - 1 })}`,
  );
}
