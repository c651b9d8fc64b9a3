import { sumCounts } from '../../lib/group-by.ts';
import { listFirst } from '../../lib/text-order.ts';
import { LEDGER_FORMAT, type UnmergedBy } from '../../model/ledger/record.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { nearest } from '../../lib/nearest-name.ts';
import type { FilterProblem } from '../../model/fleet/filter-trial.ts';
import type { RunClass } from '../../model/ledger/run-sums.ts';
import type { PlainWait, ProgressEvent, StartedWave, WarningOf } from '../../model/progress.ts';
import { type TerminalText, say, terminal } from '../sinks/sinks.ts';
import { errorWords } from './errors.ts';
import { moment, span } from './moment.ts';
import { OUTCOME_WORDS } from './outcomes.ts';
import { counted, grouped, type Phrase, type CodePhrases } from './phrase.ts';

export const INVALID_WORDS = { next: 'Fix the problems under `diagnostics`.' };

/** Precedes the name of a run that ended without releasing the lock. */
export const FOLLOWED_WORDS = 'Took over the lock from';

export const UNLOCKED_WORDS = {
  none: 'There is no lock to release.',
  says: 'Lock released. Its holder was',
  next: 'that run starts no further task; `fleetform recover` checks the tasks that it started',
};

/** The result of `unlock --accept-loss`: where the ledger continues, and what that means. */
export const LOSS_WORDS = {
  says: 'The ledger continues at record {found}. Records up to {seen} are lost.',
  more: 'Lost with them: pauses, stops, approvals, and the progress of raised generations.',
  next: 'run `fleetform plan` to see what is due again; remove each completed `generation`, and repeat lost pauses',
} as const satisfies Readonly<Record<string, Phrase>>;

export const REJECTION_WORDS = {
  says: 'The head that names record {seen} is false, on record. The ledger ends at record {found}.',
  more: 'No record is lost: pauses, stops, approvals and progress count as before.',
  next: 'find out who pushed it, and protect the ledger and its heads in one ruleset',
} as const satisfies Readonly<Record<string, Phrase>>;

/** What `pause` says of a ledger that lacks records. */
export const PAUSED_REST_WORDS =
  'The pause is recorded in the remaining ledger. Runs on this machine start no task until the ledger is restored. Restore it, then pause again.';

/** The classes that a report, a note and an audit count in. */
export const CLASS_WORDS: Readonly<Record<RunClass, CodePhrases & { label: string }>> = {
  ...OUTCOME_WORDS,
  converged: {
    label: 'up to date',
    says: 'the device matched before a task was sent',
    next: 'nothing to do',
  },
  unreadable: {
    label: 'unreadable',
    says: 'the last read of the device was not usable',
    next: 'see the reason',
  },
  stale: {
    label: 'stale',
    says: 'the device changed after the plan',
    next: 'create a new plan',
  },
};

/** The meaning of each exit code, which is the index. `command` is the one to run again. */
export const EXIT_WORDS: readonly CodePhrases[] = [
  { says: 'success, and nothing is left to do', next: 'nothing to do' },
  {
    says: 'error, or the service cannot be reached',
    next: 'read the error message, fix the cause, then run again',
  },
  {
    says: 'changes, drift, differences or alerts found; of `plan` and `show` only with `--detailed-exitcode`',
    next: 'review what the command lists, then run `fleetform apply` if it is right',
  },
  {
    says: 'refused by a guardrail, exceeds its scope, or known devices are gone',
    next: 'select fewer devices, check what the user may read, or add an `allow` exception with a ticket',
  },
  {
    says: 'something failed, a change needs a person, or the policies select nothing',
    next: 'check what is listed, first under Needs you; what cannot be done yet, acknowledge with an exception',
  },
  {
    says: 'some outcomes are in doubt',
    next: 'check the devices in doubt, then run `fleetform recover` or `fleetform resolve`',
  },
  { says: 'locked by another run', next: 'wait for the other run' },
  {
    says: 'changes remain, values are not read, or an approval or a pause waits',
    next: 'run `fleetform {command=apply}` again',
  },
  { says: 'plan stale or not the approved one', next: 'create a new plan' },
  {
    says: 'ledger or service does not fit, or changed without a record',
    next: 'fix what the error message names, then run again',
  },
];

