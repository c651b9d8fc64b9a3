import { Bug } from '../lib/bug.ts';
import { type Diagnostic, hasError } from '../model/documents/diagnostic.ts';
import type { RunReport } from '../model/ledger/run-report.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { Adoption } from '../model/report/adoption.ts';
import type { Checkup } from '../model/report/checkup.ts';
import type { StatusView } from '../model/report/status.ts';
import { importFleet as importInto, type ImportFlags } from '../operations/adopt/import.ts';
import { findSettings, loadedDocuments } from '../operations/adopt/settings.ts';
import { executeWith, type ApplyParts } from '../operations/apply.ts';
import { commitOf, requireNewest } from '../operations/gate/overtaken.ts';
import { withConnection } from '../operations/connect.ts';
import { requireValid, loadBeside, loadDocuments, withProofs } from '../operations/documents.ts';
import { withOrigins } from '../operations/origins.ts';
import { readPlanFile, savePlan } from '../operations/plan-file.ts';
import { surveyOrRecall } from '../operations/recall.ts';
import { readStatus } from '../operations/status.ts';
import { partResolver } from '../operations/survey.ts';
import { planLines, summarize } from '../plan/saved/save.ts';
import type { PartFlags } from '../plan/part/resolve-part.ts';
import { tellRun, tellStart } from '../operations/outcome/tell-run.ts';
import type { OnEvent } from '../shell/run-events.ts';
import type { Shell } from '../shell/shell.ts';
import { createFleetShell, fleetOf, type FleetOptions } from './fleet-shell.ts';
import { durationOption } from './option-values.ts';
import { pick } from '../lib/objects.ts';
import { DAY } from '../lib/time.ts';

