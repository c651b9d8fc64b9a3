import { digest, type JsonObject } from '../../lib/canonical.ts';
import { countCoverage } from '../../model/plan/coverage.ts';
import { formatInstant } from '../../lib/time.ts';
import { classifyEnding, type Ending, type RunReport } from '../../model/ledger/run-report.ts';
import { jsonText } from '../../lib/json-text.ts';
import { stepAfter, type RunOptions } from '../outputs/run.ts';
import { countOutcomes, tabulateRun } from '../../model/ledger/run-table.ts';
import { EXIT_WORDS } from '../words/commands.ts';
import { runRowJson } from './run-rows.ts';

/** What a notification lists at most; its counts have everything. */
const POLICIES = 100;
const DEVICES = 50;

/** The longest string: names come from the service. */
const MAX_TEXT = 200;

const LISTED: ReadonlySet<string> = new Set([
  'failed',
  'rolledBack',
  'aborted',
  'unverified',
  'inDoubt',
  'timedOut',
]);

interface NotifiedRun extends Pick<RunOptions, 'now' | 'exit' | 'command'> {
  readonly id: string;
  readonly service: string;
  readonly organization: string;
  /** The CI run, or the user and the machine. */
  readonly by: string;
  readonly commit?: string | undefined;
  /** What ended the run: the code of an error. */
  readonly error?: string | undefined;
}

/**
 * A run as the body of a notification: counts, its policies, the devices that it failed on, and the
 * next step. Its size is bounded, whatever the service calls its devices.
 */
export function notificationText(run: NotifiedRun, report: RunReport | undefined): string {
  return jsonText(shortened(notificationJson(run, report)), 0);
}

function notificationJson(run: NotifiedRun, report: RunReport | undefined): JsonObject {
  const { now, exit, error, commit } = run;
  const means = EXIT_WORDS[exit];
  const next = report ? stepAfter(report, run) : means?.next;
  const failed = (report?.endings ?? []).filter(({ outcome }) => LISTED.has(outcome));
  return {
    version: 1,
    event: 'run',
    id: run.id,
    key: runKey(run, failed),
    at: formatInstant(now),
    service: run.service,
    organization: run.organization,
    command: run.command,
    by: run.by,
    ...(commit !== undefined && { commit }),
    exit: { code: exit, ...(means && { means: means.says }), ...(next !== undefined && { next }) },
    ...(report?.ended && { ended: report.ended }),
    ...(error !== undefined && { error }),
    ...(report ? resultsJson(report, failed) : NOTHING),
  };
}

const NOTHING = {
  attempts: 0,
  classes: {},
  beside: {},
  policies: [],
  policiesLeftOut: 0,
  devices: [],
  devicesLeftOut: 0,
} as const;

function resultsJson(report: RunReport, failed: readonly Ending[]): JsonObject {
  const { classes, beside } = countOutcomes(report);
  const rows = tabulateRun(report);
  return {
    ...coverageJson(report),
    attempts: report.attempts,
    classes: { ...classes },
    beside: { ...beside },
    policies: rows.slice(0, POLICIES).map(runRowJson),
    policiesLeftOut: Math.max(0, rows.length - POLICIES),
    devices: failed.slice(0, DEVICES).map(deviceJson),
    devicesLeftOut: Math.max(0, failed.length - DEVICES),
  };
}

/** How much the run has looked at, in numbers; what no record tells is left out. */
function coverageJson({ surveyed }: RunReport): JsonObject {
  if (!surveyed) return {};
  const counts = Object.entries(countCoverage(surveyed.coverage)).filter(
    ([, count]) => count !== undefined,
  );
  return { coverage: Object.fromEntries(counts) as JsonObject };
}

function deviceJson(ending: Ending): JsonObject {
  const { change, reason, taskId, detail } = ending;
  const { id, name, site } = change.device;
  return {
    id,
    ...(name !== undefined && { name }),
    ...(site !== undefined && { site }),
    task: change.task,
    policy: change.at.policy,
    outcome: classifyEnding(ending),
    ...(reason && { reason: reason.code }),
    ...(taskId !== undefined && { taskId }),
    ...(detail !== undefined && { detail }),
  };
}

/** Equal for runs that ended alike, so that a receiver can drop a repeated message. */
function runKey(
  { service, organization, exit, error }: NotifiedRun,
  failed: readonly Ending[],
): string {
  const endings = failed.map(({ change, outcome }) => `${change.id} ${outcome}`);
  return digest({ service, organization, exit, error: error ?? '', endings: endings.sort() });
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT)}…`;
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, shortened(member)] as const);
  return Object.fromEntries(members);
}