/** What a fleet of several came to, by the exit code of its outcome. */
export const OUTCOME_LABELS =
  'ok,error,differs,refused,needs you,in doubt,locked,work left,stale,unusable'.split(',');

export const BESIDE_DRIFT =
  'The outcome is that of drift alone: `fleetform status` judges the changes that wait or need you.';

/** Why a folder beside the fleets of a command is not covered. */
export const UNCOVERED_WORDS = {
  name: 'begins with . or _',
  link: 'link',
  empty: 'no documents',
  removed: 'removed by this request',
  unusable: 'name a fleet with letters, digits, dots, hyphens and underscores, at most 64',
  other: 'not named',
} as const;

/** The question of apply on a terminal before it starts, below the plan; `wait` is how long it stays. */
export function askWords(
  { now, later }: Readonly<Record<'now' | 'later', number>>,
  wait: Milliseconds = 0,
): string {
  const others = later > 0 ? ` and ${grouped(later)} later` : '';
  const anyway =
    wait > 0
      ? `Wait up to ${span(wait)} and start up to ${counted(later, 'change')}`
      : `No change can start now, ${grouped(later)} later. Run anyway`;
  const none = later > 0 ? anyway : 'No change can start. Finish the running tasks';
  return `${now > 0 ? `Apply ${counted(now, 'change')} now${others}` : none}? Type "yes": `;
}

/** The answer of apply to anything but yes. */
export function declinedWords(): string {
  return 'Canceled: no task was started. To apply, run the same command again and type "yes".';
}

/** Which documents `apply --unmerged` starts: those that nobody merged, or the newest anyway (protocol M8). */
export function unmergedWords(unmerged: UnmergedBy | undefined): TerminalText {
  if (!unmerged) return say`These documents are the newest: --unmerged changes nothing.`;
  return say`These documents are not the newest of the default branch. They start for ${terminal(unmerged.who)} (${terminal(unmerged.why)}); the ledger records that.`;
}

/** A warning of commands that only read, for a repository that does not have the ledger's remote yet. */
export function noRemoteWords(place: string): TerminalText {
  return say`This repository lacks the remote of the ledger (${terminal(place)}). The plan assumes an empty ledger and cannot be saved. Add the remote with \`git remote add\`, or set \`service.ledger\`.`;
}

/** Said once, where this version continues a ledger that an earlier one began. */
export function newFormatWords(place: string): TerminalText {
  return say`The ledger (${terminal(place)}) now has format ${terminal(String(LEDGER_FORMAT))}: older versions of fleetform can read it but no longer write to it.`;
}

/** A warning about the head of a ledger that is not remembered outside the working directory. */
export function unkeptWords(place: string, cause: string): TerminalText {
  return say`Cannot write ${terminal(place)} (${terminal(cause)}). If the ledger is lost with this directory, the next run cannot detect it. Set XDG_STATE_HOME to a writable directory.`;
}

/** A warning about a note that names a record which the ledger never had (protocol M12). */
export function falseNoteWords({ seq, by, at }: NotedHead): TerminalText {
  const who =
    by === undefined ? '' : ` It says: by "${by}"${at === undefined ? '' : `, ${moment(at)}`}.`;
  return say`A note names record ${seq}, which the ledger does not have.${terminal(who)} The recorded heads match the ledger: the run continues.`;
}

/** What a note says of the ledger and of itself. */
interface NotedHead {
  readonly seq: number;
  readonly by?: string;
  readonly at?: number;
}

/** A warning where the remote keeps no heads beside the ledger. */
export function headsUnkeptWords(branch: string, why: string): TerminalText {
  return say`Cannot keep the heads of the ledger on the branch ${terminal(branch)} (${terminal(why)}). A ledger that is restored from an old copy is noticed on this machine alone. Let the account that pushes the ledger push that branch, too, with \`--atomic\`.`;
}

/** A warning where the environment names no folder of the user's state. */
export function unkeptHereWords(): TerminalText {
  return say`HOME and XDG_STATE_HOME are not set, so nothing outside this directory remembers where the ledger ends. If the ledger is lost with this directory, the next run cannot detect it. Set XDG_STATE_HOME to a writable directory.`;
}

/** What may happen to stored facts. */
export type StoreProblem = 'unread' | 'unwritten' | 'unrecorded' | 'unnamed' | 'foreign';

