import { requestsOfRun } from '../model/ledger/run-requests.ts';
import { account } from '../apply/run/accounting.ts';
import { type ExecuteInput, type Survey as Reading, execute } from '../apply/run/execute.ts';
import { Bug } from '../lib/bug.ts';
import { isUsageError, WorldError } from '../model/error.ts';
import { hasReport, type RunReport } from '../model/ledger/run-report.ts';
import { reportOutage } from '../model/progress.ts';
import { countDevices } from '../model/plan/coverage.ts';
import type { Plan } from '../model/plan/plan.ts';
import { reportLostWords } from '../render/words/last-words.ts';
import type { Approval } from '../plan/plan.ts';
import type { Milliseconds } from '../lib/time.ts';
import { requireValid } from './documents.ts';
import type { NewestDocuments } from './gate/overtaken.ts';
import type { Held } from './intervene/held.ts';
import { type FactBook, openFactBook } from './facts/fact-book.ts';
import { READING_SECONDS } from './facts/reading-limits.ts';
import { InvalidDocuments } from '../model/documents/quoted.ts';
import { EXIT } from '../shell/exit.ts';
import { exitOfRun } from '../shell/exit-of-run.ts';
import { reportBug, reportError, reportInvalid } from '../shell/failure.ts';
import { leaveOutcome } from './outcome/leave-outcome.ts';
import { notifyFailure, notifyRun } from './outcome/notify-run.ts';
import {
  takeLease,
  type LeaseOptions,
  openJournalFor,
  openJournalOn,
  remembered,
} from './ledger.ts';
import { runStatus } from './status.ts';
import { printMessages } from '../shell/messages.ts';
import { launcherWords } from '../render/words/commands.ts';
import type { Output } from '../shell/shell.ts';
import { pick } from '../lib/objects.ts';
import { printJson, printBlocks, sayBlocks } from '../shell/output.ts';
import { survey, type SurveyParts } from './survey.ts';
import { localSpool } from '../store/store.ts';
import { recordCoverage, recordPublished } from './facts/record-facts.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { Journal } from '../model/ports.ts';
import { renamesIn, underPresentNames } from '../plan/present-names.ts';
import { owesRecord } from '../plan/work-ahead.ts';

type Lifted = Pick<Held, 'scope' | 'what'>;

/** The inputs of a command that writes, besides the parts of a survey. */
export interface ApplyParts extends SurveyParts, LeaseOptions {
  /** How the documents compare with the newest ones; `startsNothing` of a run that only finishes (protocol M8). */
  readonly judgedBy: NewestDocuments | 'startsNothing' | 'rehearsed';
  /** How long the run waits for work that may start later. */
  readonly stayMs?: Milliseconds;
  /** How long to wait for evidence about tasks in doubt. */
  readonly watchDoubts?: Milliseconds;
  /** `none` prints nothing: `onReport` has the report. Of `ndjson`, stdout has the events, and the report is on stderr. */
  readonly format: 'text' | 'json' | 'ndjson' | 'none';
  /** Where the text of the report goes. */
  readonly report?: Output;
  readonly onReport?: (report: RunReport) => void;
  /**
   * The command line, for the next step in the report: with the file and the approval of this run.
   */
  readonly command: string;
  /** The scopes that were lifted first; the caller prints the next step then. */
  readonly lifted?: readonly Lifted[];
  readonly file?: string;
  /** File for the outcome that a comment on a pull request shows; absent: none. */
  readonly outcome?: string;
  readonly approval?: ExecuteInput['approval'];
}

/**
 * Takes the lease, runs the executor, prints the outcome of every change and returns the exit code.
 * Throws failures from before the run had a plan; later ones are part of the report, so that it
 * lists everything that was done.
 */
export async function executeWith(parts: ApplyParts, approved?: Plan): Promise<number> {
  return run(
    parts,
    (journal, book) => (covered, lists) => readAndPlan({ ...parts, book, lists }, journal, covered),
    approved,
  );
}

/**
 * Finishes what earlier runs started, with nothing to plan: no new work starts. After an unpause a run at work does
 * that itself (protocol N64).
 */
