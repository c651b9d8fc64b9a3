import { type RunReport, sumRun } from '../model/ledger/run-report.ts';
import { WorldError } from '../model/error.ts';
import type { RunClass } from '../model/ledger/run-sums.ts';
import { EXIT, exitOfError, type ExitCode } from './exit.ts';

/**
 * The exit code of a run. A failure that ended it counts as in every other command. If several
 * apply, the first in this order wins (protocol Z3): error, unfit, locked, stale, guardrail, in
 * doubt, failed, work left, done.
 */
export function exitOfRun(report: RunReport): ExitCode {
  if (report.failure instanceof WorldError) return exitOfError(report.failure.code);
  const { ended } = report;
  const sums = sumRun(report);
  const count = (...names: readonly RunClass[]): number =>
    names.reduce((all, name) => all + (sums.classes[name] ?? 0) + (sums.beside[name] ?? 0), 0);
  if (ended === 'error') return EXIT.error;
  if (ended === 'unfit') return EXIT.unfit;
  if (ended === 'locked') return EXIT.locked;
  // An approved change was not done because its device has changed since.
  if (
    ended === 'unapproved' ||
    ended === 'stale' ||
    (report.approved === true && count('stale') > 0)
  )
    return EXIT.stale;
  if (ended === 'guardrail') return EXIT.guardrail;
  if (count('inDoubt') > 0) return EXIT.inDoubt;
  if (count('failed', 'rolledBack', 'aborted', 'unverified', 'unreadable') > 0) return EXIT.failed;
  // A policy that is refused starts nothing until a person corrects it (semantics K27).
  if (report.endings.some(({ reason }) => reason?.code === 'refused')) return EXIT.failed;
  return exitOfRest(ended, count('timedOut', 'atWork', 'betweenSteps', 'notStarted'));
}

function exitOfRest(ended: RunReport['ended'], left: number): ExitCode {
  const isCut = ended === 'interrupted' || ended === 'overtaken';
  return left > 0 || isCut ? EXIT.workLeft : EXIT.done;
}