/** A warning about a store of facts: nothing is wrong with the fleet, devices are only read once more. */
export function factStoreWords(what: StoreProblem, place: string, cause: string): TerminalText {
  const why = cause === '' ? say`` : say` (${terminal(cause)})`;
  if (what === 'foreign')
    return say`The stored device values in ${terminal(place)} belong to another service. Devices are read again.`;
  if (what === 'unnamed')
    return say`Some files of device values in ${terminal(place)} are in no record of the ledger. They are not believed, and devices are read again. After an update of fleetform this is normal; if it comes again, check who may push there.`;
  if (what === 'unrecorded')
    return say`Cannot record which device values were stored${why}. The next run reads them again.`;
  if (what === 'unread')
    return say`Cannot read the stored device values in ${terminal(place)}${why}. Devices are read again.`;
  return say`Cannot store device values in ${terminal(place)}${why}. The next run reads them again.`;
}

/** The finding that stored facts are not what was read: those of one kind are believed no more (semantics M25). */
export function disprovedWords({
  kind,
  device,
  count,
}: {
  readonly kind: string;
  readonly device: string;
  readonly count: number;
}): TerminalText {
  const first = say`factsContradicted: a second read contradicts the stored ${terminal(kind)} date of ${terminal(device)}.`;
  if (count === 0)
    return say`${first} The new date counts. Check who may write to the store of device values.`;
  const others = terminal(counted(count, 'stored date'));
  return say`${first} No longer believed: ${others} of this kind; they started no task. Check who may write to the store of device values; \`fleetform apply\` reads ${terminal(counted(count, 'device'))}.`;
}

/** A warning that single values are too many to be read again before they are too old to be believed. */
export function factsTooSlowWords(wanted: number, perDay: number): TerminalText {
  return say`factsTooSlow: the plan needs ${terminal(grouped(wanted))} device reads. Hourly applies make ${terminal(grouped(perDay))} a day, so values expire before they are read again. Raise service.pace, --max-reads or --max-age, or set the list field with the date in service.dialect.`;
}

/** A warning in CI about a launcher that does not forward the signals of a cancelled job. */
export function launcherWords(launcher: string): string {
  return `Started by ${launcher} in CI, which does not forward the signals of a canceled job. No task runs twice. To stop cleanly, start it with \`exec node_modules/.bin/fleetform apply\`.`;
}

/** A command of an earlier version, and what to write now. */
export function renamedWords(old: string, write: string): string {
  return `Write \`fleetform ${write}\`: \`${old}\` is its old name and works until 1.0.`;
}

export function savedWords(file: string): TerminalText {
  const name = terminal(file);
  return say`Saved to ${name}. To show it again, run \`fleetform show ${name}\`.`;
}

export function snapshotSavedWords(file: string): TerminalText {
  return say`Saved the fleet as read to ${terminal(file)}.`;
}

/** The service has accepted the first task of a wave, or of a policy without waves. */
export function startedWords({ policy, wave }: StartedWave): string {
  return wave === undefined ? `started: ${policy}` : `started: ${policy}, wave ${wave}`;
}

/** What earlier runs left open. */
export function recoveringWords({
  open,
  inDoubt,
}: Extract<ProgressEvent, { readonly name: 'recovering' }>): string {
  return `Finishing earlier runs: ${grouped(open)} open, ${grouped(inDoubt)} in doubt`;
}

/** What happens after a failed read: why, when the next try is, and which one. */
export function retryWords(
  { tried, most, until, status }: Extract<ProgressEvent, { readonly reason: 'retrying' }>,
  now: Instant,
): string {
  return `${failureWords(status)}, next try in ${span(until - now)} (${tried + 1} of ${most})`;
}

function failureWords(status: number | undefined): string {
  if (status === undefined) return 'no response';
  if (status === 429) return 'the service limits requests (429)';
  return `the service returned an error (${status})`;
}

const FILTER_FAILS: Readonly<Record<FilterProblem, (filter: string) => string>> = {
  ignored: (filter) => `the service ignored the filter ${filter}`,
  refused: (filter) => `the service refused the filter ${filter}`,
  empty: (filter) =>
    `the service returns no device for the filter ${filter}, but the fleet has some`,
  untried: (filter) => `the data does not show whether the service honors the filter ${filter}`,
};

