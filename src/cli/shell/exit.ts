import type { Ending, RunReport } from '../../model/ledger/outcome.ts';
import { WorldError, type WorldCode } from '../../model/error.ts';

/** The one table of exit codes; README prints it and `render/words.ts` says what each means. */
export const EXIT = {
  done: 0,
  error: 1,
  changes: 2,
  guardrail: 3,
  failed: 4,
  inDoubt: 5,
  locked: 6,
  workLeft: 7,
  stale: 8,
  unfit: 9,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const CODE_OF_ERROR: Readonly<Partial<Record<WorldCode, ExitCode>>> = {
  planUnreadable: EXIT.stale,
  planTampered: EXIT.stale,
  artifactRefused: EXIT.stale,
  planExpired: EXIT.stale,
  planForeign: EXIT.stale,
  planNotApproved: EXIT.stale,
  planStale: EXIT.stale,
  ledgerUnfit: EXIT.unfit,
  ledgerBroken: EXIT.unfit,
  ledgerForeign: EXIT.unfit,
  ledgerNewer: EXIT.unfit,
  ledgerRolledBack: EXIT.unfit,
  ledgerNotChosen: EXIT.unfit,
  storeFailed: EXIT.unfit,
  permissionsChanged: EXIT.unfit,
  filterNotHonoured: EXIT.unfit,
  clockSkew: EXIT.unfit,
  locked: EXIT.locked,
  leaseLost: EXIT.locked,
};

/** The exit code of a failure that ended a command. */
export function exitOfError(code: WorldCode): ExitCode {
  return CODE_OF_ERROR[code] ?? EXIT.error;
}

/**
 * The exit code of a run. A failure that ended it counts as it does in every other command. Where several apply, the
 * first of this order holds (protocol Z3): error, unfit, locked, stale, guardrail, in doubt, failed, work left,
 * done.
 */
export function exitOfRun(report: RunReport): ExitCode {
  if (report.failure instanceof WorldError) return exitOfError(report.failure.code);
  const { ended } = report;
  const counts = countsOf(report);
  if (ended === 'error') return EXIT.error;
  if (ended === 'unfit') return EXIT.unfit;
  if (ended === 'locked') return EXIT.locked;
  if (ended === 'stale' || hasStale(report)) return EXIT.stale;
  if (ended === 'guardrail') return EXIT.guardrail;
  if (counts.inDoubt > 0) return EXIT.inDoubt;
  if (counts.failed + counts.rolledBack + counts.aborted + counts.unverified > 0)
    return EXIT.failed;
  if (counts.timedOut + counts.notStarted > 0 || ended === 'interrupted') return EXIT.workLeft;
  return EXIT.done;
}

/** Something that was approved as it is was not done, since its device is no more as it was then. */
function hasStale({ approved, endings }: RunReport): boolean {
  const isStale = ({ outcome, reason }: Ending): boolean =>
    outcome === 'skipped' && reason?.code === 'stale';
  return approved === true && endings.some(isStale);
}

/** What stands for a change of the plan, and what earlier runs left beside it. */
function countsOf({ counts, leftOpen = [], closedBeside = [] }: RunReport): RunReport['counts'] {
  const all = { ...counts };
  for (const { outcome } of [...leftOpen, ...closedBeside]) all[outcome] += 1;
  return all;
}