/** What `validate` found. */
export interface Validation {
  /** No problem is an error. */
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Which part of the fleet is planned, and from what. */
export interface PlanOptions extends FleetOptions, PartFlags {
  /** Plans on a saved snapshot, without the service. */
  readonly snapshot?: string;
  /** Saves what was read, for reviews and for `snapshot`. */
  readonly saveSnapshot?: string;
  /** How long the plan stays valid: `7d`, which is the default. */
  readonly expires?: string;
  /** Device reads of this call; default: 5 minutes at `service.pace`. */
  readonly maxReads?: number;
}

/** What is applied, and how long the call may take. */
export interface ApplyOptions extends FleetOptions, PartFlags {
  /** Only these changes, where they are still due. Absent: everything that is due. */
  readonly approved?: Plan;
  /** How long to wait for another run: `10m`. Default: no time. */
  readonly lockWait?: string;
  /** Stays for work that can start within this time: `2h`. Default: no time. */
  readonly wait?: string;
  /**
   * Receives what happens, as `apply --format ndjson` prints it; the next event comes when what it returns is settled.
   * The run waits for it only at its end, 10 s at most, and what it throws changes nothing.
   */
  readonly onEvent?: OnEvent;
}

/** The outcome of every change, and the exit code of the command line for it. */
export interface Applied {
  readonly exit: number;
  readonly report: RunReport;
}

/** Checks all documents offline. Never throws for their content. */
export async function validate(options: FleetOptions = {}): Promise<Validation> {
  const shell = createFleetShell(options);
  const loaded = await loadBeside(shell, fleetOf(options));
  const diagnostics = await withProofs(loaded, shell);
  return { valid: loaded.documents !== undefined && !hasError(diagnostics), diagnostics };
}

/** A plan with what `plan --format json` adds to it: the exit code that it asks for, and the columns of each policy. */
export type SummarizedPlan = Plan & ReturnType<typeof summarize>;

/**
 * Plans what `apply` would change; sends nothing but reads. Throws `InvalidDocuments`, and
 * `WorldError` with the code of a failure.
 */
export async function plan(options: PlanOptions = {}): Promise<SummarizedPlan> {
  const shell = createFleetShell(options);
  const fleet = fleetOf(options);
  const here = await loadDocuments(shell, fleet);
  const commit = await commitOf(here);
  const expiresAfter = durationOption('expires', options.expires ?? '7d');
  const parts = { ...here, commit, expiresAfter };
  const { surveyed } = await surveyOrRecall(shell, { ...options, fleet }, parts);
  requireValid(surveyed, here.documents);
  const made = await withOrigins(here, surveyed.plan);
  return asJson({ ...made, ...summarize(made) });
}

/** The state of every rollout, from the fleet, the documents and the ledger. Read-only. Throws as `plan`. */
export async function status(options: PlanOptions = {}): Promise<StatusView> {
  const shell = createFleetShell(options);
  const fleet = fleetOf(options);
  const here = await loadDocuments(shell, fleet);
  const { surveyed } = await surveyOrRecall(shell, { ...options, fleet }, here);
  requireValid(surveyed, here.documents);
  return readStatus(here, surveyed);
}

/** What `doctor` reads beside the service itself. */
export interface DoctorOptions extends FleetOptions {
  /** A finished task whose steps to read. */
  readonly task?: string;
}

/**
 * Checks the service against the dialect of the documents, by reads alone. Whatever the service
 * answers is in the result; throws `InvalidDocuments` if nothing says where the service is, and what
 * prevents a first request, such as `credentialsMissing`.
 */
export async function doctor(options: DoctorOptions = {}): Promise<Checkup> {
  const shell = createFleetShell(options);
  const flags = { fleet: fleetOf(options), ...pick(options, 'service', 'task') };
  const { examineService } = await import('../operations/adopt/doctor.ts');
  const settings = await findSettings(flags, shell, await loadedDocuments(flags, shell));
  return (await examineService(shell, settings, flags)).checkup;
}

/** What documents are made from, and where they are written. */
export type ImportOptions = FleetOptions &
  Pick<ImportFlags, 'organization' | 'snapshot' | 'saveSnapshot' | 'timeZone' | 'out' | 'dryRun'>;

/**
 * Describes the fleet as documents whose next plan is empty, and writes new files alone; where an
 * earlier import wrote some, nothing, and the result has what differs. Throws as `plan`, and
 * `usage` where nothing names the service.
 */
export async function importFleet(options: ImportOptions = {}): Promise<Adoption> {
  const flags = { ...options, fleet: fleetOf(options) };
  return importInto(createFleetShell(options), flags);
}

/**
 * Applies the documents, or the approved changes, and verifies every device. Resolves when the run
 * is over, whatever its outcome: see `exit` and `report`. Throws failures from before it had a plan, such as
 * `documentsNotNewest`.
 */
export async function apply(options: ApplyOptions = {}): Promise<Applied> {
  const { onEvent } = options;
  const ran: { report?: RunReport } = {};
  const run = (shell: Shell): Promise<number> =>
    applyIn(shell, options, (report) => (ran.report = report));
  const shell = createFleetShell(options);
  const exit = await (onEvent
    ? tellRun(shell, { command: 'apply', receive: onEvent }, run)
    : run(shell));
  if (!ran.report) throw new Bug('a run without a report');
  return { exit, report: ran.report };
}

async function applyIn(
  shell: Shell,
  options: ApplyOptions,
  onReport: (report: RunReport) => void,
): Promise<number> {
  const fleet = fleetOf(options);
  const here = await loadDocuments(shell, fleet);
  await tellStart(here);
  const newest = await requireNewest(here);
  const flags = { fleet, ...pick(options, 'service'), readOnly: false };
  return withConnection(shell, here.documents.service.value, flags, async (connection) => {
    const stayMs = durationOption('wait', options.wait ?? '0s');
    const resolvePart = partResolver(options);
    const parts: ApplyParts = {
      ...here,
      ...connection,
      commit: newest.commit,
      judgedBy: newest,
      expiresAfter: stayMs + DAY,
      stayMs,
      lockWait: durationOption('lockWait', options.lockWait ?? '0s'),
      format: 'none',
      command: 'apply',
      approval: { by: options.approved ? 'file' : 'commit', named: options.approved !== undefined },
      onReport,
      ...(resolvePart && { resolvePart }),
    };
    return executeWith(parts, options.approved);
  });
}

/** Saves a plan for review and for `fleetform apply FILE`; returns the digest of the file. */
export async function writePlan(
  file: string,
  saved: Plan,
  options: FleetOptions = {},
): Promise<string> {
  return savePlan(createFleetShell(options), file, saved);
}

/** Reads a saved plan. Throws `WorldError` with `planTampered` if it was edited or cut. */
export async function readPlan(file: string, options: FleetOptions = {}): Promise<Plan> {
  return asJson(await readPlanFile(createFleetShell(options), file));
}

/** A plan that `JSON.stringify` writes as `plan --format json` prints it. */
function asJson<P extends Plan>(made: P): P {
  const toJSON = (): unknown => JSON.parse([...planLines(made)].join(''));
  return Object.defineProperty(made, 'toJSON', { value: toJSON });
}