export async function finishWith(parts: ApplyParts, nothing: Reading): Promise<number> {
  try {
    return await run(parts, () => () => Promise.resolve(nothing));
  } catch (error) {
    if (!parts.lifted || !(error instanceof WorldError) || error.code !== 'locked') throw error;
    await leaveToRun(parts);
    return EXIT.done;
  }
}

/** Says which run goes on with what was lifted; JSON has what that run has in flight. */
async function leaveToRun(parts: ApplyParts): Promise<void> {
  const { shell, format } = parts;
  const { memory } = await remembered(parts);
  const { lockBlocks } = await import('../render/outputs/status.ts');
  const now = shell.clock.now();
  await sayBlocks(shell, lockBlocks(runStatus(memory.lease, shell, now), { now }));
  const beside = { plan: undefined, said: new Map(), memory, anomalies: [], attempts: 0 };
  if (format === 'json') await printRun(parts, account(beside), EXIT.done);
}

type MakeSurvey = (journal: Journal, book: FactBook) => ExecuteInput['survey'];

/** The share of its reads that a busy run leaves for what is not due (semantics N19). */
const RESERVED = 0.25;

/** A run without a report has failed before it had a plan, and is reported, too. */
async function run(parts: ApplyParts, makeSurvey: MakeSurvey, approved?: Plan): Promise<number> {
  let isNotified = false;
  const notify: RunHooks['notify'] = async (report, exit, journal) => {
    isNotified = true;
    await notifyRun({ ...parts, journal }, { report, exit });
  };
  try {
    return await runUnder(parts, { makeSurvey, notify, ...(approved && { approved }) });
  } catch (error) {
    if (!isNotified) await notifyFailure(parts, error);
    throw error;
  }
}

interface RunHooks {
  readonly makeSurvey: MakeSurvey;
  readonly notify: (report: RunReport, exit: number, journal: Journal) => Promise<void>;
  readonly approved?: Plan;
}

async function runUnder(
  parts: ApplyParts,
  { makeSurvey, notify, approved }: RunHooks,
): Promise<number> {
  const { shell, onProgress } = parts;
  const { stayMs = 0, watchDoubts = 0, judgedBy } = parts;
  if (shell.launcher !== undefined) printMessages(shell, [launcherWords(shell.launcher)]);

  const journal = await (parts.inMemory
    ? openJournalOn({ ...parts.inMemory, store: parts.inMemory.ledger }, parts)
    : openJournalFor(parts, { approved, onOutage: reportOutage(parts.onProgress) }));
  refuseUnmerged(parts, journal);
  const limits = { seconds: READING_SECONDS.apply, ...parts.limits, reserved: RESERVED };
  const mayBeIdle = mayLeaveNoRecord(parts, journal);
  if (mayBeIdle) await journal.stand();
  else await takeLease(journal, parts, shell);
  const { seq } = journal.memory.head;
  const book = await openFactBook(parts, journal.memory, limits);
  const survey = underLease(makeSurvey(journal, book), journal);
  const documents =
    judgedBy === 'startsNothing' ? parts.documents : await recordRenames(journal, parts.documents);
  const runOnce = (): Promise<RunReport> =>
    execute({
      documents,
      survey,
      ...(approved && { approved }),
      ...(parts.approval && { approval: parts.approval }),
      ...(typeof judgedBy === 'object' && { isOvertaken: judgedBy.isOvertaken }),
      service: book.service,
      journal,
      clock: shell.clock,
      random: shell.random,
      dialect: parts.dialect,
      pollEvery: documents.service.value.pace.pollEvery,
      wait: stayMs,
      watchDoubts,
      ...(!parts.inMemory && { spool: localSpool(shell, parts.target.fingerprint) }),
      onProgress,
      stop: shell.stop,
      renew: (until) => book.renew(journal.memory, until),
    });
  let ran = await runOnce();
  if (mayBeIdle && journal.needsLease) {
    await takeLease(journal, parts, shell);
    ran = await runOnce();
  }
  const report = { ...ran, requests: requestsMade(parts, journal, ran) };
  const exit = await printReport(parts, report, journal);
  if (mayBeIdle && !journal.needsLease)
    await recordCoverage(parts, journal.memory, report.surveyed?.onRecord, journal);
  const isIdle = report.attempts === 0 && journal.memory.head.seq <= seq + 1;
  if (!isIdle) await leaveRunNotes(parts, journal);
  await notify(report, exit, journal);
  if (shell.stop.requested === 'no') await book.renew(journal.memory).catch(() => undefined);
  const published = await book.publish();
  await recordPublished(journal, published, shell);
  await sayLost(parts, exit);
  return exit;
}

