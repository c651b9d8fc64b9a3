import { pick } from '../../lib/objects.ts';
import { digest, type JsonObject } from '../../lib/canonical.ts';
import { countCoverage } from '../../model/plan/coverage.ts';
import { formatInstant } from '../../lib/time.ts';
import { classifyEnding, type Ending, type RunReport } from '../../model/ledger/run-report.ts';
import {
  CONDITIONS,
  conditionIn,
  type Condition,
  type WhyTold,
} from '../../model/report/conditions.ts';
import { jsonText } from '../../lib/json-text.ts';
import { stepAfter, type RunOptions } from '../outputs/run.ts';
import { countOutcomes, tabulateRun } from '../../model/ledger/run-table.ts';
import { EXIT_WORDS } from '../words/commands.ts';
import { runRowJson } from './run-rows.ts';
import { slack } from '../sinks/sinks.ts';
import { CONDITION_WORDS, WHY_WORDS } from '../words/condition-words.ts';
import { OUTCOME_WORDS } from '../words/outcomes.ts';

/** What a notification lists at most; its counts have everything. */
const LISTED_MOST = 50;

/** The size of a message. */
const MAX_BYTES = 20_000;

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

/** The conditions of a message, and those of the message before. */
export interface NotifiedConditions {
  readonly why: WhyTold;
  readonly open: readonly string[];
  readonly before: readonly string[];
  readonly fingerprint: string;
}

interface NotifiedRun extends Pick<RunOptions, 'now' | 'exit' | 'command'> {
  readonly id: string;
  readonly service: string;
  readonly organization: string;
  /** The CI run, or the user and the machine. */
  readonly by: string;
  readonly commit?: string | undefined;
  /** What ended the run: the code of an error. */
  readonly error?: string | undefined;
  /** Absent in a message about a run alone. */
  readonly conditions?: NotifiedConditions;
}

/**
 * A run as the body of a notification: counts, its policies, the devices that it failed on, and the
 * next step. Its size is bounded, whatever the service calls its devices.
 */
export function notificationText(run: NotifiedRun, report: RunReport | undefined): string {
  return fitted((most) => shortened(notificationJson(run, report, most)));
}

/** A message as JSON that lists as much as its size allows. */
function fitted(message: (most: number) => unknown): string {
  for (let most = LISTED_MOST; ; most = Math.floor(most / 2)) {
    const text = jsonText(message(most), 0);
    if (most === 0 || Buffer.byteLength(text) <= MAX_BYTES) return text;
  }
}

/** What became of each condition: `key` is the same for as long as it is open, for a receiver that keeps incidents. */
function conditionsOf(told: NotifiedConditions, most = LISTED_MOST) {
  const names = CONDITIONS.filter((name) => [...told.open, ...told.before].some(isOf(name)));
  return names.map((condition) => ({
    condition,
    key: `fleetform/${told.fingerprint}/${condition}`,
    state: told.open.some(isOf(condition)) ? 'open' : 'ended',
    subjects: told.open
      .filter((one) => one.startsWith(`${condition} `))
      .map((one) => one.slice(condition.length + 1))
      .slice(0, most),
  }));
}

const isOf = (condition: Condition) => (one: string) => conditionIn(one) === condition;

/** Devices that a run failed on, or whose outcome is open. */
function failedIn(report: RunReport | undefined): readonly Ending[] {
  return (report?.endings ?? []).filter(({ outcome }) => LISTED.has(outcome));
}

function notificationJson(
  run: NotifiedRun,
  report: RunReport | undefined,
  most: number,
): JsonObject {
  const { now, exit, error, commit, conditions } = run;
  const means = EXIT_WORDS[exit];
  const next = report ? stepAfter(report, run) : means?.next;
  const failed = failedIn(report);
  return {
    version: 1,
    event: conditions ? 'conditions' : 'run',
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
    ...(conditions && { why: conditions.why, conditions: conditionsOf(conditions, most) }),
    ...(report ? resultsJson(report, failed, most) : NOTHING),
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

function resultsJson(report: RunReport, failed: readonly Ending[], most: number): JsonObject {
  const { classes, beside } = countOutcomes(report);
  const rows = tabulateRun(report);
  return {
    ...coverageJson(report),
    attempts: report.attempts,
    classes: { ...classes },
    beside: { ...beside },
    policies: rows.slice(0, most).map(runRowJson),
    policiesLeftOut: Math.max(0, rows.length - most),
    devices: failed.slice(0, most).map(deviceJson),
    devicesLeftOut: Math.max(0, failed.length - most),
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
  const { change, reason } = ending;
  return {
    ...pick(change.device, 'id', 'name', 'site'),
    task: change.task,
    policy: change.at.policy,
    outcome: classifyEnding(ending),
    ...(reason && { reason: reason.code }),
    ...pick(ending, 'taskId', 'detail'),
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

function shortText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value);
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, shortened(member)] as const);
  return Object.fromEntries(members);
}

/** Slack takes so many characters in a section, and in a heading. */
const SECTION = 3_000;

/** What is named of a condition, or of devices. */
const NAMED = 10;

/**
 * A run as the body of an incoming webhook of Slack: what needs attention, the devices that it failed on, and the next step.
 * What comes from the service or the documents stays text.
 */
export function slackText(run: NotifiedRun, report: RunReport | undefined): string {
  return fitted((most) => slackJson(run, report, Math.min(most, NAMED)));
}

function slackJson(run: NotifiedRun, report: RunReport | undefined, most: number): JsonObject {
  const { organization, service, conditions: told, exit, by, command = 'apply', error } = run;
  const title = `fleetform, ${code(organization)} at ${code(service)}: ${told ? WHY_WORDS[told.why] : 'run'}`;
  const conditions = told ? conditionsOf(told, most) : [];
  const devices = failedIn(report).slice(0, most);
  const next = report
    ? stepAfter(report, run, (text) => slack(shortText(text)))
    : (EXIT_WORDS[exit]?.next ?? '');
  const sections = [
    [
      `*${title}*`,
      ...conditions.map(({ condition, state, subjects }) => {
        const names = error !== undefined && subjects.length === 0 ? [error] : subjects;
        const about = names.length === 0 ? '' : `: ${names.map(code).join(', ')}`;
        return `• ${CONDITION_WORDS[condition]}${state === 'ended' ? ': no longer' : about}`;
      }),
    ],
    devices.map(({ change: { device, policy }, outcome }) => {
      const name = code(device.name ?? device.id);
      return `• ${name} (${code(policy)}): ${OUTCOME_WORDS[outcome].says}`;
    }),
    [...(next === '' ? [] : [`Next: ${next}`]), `Exit code ${exit}, ${code(command)}, ${code(by)}`],
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map(section);
  return { text: title, blocks };
}

/** A text that is not ours: nothing in it is a format. */
const code = (text: string): string => `\`${slack(shortText(text))}\``;

/** As many whole lines as a section takes. */
function section(lines: readonly string[]): JsonObject {
  let text = '';
  for (const line of lines) if (text.length + line.length < SECTION) text += `${line}\n`;
  return { type: 'section', text: { type: 'mrkdwn', text: text.trimEnd(), verbatim: true } };
}
