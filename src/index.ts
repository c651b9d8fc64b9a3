/** The library, as docs/library.md describes it. Nothing else of the package is public. */
export { computeReport as report, rehearseFleet as rehearse } from './library/fleet-reports.ts';
export type {
  LibraryRehearsalOptions as RehearsalOptions,
  LibraryReportOptions as ReportOptions,
} from './library/fleet-reports.ts';
export {
  applyFleet as apply,
  describeFleet as importFleet,
  examineFleetService as doctor,
  planFleet as plan,
  reportStatus as status,
  validateFleet as validate,
  openPlan as readPlan,
  writePlan,
} from './library/library.ts';
export type {
  FleetApplied as Applied,
  FleetValidation as Validation,
  LibraryApplyOptions as ApplyOptions,
  LibraryDoctorOptions as DoctorOptions,
  LibraryImportOptions as ImportOptions,
  LibraryPlanOptions as PlanOptions,
} from './library/library.ts';
export {
  audit,
  auditVerify,
  drift,
  explain,
  get,
  init,
  initIncident,
  ledgerMove,
  pause,
  recover,
  renderPlan,
  resolve,
  show,
  unlock,
  unpause,
  why,
  withdraw,
} from './library/operations.ts';
export type { CommandDone, CommandOptions } from './library/operations.ts';
export type * from './library/outputs.gen.ts';
export type { FleetOptions } from './library/fleet-shell.ts';
export { WorldError } from './model/error.ts';
export type { WorldCode } from './model/error.ts';
export { InvalidDocuments } from './model/documents/quoted.ts';
export type { Diagnostic } from './model/documents/diagnostic.ts';
export type { Ending, Outcome, RunReport } from './model/ledger/run-report.ts';
export type { Change } from './model/plan/change.ts';
export type { SummarizedPlan } from './library/library.ts';
export type { Plan } from './model/plan/plan.ts';
export type { Reason } from './model/plan/reason.ts';
export type { Adoption } from './model/report/adoption.ts';
export type { Checkup } from './model/report/checkup.ts';
export type { LedgerHead, LedgerRecord } from './model/ledger/record.ts';
export type { LedgerRead, LedgerStore } from './model/ports.ts';
export type { FleetReport } from './model/report/fleet-report.ts';
export type { RehearsalReport, RunEvent } from './model/report/output.gen.ts';
export type { StatusView } from './model/report/status.ts';