/** Whether a run may end without the lease (protocol Z7): it does not wait, and its ledger owes no record. */
function mayLeaveNoRecord(parts: ApplyParts, { memory }: Journal): boolean {
  const { documents, judgedBy, resolvePart, inMemory, stayMs = 0 } = parts;
  const known = { documents, memory, now: parts.shell.clock.now() };
  if (judgedBy === 'startsNothing' || resolvePart || inMemory || stayMs > 0) return false;
  return renamesIn(known).length === 0 && !owesRecord(known);
}

/** What was planned before the lease is the plan under it, where the ledger has the LOCK alone more (protocol Z7). */
function underLease(read: ExecuteInput['survey'], journal: Journal): ExecuteInput['survey'] {
  let last: Reading | undefined;
  let epoch = 0;
  return async (...within): Promise<Reading> => {
    const { memory } = journal;
    const earlier = memory.epoch > epoch ? last : undefined;
    ({ epoch } = memory);
    if (earlier?.plan.inputs.ledger.seq !== memory.head.seq - 1)
      return (last = await read(...within));
    const { plan } = earlier;
    return { ...earlier, plan: { ...plan, inputs: { ...plan.inputs, ledger: memory.head } } };
  };
}

/** Says that the report was not printed; of events that is said at their end. */
async function sayLost({ shell, format }: ApplyParts, exit: number): Promise<void> {
  const lost = format === 'ndjson' ? undefined : await shell.out.lost?.();
  if (lost) printMessages(shell, [reportLostWords(lost, exit)]);
}

/**
 * Documents that nobody merged start by a reason only where the ledger, too, says that the commit is the approval
 * (protocol M8, M9). Throws `documentsNotNewest`.
 */
function refuseUnmerged({ approval }: ApplyParts, { memory }: Journal): void {
  if (approval?.unmerged && memory.ground?.approval === 'plan')
    throw new WorldError('documentsNotNewest', { why: 'ledgerPlan' });
}

/** Notes are for people who look at the commit; one that cannot be left changes nothing. */
async function leaveRunNotes(parts: ApplyParts, journal: Journal): Promise<void> {
  if (parts.inMemory || parts.shell.stop.requested === 'now') return;
  await import('./leave-note.ts')
    .then(({ leaveNotes }) => leaveNotes(parts, journal))
    .catch(() => undefined);
}

/** The requests of the run so far; its renewal of facts comes later. */
function requestsMade(
  { client, documents }: ApplyParts,
  { memory, nonce }: Journal,
  { surveyed }: Pick<RunReport, 'surveyed'>,
) {
  const sent = [...memory.intents.values()].filter(({ attemptId }) =>
    attemptId.startsWith(`${nonce}.`),
  );
  return requestsOfRun({
    made: client.requests(),
    fleet: countDevices(surveyed?.coverage.seen ?? {}),
    sent: sent.length,
    onboards: documents.onboarding.size > 0,
  });
}

/**
 * Prints the failure that ended the run, then the outcome of every change, so that the report may
 * refer to the failure above it. Where there is nothing to report beside it, the failure is thrown.
 */
async function printReport(
  parts: ApplyParts,
  report: RunReport,
  { memory }: Journal,
): Promise<number> {
  const { shell } = parts;
  const { failure } = report;
  const exit = exitOfRun(report);
  if (failure && !hasReport(report)) throw failure;
  parts.onReport?.(report);
  shell.measure?.({ report });
  await tellReport(parts, report, exit);
  if (parts.format === 'none') return exit;
  await leaveOutcome({ ...parts, memory }, report, exit);
  const isOurs = failure !== undefined && !isReported(failure);
  await printAll(parts, report, exit).catch((error: unknown) =>
    printMessages(shell, [reportLostWords(error, exit)]),
  );
  return isOurs ? EXIT.error : exit;
}

