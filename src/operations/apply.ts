import { requestsOfRun } from '../model/ledger/run-requests.ts';
import type { ExecuteInput, Survey as Reading } from '../apply/run/execute.ts';
import { Bug } from '../lib/bug.ts';
import { isUsageError, WorldError } from '../model/error.ts';
import type { Journal } from '../model/ports.ts';
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
import type { FactBook } from './facts/fact-book.ts';
import { READING_SECONDS } from './facts/reading-limits.ts';
import { InvalidDocuments } from '../model/documents/quoted.ts';
import { EXIT } from '../shell/exit.ts';
import { exitOfRun } from '../shell/exit-of-run.ts';
import { reportBug, reportError, reportInvalid } from '../shell/failure.ts';
import { leaveOutcome } from './outcome/leave-outcome.ts';
import { notifyFailure, notifyRun } from './outcome/notify-run.ts';
import { takeLease } from './take-lease.ts';
import { recordRenames } from './record-renames.ts';
import { openJournalFor, openJournalOn } from './ledger.ts';
import { printMessages } from '../shell/messages.ts';
import { textStyle, print, printJson } from '../shell/output.ts';
import { survey, type SurveyParts } from './survey.ts';

/** A pause or a stop that was lifted. */
type Lifted = Pick<Held, 'scope' | 'what'>;

/** The inputs of a command that writes, besides the parts of a survey. */
export interface ApplyParts extends SurveyParts {
  /** How the documents compare with the newest ones; `startsNothing` of a run that only finishes (protocol M8). */
  readonly judgedBy: NewestDocuments | 'startsNothing' | 'rehearsed';
  /** How long to wait for another run. */
  readonly waitMs: Milliseconds;
  readonly takeOver: boolean;
  /** How long the run waits for work that may start later. */
  readonly stayMs?: Milliseconds;
  /** How long to wait for evidence about tasks in doubt. */
  readonly watchDoubts?: Milliseconds;
  /** `none` prints nothing: `onReport` has the report. */
  readonly format: 'text' | 'json' | 'none';
  /** Receives the report of the run before it is printed. */
  readonly onReport?: (report: RunReport) => void;
  /**
   * The command line, for the next step in the report: with the file and the approval of this run.
   */
  readonly command: string;
  /** The scopes that were lifted first; the caller prints the next step then. */
  readonly lifted?: readonly Lifted[];
  /** The saved plan to apply. */
  readonly file?: string;
  /** File for the outcome that a comment on a pull request shows; absent: none. */
  readonly outcome?: string;
  /** How the plan was approved. */
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
    (journal, book) => (covered) => readAndPlan({ ...parts, book }, journal, covered),
    approved,
  );
}

/** Finishes what earlier runs started, with nothing to plan: no new work starts. */
export async function finishWith(parts: ApplyParts, nothing: Reading): Promise<number> {
  return run(parts, () => () => Promise.resolve(nothing));
}

type MakeSurvey = (journal: Journal, book: FactBook) => ExecuteInput['survey'];

/** The share of its reads that a busy run leaves for what is not due (semantics N19). */
const RESERVED = 0.25;

