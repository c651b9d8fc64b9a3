import type { Params, WorldCode } from '../../model/error.ts';
import type { ForgeKind } from '../../model/ports.ts';
import type {
  GroundChange,
  GroundSetting,
  RequestChange,
} from '../../model/report/request-change.ts';
import type { WorkAhead, WorkReason } from '../../model/report/work-ahead.ts';
import { type Instant, parseInstant } from '../../lib/time.ts';
import { UNCOVERED_WORDS } from './commands.ts';
import { moment, momentText } from './moment.ts';
import { counted } from './phrase.ts';
import {
  annotation,
  ciLine,
  mark,
  markdown,
  escapeInvisible,
  type CiText,
  type MarkdownText,
  terminal,
} from '../sinks/sinks.ts';
import { errorWords } from './errors.ts';

/** What each forge calls a request to merge a branch. */
const REQUEST_NAMES: Readonly<Record<ForgeKind, string>> = {
  github: 'pull request',
  gitlab: 'merge request',
};

const own = (text: string): MarkdownText => text as MarkdownText;

/** Below the headline of a plan from a fork: the author of the code controls the plan. */
export function forkWords(repository: string): string {
  const who = mark`Created by a run in the fork ${markdown(repository)}, which has no credentials and controls its own code.`;
  const what = 'Treat it as unverified: apply makes its own plan from the fleet.';
  return `> [!NOTE]\n> ${who} ${what}\n`;
}

/** Replaces a plan: the newest commit has none. */
export function noPlanWords(
  commit: string,
  conclusion: string | undefined,
  kind: ForgeKind,
): string {
  const said = conclusion === undefined ? own('') : mark` (${markdown(conclusion)})`;
  const where = own(`See the checks of this ${REQUEST_NAMES[kind]}.`);
  const text = mark`The run for this commit created no plan${said}. ${where}`;
  return `### No plan for commit ${markdown(commit.slice(0, 12))}\n\n${text}\n`;
}

export function refusedPlanWords(
  commit: string,
  { code, params }: { readonly code: WorldCode; readonly params: Params },
): string {
  const { summary } = errorWords(code, params, markdown);
  return `### No plan for commit ${markdown(commit.slice(0, 12))}\n\n${summary}\n`;
}

/** Replaces a plan that could not be shown, for any reason. */
export function failedPlanWords(commit: string, kind: ForgeKind): string {
  const text = `The job that comments on this ${REQUEST_NAMES[kind]} failed. See its log.`;
  return `### No plan for commit ${markdown(commit.slice(0, 12))}\n\n${text}\n`;
}

/** Replaces the plan of an older commit, for a service that the documents no longer name. */
export function otherServiceWords(commit: string): string {
  const text = 'The documents now use another service, or the run for this one has not ended.';
  return `### No plan for commit ${markdown(commit.slice(0, 12))}\n\n${text}\n`;
}

/** How many files of code a comment names. */
const MOST_FILES = 10;

/**
 * What a request changes besides its plan, above that plan: the ground first, then code that makes plans;
 * empty where it changes neither (protocol M5).
 */
export function requestChangeWords({ ground, code, notCompared }: RequestChange): string {
  const lines = [
    ...(ground.length > 0 ? [groundLine(ground)] : []),
    ...(notCompared === undefined
      ? []
      : [
          mark`ground not compared: ${markdown(notCompared)}. Compare \`service\` of both commits yourself.`,
        ]),
    ...(code.length > 0 ? [codeLine(code)] : []),
  ];
  return lines.map((line) => `${line}\n\n`).join('');
}

/** Settings that move where credentials go or records are read: nothing runs until the move is recorded. */
const MOVES: ReadonlySet<GroundSetting> = new Set([
  'service',
  'organization',
  'ledger store',
  'ledger path',
  'ledger remote',
  'ledger branch',
]);

/** How many characters what a request changes of the ground has in a comment. */
const MOST_GROUND = 16_000;

function groundLine(ground: readonly GroundChange[]): MarkdownText {
  const parts = ground.map(({ setting, folder, before, after }) => {
    const where = folder === undefined ? own('') : mark`${markdown(folder)}: `;
    return mark`${where}${own(setting)} ${valueText(before)} -> ${valueText(after)}`;
  });
  let room = MOST_GROUND;
  const named = parts.filter((part) => (room -= part.length) >= 0);
  const more = parts.length - named.length;
  const rest = more > 0 ? ` and ${more} more: compare \`service\` of both commits yourself` : '';
  const isMoved = ground.some(({ setting, before }) => MOVES.has(setting) && before !== undefined);
  const then = isMoved
    ? ' After a merge nothing runs until `fleetform ledger move` is recorded.'
    : '';
  return mark`GROUND CHANGE: ${own(named.join('; ') + rest)}.${own(then)}`;
}

