import { WorldError, type WorldCode } from '../model/error.ts';
import { EXIT, type ExitCode } from '../model/report/exit.ts';

export { EXIT, type ExitCode };

const CODE_OF_ERROR: Readonly<Partial<Record<WorldCode, ExitCode>>> = {
  planUnreadable: EXIT.stale,
  planTampered: EXIT.stale,
  artifactRefused: EXIT.stale,
  requestUnclear: EXIT.stale,
  planExpired: EXIT.stale,
  planAhead: EXIT.stale,
  planForeign: EXIT.stale,
  planNotApproved: EXIT.stale,
  planOutOfScope: EXIT.guardrail,
  commitNotMerged: EXIT.stale,
  documentsNotNewest: EXIT.stale,
  shownWithdrawn: EXIT.stale,
  approverUnknown: EXIT.stale,
  branchUnclear: EXIT.unfit,
  planStale: EXIT.stale,
  ledgerUnfit: EXIT.unfit,
  ledgerBroken: EXIT.unfit,
  ledgerForeign: EXIT.unfit,
  ledgerNewer: EXIT.unfit,
  ledgerRolledBack: EXIT.unfit,
  ledgerNotChosen: EXIT.unfit,
  simulatorInCi: EXIT.unfit,
  ledgerElsewhere: EXIT.unfit,
  groundPinned: EXIT.unfit,
  groundChanged: EXIT.unfit,
  groundUnrecorded: EXIT.unfit,
  historyCut: EXIT.unfit,
  placeGone: EXIT.unfit,
  serviceUnnamed: EXIT.unfit,
  commitForeign: EXIT.stale,
  storeFailed: EXIT.unfit,
  permissionsChanged: EXIT.unfit,
  filterNotHonoured: EXIT.unfit,
  clockSkew: EXIT.unfit,
  locked: EXIT.locked,
  leaseLost: EXIT.locked,
};

export function exitOfError(code: WorldCode): ExitCode {
  return CODE_OF_ERROR[code] ?? EXIT.error;
}

/** The exit code of a command that threw: a `WorldError` has its own, anything else is an error. */
export function exitOfThrown(error: unknown): ExitCode {
  return error instanceof WorldError ? exitOfError(error.code) : EXIT.error;
}
