import type { ExecuteInput, Survey as Reading } from '../apply/run/execute.ts';
import { Bug } from '../lib/bug.ts';
import { WorldError } from '../model/error.ts';
import type { Journal } from '../model/ports.ts';
import type { RunReport } from '../model/ledger/outcome.ts';
import type { Plan } from '../model/plan/plan.ts';
import { reportLostWords } from '../render/words/last-words.ts';
import type { Approval } from '../plan/plan.ts';
import type { Milliseconds } from '../lib/time.ts';
import { hasError } from './documents.ts';
import { InvalidDocuments } from '../model/documents/quoted.ts';
import { EXIT, exitOfRun } from '../cli/shell/exit.ts';
import { reportBug, reportError, reportInvalid } from '../cli/shell/failure.ts';
import { takeLease } from './lease.ts';
import { openJournalFor } from './ledger.ts';
import { styleOf, print, printJson } from '../cli/shell/output.ts';
import { survey, type SurveyParts } from './survey.ts';

/** What a command that writes needs beside what a survey needs. */
export interface ApplyParts extends SurveyParts {
  /** How long another run is waited for. */
  readonly waitMs: Milliseconds;
  readonly takeOver: boolean;
  /** How long the run stays for what may start later. */
  readonly stayMs?: Milliseconds;
  /** How long evidence about what is in doubt is waited for. */
  readonly watchDoubts?: Milliseconds;
  readonly format: 'text' | 'json';
  /** What ran, for the report to say what goes on: with the file and the approval that it ran with. */
  readonly command: string;
  /** The file whose changes are run. */
  readonly file?: string;
  /** How what is run came to be approved. */
  readonly approval?: ExecuteInput['approval'];
}

/**
 * Takes the lease, runs the executor and prints what became of every change. Returns the exit code. Throws what ended
 * a run before it had a plan; what ends it later is part of what is printed, so that nothing that was done goes untold.
 */
export async function executeWith(parts: ApplyParts, approved?: Plan): Promise<number> {
  return run(parts, (journal) => (covered) => readAndPlan(parts, journal, covered), approved);
}

/** The same with nothing to plan: what earlier runs started is finished, and nothing new begins. */
export async function finishWith(parts: ApplyParts, nothing: Reading): Promise<number> {
  return run(parts, () => () => Promise.resolve(nothing));
}

type MakeSurvey = (journal: Journal) => ExecuteInput['survey'];

async function run(parts: ApplyParts, makeSurvey: MakeSurvey, approved?: Plan): Promise<number> {
  const { shell, documents, connection, onProgress, waitMs, takeOver } = parts;
  const { stayMs = 0, watchDoubts = 0 } = parts;
  if (shell.launcher !== undefined) {
    const { launcherWords } = await import('../render/words/commands.ts');
    print(shell.err, [launcherWords(shell.launcher)]);
  }
  const [{ execute }, { localSpool: keptResultsOf }] = await Promise.all([
    import('../apply/run/execute.ts'),
    import('../store/store.ts'),
  ]);
  const journal = await openJournalFor(shell, documents, connection.target, approved);
  await takeLease(journal, { waitMs, takeOver, label: shell.identity.label }, shell);
  const { seq } = journal.memory.head;
  const report = await execute({
    documents,
    survey: makeSurvey(journal),
    ...(approved && { approved }),
    ...(parts.approval && { approval: parts.approval }),
    service: connection.client,
    journal,
    clock: shell.clock,
    random: shell.random,
    dialect: connection.dialect,
    pollEvery: documents.service.value.pace.pollEvery,
    wait: stayMs,
    watchDoubts,
    kept: keptResultsOf(shell.cwd, connection.target.fingerprint),
    onProgress,
    stop: shell.stop,
  });
  const exit = await tell(parts, report);
  const isIdle = report.attempts === 0 && journal.memory.head.seq <= seq + 1;
  if (!isIdle && shell.stop.requested !== 'now') {
    const writer = { target: connection.target, nonce: journal.nonce };
    await import('./leave-note.ts')
      .then(({ leaveNotes }) => leaveNotes(shell, documents, writer))
      .catch(() => undefined);
  }
  const lost = await shell.out.lost?.();
  if (lost) print(shell.err, [reportLostWords(lost, exit)]);
  return exit;
}

/**
 * Prints what ended the run, then what became of every change, so that the report may point at what stands above it.
 * A run that never came to a plan has nothing to report: its failure is thrown, like that of any other command.
 */
async function tell(parts: ApplyParts, report: RunReport): Promise<number> {
  const { shell } = parts;
  const { failure } = report;
  const exit = exitOfRun(report);
  if (failure && isEmpty(report)) throw failure;
  const isOurs = failure !== undefined && !isTold(failure);
  await printAll(parts, report, exit).catch((error: unknown) =>
    print(shell.err, [reportLostWords(error, exit)]),
  );
  return isOurs ? EXIT.error : exit;
}

/** The run is over: what goes wrong here changes neither what was done nor the exit code. */
async function printAll(parts: ApplyParts, report: RunReport, exit: number): Promise<void> {
  const { shell, format } = parts;
  const { failure } = report;
  if (failure instanceof InvalidDocuments) await reportInvalid(failure, false, shell);
  else if (failure instanceof WorldError && format === 'text')
    await reportError(failure, false, shell);
  if (!failure || isTold(failure)) return printRun(parts, report, exit);
  const bug = bugOf(failure);
  await printRun(parts, { ...report, failure: bug }, exit);
  await reportBug(bug, false, shell);
}

function isEmpty({
  planId,
  attempts,
  endings,
  leftOpen = [],
  closedBeside = [],
}: RunReport): boolean {
  const reported = [...endings, ...leftOpen, ...closedBeside];
  return planId === '' && attempts === 0 && reported.length === 0;
}

function bugOf(failure: Error): Bug {
  return failure instanceof Bug ? failure : new Bug(failure.message, { cause: failure });
}

/** What is neither the world's failure nor the documents' is a bug. */
function isTold(failure: Error): boolean {
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
  if (hasError(reading.diagnostics))
    throw new InvalidDocuments(reading.diagnostics, parts.documents.files);
  return reading;
}

async function printRun(parts: ApplyParts, report: RunReport, exit: number): Promise<void> {
  const { shell, format, command, file } = parts;
  const ran = { command, ...(file !== undefined && { file }) };
  const now = shell.clock.now();
  if (format === 'json') {
    const { runJson } = await import('../render/data/json.ts');
    await printJson(shell.out, runJson(report, { now, exit, ...ran }));
    return;
  }
  const { runText } = await import('../render/text/run-text.ts');
  print(shell.out, runText(report, { ...styleOf(shell.out, shell.env), now, exit, ...ran }));
}