/** The effect of a filter that the service does not support, shown once. */
export function unfilteredWords({ filter, why }: WarningOf<'unfiltered'>): string {
  const what = `${FILTER_FAILS[why](filter)}, so all rows are read before each start`;
  const isMaintenance = filter.includes('maintenanceMode=');
  return isMaintenance
    ? `${what}; set \`service.dialect.filterMaintenanceMode\` to the filter, or to "" if there is none`
    : what;
}

/** The effect of a missing list of upgrade paths, shown once. */
export function pathsUnreadWords({ code, params }: WarningOf<'pathsUnread'>): string {
  const { summary } = errorWords(code, params, String);
  const key = typeof params['key'] === 'string' ? params['key'] : 'firmwarePathsListField';
  return `the list of upgrade paths cannot be used, so targetFirmware is read for each kind of device: ${summary.replace(/\.$/, '')}; set \`service.dialect.${key}\`, or \`firmwarePathsPages: none\` if there is none`;
}

/** A task that the service does not show; the reason is reported once in a run. */
export function taskUnreadWords({ taskId, code, params }: WarningOf<'taskUnread'>): string {
  const { summary } = errorWords(code, params, String);
  const why =
    code === 'notFound' ? 'the service does not return it (404)' : summary.replace(/\.$/, '');
  return `cannot read task ${taskId}: ${why}; the task continues, and its outcome is in doubt until a poll returns it`;
}

/** The message while the service or the store of the ledger is unavailable. */
export function outageWords(
  { failure, until, givenUpAt }: Extract<ProgressEvent, { readonly reason: 'away' }>,
  now: Instant,
): string {
  const { summary } = errorWords(failure.code, failure.params, String);
  const end = moment(Math.max(until, givenUpAt), { now });
  return `${summary.replace(/\.$/, '')}; next try in ${span(until - now)}, last try about ${end}`;
}

/** The ledger cannot be written while a run has the lease. */
export function ledgerOutageWords({
  failure,
}: Extract<ProgressEvent, { readonly type: 'ledger.lost' }>): string {
  const { summary } = errorWords(failure.code, failure.params, String);
  return `${summary.replace(/\.$/, '')}: no new task starts; running tasks are followed, and outcomes are written again until the lock expires`;
}

export const LEDGER_BACK_WORDS = 'the ledger can be written again';

/** A rule, or an anomaly, has stopped a rollout or the fleet. */
export function tripWords({
  scope,
  rule,
}: Extract<ProgressEvent, { readonly type: 'stop.tripped' }>): string {
  return `stopped: ${scope}, by ${rule}`;
}

/** The first signal; `unrecorded` outcomes are not in the ledger yet. */
export function stoppingWords(unrecorded: number): string {
  if (unrecorded === 0)
    return 'stopping: no new task starts; requests in progress finish and are recorded';
  const outcomes = counted(unrecorded, 'outcome');
  return `stopping: no new task starts; the ledger lacks ${outcomes}, one more try to write`;
}

const WAIT_WORDS: Readonly<Record<PlainWait['reason'], string>> = {
  poll: 'tasks are running',
  verify: 'devices must confirm the change',
  pace: 'the service limits the request rate',
  lock: 'another run holds the lock',
  window: 'a window opens',
  freeze: 'a freeze ends',
  hold: 'an exception ends',
  soak: 'a wave or a device soaks',
  gate: 'a wave must pass its gate again before the next one starts',
  rest: 'a device is busy or cooling down',
  room: 'budgets are full; the fleet is read again',
  due: 'the next device becomes due',
};

/**
 * The number of changes skipped because something was not understood; nothing if there are none.
 */
export function notUnderstoodWords(
  counts: readonly { readonly field: string; readonly count: number }[],
): string | undefined {
  if (counts.length === 0) return undefined;
  const total = sumCounts(counts);
  const fields = counts.map(({ field, count }) => `${field} ${grouped(count)}`).join(', ');
  return `Needs you: ${counted(total, 'change')} with unreadable values (${fields})`;
}

/** The message of an internal error, and the next step. */
export const BUG_SAYS = 'Internal error in fleetform.';

export const BUG_NEXT =
  'Report it with these lines and the command you ran. Started tasks are in the ledger; the same command continues from there.';

/** From this duration on the text also gives the end of the wait. */
const LONG: Milliseconds = 5 * 60_000;

/** What the run waits for and how long; for a long wait, also until when. */
export function waitText({ reason, until }: PlainWait, now: Instant): string {
  const left = until - now;
  const when = left < LONG ? '' : `, until ${moment(until, { now })}`;
  return `${WAIT_WORDS[reason]} (${span(left)}${when})`;
}