/** A run without a report has failed before it had a plan, and is reported, too. */
async function run(parts: ApplyParts, makeSurvey: MakeSurvey, approved?: Plan): Promise<number> {
  let isNotified = false;
  const notify = async (report: RunReport, exit: number): Promise<void> => {
    isNotified = true;
    await notifyRun(parts, { report, exit });
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
  readonly notify: (report: RunReport, exit: number) => Promise<void>;
  readonly approved?: Plan;
}

async function runUnder(
  parts: ApplyParts,
  { makeSurvey, notify, approved }: RunHooks,
): Promise<number> {
  const { shell, connection, onProgress, waitMs, takeOver } = parts;
  const { stayMs = 0, watchDoubts = 0, judgedBy } = parts;
  if (shell.launcher !== undefined) {
    const { launcherWords } = await import('../render/words/commands.ts');
    printMessages(shell, [launcherWords(shell.launcher)]);
  }
  const [{ execute }, { localSpool: openSpool }] = await Promise.all([
    import('../apply/run/execute.ts'),
    import('../store/store.ts'),
  ]);
  const journal = await openLedger(parts, approved);
  refuseUnmerged(parts, journal);
  await takeLease(journal, { waitMs, takeOver }, shell);
  const { seq } = journal.memory.head;
  const documents =
    judgedBy === 'startsNothing' ? parts.documents : await recordRenames(journal, parts.documents);
  const { openFactBook } = await import('./facts/fact-book.ts');
  const limits = { seconds: READING_SECONDS.apply, ...parts.limits, reserved: RESERVED };
  const book = await openFactBook(parts, journal.memory, limits);
  const ran = await execute({
    documents,
    survey: makeSurvey(journal, book),
    ...(approved && { approved }),
    ...(parts.approval && { approval: parts.approval }),
    ...(typeof judgedBy === 'object' && { isOvertaken: judgedBy.isOvertaken }),
    service: book.service,
    journal,
    clock: shell.clock,
    random: shell.random,
    dialect: connection.dialect,
    pollEvery: documents.service.value.pace.pollEvery,
    wait: stayMs,
    watchDoubts,
    ...(!parts.inMemory && { spool: openSpool(shell, connection.target.fingerprint) }),
    onProgress,
    stop: shell.stop,
    renew: (until) => book.renew(journal.memory, until),
  });
  const report = { ...ran, requests: requestsMade(parts, journal, ran) };
  const exit = await printReport(parts, report);
  const isIdle = report.attempts === 0 && journal.memory.head.seq <= seq + 1;
  if (!isIdle) await leaveRunNotes(parts, journal);
  await notify(report, exit);
  if (shell.stop.requested === 'no') await book.renew(journal.memory).catch(() => undefined);
  const published = await book.publish();
  const { recordPublished } = await import('./facts/record-facts.ts');
  await recordPublished(journal, published, shell);
  const lost = await shell.out.lost?.();
  if (lost) printMessages(shell, [reportLostWords(lost, exit)]);
  return exit;
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
async function leaveRunNotes(
  { shell, documents, connection: { target }, inMemory }: ApplyParts,
  { nonce }: Journal,
): Promise<void> {
  if (inMemory || shell.stop.requested === 'now') return;
  await import('./leave-note.ts')
    .then(({ leaveNotes }) => leaveNotes(shell, documents, { target, nonce }))
    .catch(() => undefined);
}

function openLedger(parts: ApplyParts, approved: Plan | undefined): Promise<Journal> {
  const { shell, documents, connection, inMemory, onProgress } = parts;
  return inMemory
    ? openJournalOn({ store: inMemory.ledger }, shell, connection.target)
    : openJournalFor(shell, documents, connection.target, {
        approved,
        onOutage: reportOutage(onProgress),
      });
}

/** The requests of the run so far; its renewal of facts comes later. */
function requestsMade(
  { connection, documents }: ApplyParts,
  { memory, nonce }: Journal,
  { surveyed }: Pick<RunReport, 'surveyed'>,
) {
  const sent = [...memory.intents.values()].filter(({ attemptId }) =>
    attemptId.startsWith(`${nonce}.`),
  );
  return requestsOfRun({
    made: connection.client.requests(),
    fleet: countDevices(surveyed?.coverage.seen ?? {}),
    sent: sent.length,
    onboards: documents.onboarding.size > 0,
  });
}

/**
 * Prints the failure that ended the run, then the outcome of every change, so that the report may
 * refer to the failure above it. Where there is nothing to report beside it, the failure is thrown.
 */
async function printReport(parts: ApplyParts, report: RunReport): Promise<number> {
  const { shell } = parts;
  const { failure } = report;
  const exit = exitOfRun(report);
  if (failure && !hasReport(report)) throw failure;
  parts.onReport?.(report);
  if (parts.format === 'none') return exit;
  await leaveOutcome(parts, report, exit);
  const isOurs = failure !== undefined && !isReported(failure);
  await printAll(parts, report, exit).catch((error: unknown) =>
    printMessages(shell, [reportLostWords(error, exit)]),
  );
  return isOurs ? EXIT.error : exit;
}

/** The run is over: a failure to print changes neither the outcome nor the exit code. */
async function printAll(parts: ApplyParts, report: RunReport, exit: number): Promise<void> {
  const { shell, format } = parts;
  const { failure } = report;
  if (failure instanceof InvalidDocuments) await reportInvalid(failure, false, shell);
  else if (failure instanceof WorldError && format === 'text')
    await reportError(failure, false, shell);
  if (!failure || isReported(failure)) return printRun(parts, report, exit);
  const bug = toBug(failure);
  await printRun(parts, { ...report, failure: bug }, exit);
  await reportBug(bug, false, shell);
}

function toBug(failure: Error): Bug {
  return failure instanceof Bug ? failure : new Bug(failure.message, { cause: failure });
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
  const reading = await survey(
    { ...parts, patient: true, ...(approved && { approved }) },
    journal.memory,
  );
  requireValid(reading, parts.documents);
  return reading;
}

/** Whether a run sent, settled, left and found nothing. */
function isIdle({
  endings,
  attempts,
  leftOpen,
  closedBeside,
  anomalies,
  stops,
}: RunReport): boolean {
  const lists = [endings, leftOpen ?? [], closedBeside ?? [], anomalies, stops ?? []];
  return attempts === 0 && lists.every(({ length }) => length === 0);
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
  const [{ reportBlocks }, { printTerminal }] = await Promise.all([
    import('../render/outputs/run.ts'),
    import('../render/print/terminal.ts'),
  ]);
  // The next step of a wrong flag is that of its error.
  const isFollowed = parts.lifted !== undefined || isUsageError(report.failure);
  const blocks = reportBlocks(report, { now, exit, isFollowed, ...ran });
  print(shell.out, printTerminal(blocks, textStyle(shell.out, shell.env)));
}