function valueText(value: string | undefined): MarkdownText {
  return value === undefined ? own('none') : markdown(value);
}

function codeLine(code: readonly string[]): MarkdownText {
  const named = code.slice(0, MOST_FILES).map(markdown).join(', ');
  const more = code.length > MOST_FILES ? ` and ${code.length - MOST_FILES} more` : '';
  return mark`CODE CHANGE: ${own(named + more)}. Code of this request makes plans: review it before you believe the plan.`;
}

/** The output of an apply run for the summary of its step; cut at the end if necessary. */
export function runSummary(title: string, text: string, limit: number): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = limit - title.length - 2 * fence.length - 64;
  const whole = text.length <= space;
  const shown = whole ? text : text.slice(0, Math.max(0, text.lastIndexOf('\n', space)));
  const more = whole ? '' : '… and more, in the log of the step\n';
  return `### ${title}\n\n${fence}text\n${shown.trimEnd()}\n${fence}\n${more}`;
}

/**
 * A line about the job: GitHub shows it next to the job, others in the log. `{request}` in it is what the
 * forge calls a request.
 */
export function jobNotice(text: string, kind: ForgeKind | undefined): CiText {
  const name = kind ? REQUEST_NAMES[kind] : 'request';
  const filled = escapeInvisible(text.replaceAll('{request}', name));
  return kind === 'github'
    ? annotation('notice', { title: 'fleetform' }, filled)
    : ciLine(`fleetform: ${filled}`);
}

/** The snapshot of a plan without credentials, and its age. */
export function onSnapshotWords(takenAt: string, evaluatedAt: string): string {
  const age = (parseInstant(evaluatedAt) ?? 0) - (parseInstant(takenAt) ?? 0);
  const hours = Math.max(0, Math.floor(age / 3_600_000));
  const old = hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day');
  const reading = `of ${momentText(takenAt)}, ${old} old`;
  return `Planned without credentials, on the saved snapshot ${reading}.`;
}

export const JOB_WORDS = {
  workLeft: 'Changes remain: they wait or need you. The next scheduled run continues.',
  needsKnown:
    'Nothing failed. What needs you is as in the last record, so an open issue stays open and no message is sent.',
  validOnly:
    'The documents are valid. There is no plan, because this job has neither credentials nor a saved snapshot.',
  groundChanged:
    'The documents are valid. There is no plan, because they change the ground. Nothing was sent to the service.',
  noSnapshot: 'No run of the default branch has saved a snapshot.',
  overtaken: 'The {request} has newer commits or is closed. Nothing is posted.',
  noOutcome: 'The run recorded no outcome. No comment is edited.',
  issueUnchanged: 'No run failed, but some changes need you. An open issue is not changed.',
  noPull: 'No merged {request} with a plan contains this commit. No comment is edited.',
  noBase: 'This job names no commit to compare with, so all fleets are listed.',
  noPlanFile:
    'No plan is posted: no file of --plan is there. A comment with an older plan says so, too.',
  notAPull: 'This job is not for a {request}. Nothing is posted.',
} as const;

/** The link to the HTML report, an artifact of the run that planned. */
export function reportLinkWords({
  page,
  artifact,
}: {
  readonly page: string;
  readonly artifact: string;
}): string {
  return `[The full plan as HTML](${page}): artifact \`${artifact}\` of that run.`;
}

/** Why a scheduled run has work, now or from an instant on (semantics N88). */
const AHEAD_WORDS: Readonly<Record<WorkReason, (name: string, at: string) => string>> = {
  none: () => 'it has no ledger yet',
  open: () => 'tasks are not finished, or a run holds its ledger',
  unread: () => 'no run has said what it saw since others wrote its ledger',
  edited: () => 'its documents are not those of the last run',
  anytime: (name) => `${name} is bound to no window`,
  window: (name, at) => `window ${name} opens ${at}`,
  next: (_, at) => `the last run found something to do from ${at}`,
  date: (name, at) => `a date of ${name}, ${at}`,
  day: (_, at) => `the last run was ${at}, and each day has one`,
  unclear: (name) => name.replace(/\.$/, ''),
};

/** A folder that no job of a matrix covers. */
export function notCoveredLine(folder: string, why: keyof typeof UNCOVERED_WORDS): string {
  return `Not covered: ${terminal(folder)} (${UNCOVERED_WORDS[why]}).`;
}

/** One line for each fleet: why it has work, or until when it is left out. */
export function workLine(fleet: string, ahead: WorkAhead, now: Instant): string {
  const { why, name = '', of = 0, from } = ahead;
  const reason = AHEAD_WORDS[why](name, moment(of, { now }));
  if (from <= now) return `${fleet} has work: ${reason}.`;
  return `${fleet} is left out until ${moment(from, { now })}: ${reason}.`;
}