/** What the events say of the end of a run. */
async function tellReport(
  { shell, command, file }: ApplyParts,
  report: RunReport,
  exit: number,
): Promise<void> {
  if (!shell.events) return;
  const { stepAfter } = await import('../render/outputs/run.ts');
  const ran = { now: shell.clock.now(), exit, command, ...(file !== undefined && { file }) };
  shell.events.settle(report, stepAfter(report, ran));
}

/** The run is over: a failure to print changes neither the outcome nor the exit code. */
async function printAll(parts: ApplyParts, report: RunReport, exit: number): Promise<void> {
  const { shell, format } = parts;
  const { failure } = report;
  if (failure instanceof InvalidDocuments) await reportInvalid(failure, false, shell);
  else if (failure instanceof WorldError && format !== 'json')
    await reportError(failure, false, shell);
  if (!failure || isReported(failure)) return printRun(parts, report, exit);
  const bug = failure instanceof Bug ? failure : new Bug(failure.message, { cause: failure });
  await printRun(parts, { ...report, failure: bug }, exit);
  await reportBug(bug, false, shell);
}

/** Whether a failure is reported as one of the service or the documents; any other is a bug. */
function isReported(failure: Error): boolean {
  return failure instanceof WorldError || failure instanceof InvalidDocuments;
}

async function readAndPlan(
  parts: ApplyParts,
  journal: Journal,
  approved: Approval | undefined,
): Promise<Reading> {
  // A run follows its plan for hours, and asks for no dates of each device.
  const { courseOf: _dates, ...reading } = await survey(
    { ...parts, patient: true, ...(approved && { approved }) },
    journal.memory,
  );
  requireValid(reading, parts.documents);
  parts.onProgress({ type: 'plan.made', ...pick(reading.plan, 'id', 'counts', 'verdicts') });
  return reading;
}

/** Whether a run sent, settled, left and found nothing. */
function isIdle({ attempts, endings, anomalies, ...more }: RunReport): boolean {
  const { leftOpen = [], closedBeside = [], stops = [] } = more;
  return attempts + [endings, anomalies, leftOpen, closedBeside, stops].flat().length === 0;
}

async function printRun(parts: ApplyParts, report: RunReport, exit: number): Promise<void> {
  const { shell, format, command, file, lifted } = parts;
  const ran = { command, ...(file !== undefined && { file }) };
  const now = shell.clock.now();
  if (format === 'json') {
    const { runJson } = await import('../render/data/output-json.ts');
    await printJson(shell.out, runJson(report, { now, exit, ...ran, ...(lifted && { lifted }) }));
    return;
  }
  // A run that only lifted a pause has said what it did.
  if (parts.lifted && exit === 0 && isIdle(report)) return;
  const { reportBlocks } = await import('../render/outputs/run.ts');
  // The next step of a wrong flag is that of its error.
  const isFollowed = parts.lifted !== undefined || isUsageError(report.failure);
  const out = parts.report ?? (format === 'ndjson' ? shell.err : shell.out);
  await printBlocks({ ...shell, out }, reportBlocks(report, { now, exit, isFollowed, ...ran }));
}

/**
 * Records the renames that the documents tell, so that `renamedFrom` may go (semantics M23). The lease is held.
 * @returns the documents with the names that their policies have in the ledger
 */
export async function recordRenames(
  journal: Pick<Journal, 'append' | 'memory'>,
  documents: Documents,
): Promise<Documents> {
  for (;;) {
    const { memory } = journal;
    const bodies = renamesIn({ documents, memory }).map((rename) => {
      return { type: 'RENAMED', ...rename } as const;
    });
    if (bodies.length === 0) return underPresentNames({ documents, memory }).documents;
    await journal.append(bodies);
  }
}
