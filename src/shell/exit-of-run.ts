import type { RunReport } from '../model/ledger/run-report.ts';
import { countFailed } from '../model/ledger/run-table.ts';
import { WorldError } from '../model/error.ts';
import { findAllClear, hasIdle } from '../model/report/all-clear.ts';
import { runSituation } from '../render/view/situations.ts';
import { EXIT, exitOfError, type ExitCode } from './exit.ts';

/** The exit code of a run. A failure that ended it counts as in every other command. */
export function exitOfRun(report: RunReport): ExitCode {
  const { failure } = report;
  if (failure instanceof WorldError) return exitOfError(failure.code);
  return findAllClear(runSituation(report, 0)).exit;
}

/**
 * What a job makes of the exit code of its run: 0 where a later run continues, unless the reading is
 * inconsistent, and where nothing needs a person that the last record does not have (semantics M34).
 */
export function exitOfJob(exit: number, report: RunReport | undefined): number {
  if (exit === EXIT.workLeft) return report?.surveyed?.isTorn === true ? exit : EXIT.done;
  return exit === EXIT.failed && report && isOldNews(report) ? EXIT.done : exit;
}

/** Whether nothing failed in a run, and no change needs a person that the last record does not have. */
export function isOldNews(report: RunReport): boolean {
  if (report.surveyed?.news.length !== 0 || countFailed(report) > 0) return false;
  const situation = runSituation(report, 0);
  return !hasIdle(situation) && findAllClear(situation).standing.is !== 'uncovered';
}