const ROW_WORDS = {
  devices: 'device',
  sites: 'site',
  deviceSources: 'device source',
  discoveredDevices: 'discovered device',
  firmwarePaths: 'firmware path',
} as const;

/**
 * What `get` says on stderr where a selector or filter leaves no row.
 * @param total the number of rows a selector chose from; a filter of the service tells none
 */
export function noMatchWords(list: keyof typeof ROW_WORDS, total: number | undefined): string {
  const row = ROW_WORDS[list];
  return total === undefined ? `No ${row} matches.` : `0 of ${counted(total, row)} match.`;
}

/** What `get` says on stderr of the devices that a selector may match, by their IDs (semantics M20). */
export function unclearMatchWords(ids: readonly string[]): string {
  const shown = listFirst(ids.map(terminal), 3);
  return `Left out, because it is unclear whether the selector matches: ${counted(ids.length, 'device')} (${shown}).`;
}

/**
 * Messages about a wrong command line, from the parser of flags: its wording, and ours. A message
 * that is none of these stays as it is.
 */
const MESSAGES: readonly (readonly [parser: RegExp, words: string])[] = [
  [
    /^error: option '(?:-\w, )?(--[\w-]+).*?' argument '(.*)' is invalid\. /s,
    'error: Invalid value "$2" for $1. ',
  ],
  [
    /^error: command-argument value '(.*)' is invalid for argument '([\w:]+)'\. /s,
    'error: Invalid $2 "$1". ',
  ],
  [
    /^error: unknown option '-o'/,
    'error: Unknown flag "-o". Use `--format FORMAT` for the format, `> FILE` for a file.',
  ],
  [/^error: unknown option '(.*)'/, 'error: Unknown flag "$1".'],
  [/^error: unknown command '(.*)'/, 'error: Unknown command "$1".'],
  [
    /^error: required option '(?:-\w, )?(--[\w-]+)(?: <(.*)>)?' not specified/,
    'error: $1 $2 is required.',
  ],
  [/^error: missing required argument '(.*)'/, 'error: $1 is required.'],
  [/^error: option '(?:-\w, )?(--[\w-]+)(?: <(.*)>)?' argument missing/, 'error: $1 requires $2.'],
  [
    /^error: too many arguments for '(.*)'\. Expected (\d+) arguments? but got (\d+)/,
    'error: Too many arguments for $1: $3 instead of $2',
  ],
];

/** Flags and commands that people know from other tools, and what there is instead. */
const OTHER_TOOLS: Readonly<Record<string, string>> = {
  'dry-run': 'Run `fleetform plan`: it changes nothing.',
  'auto-approve': 'Write `--yes`.',
  target: 'Write `--only POLICY`.',
  destroy:
    'Remove the policy in a commit: devices keep what they have. `fleetform pause` stops work.',
  refresh: 'Run `fleetform plan`: it reads the fleet each time.',
  'all-fleets':
    'Run it for each: `--fleet fleet/NAME`. validate, plan, status, report, drift and audit take several.',
  state: 'Run `fleetform status` for the fleet, `fleetform audit` for the ledger.',
  rollback:
    'Write the earlier version and `downgrade: allow` in the policy, then `fleetform plan`.',
};

/** The message in the words of fleetform, with a suggestion as in every other one. */
export function usageWords(text: string): string {
  const [, kind, name = ''] = /^error: unknown (option|command) '(-*[\w-]+)/.exec(text) ?? [];
  const known = name.replace(/^-+/, '');
  const isFlag = kind === 'option';
  if (isFlag === name.startsWith('-') && Object.hasOwn(OTHER_TOOLS, known))
    return `error: Unknown ${isFlag ? 'flag' : 'command'} "${name}".\nnext: ${OTHER_TOOLS[known]}\n`;
  if (kind === 'command' && nearest(name, ['help']) !== undefined)
    return `error: Unknown command "${name}". Did you mean "help"?\n`;
  const found = MESSAGES.find(([parser]) => parser.test(text));
  const said = found === undefined ? text : text.replace(...found);
  return said.replace(/\(Did you mean (?:one of )?([^?\n]*)\?\)/, (_, names: string) => {
    return `Did you mean "${names}"?`;
  });
}
