import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { WorldError } from '../../model/error.ts';
import type { FilterProblem } from '../../model/fleet/filter-trial.ts';
import type { ReadProblem } from '../../model/fleet/snapshot.ts';
import type { RunClass } from '../../model/ledger/run-sums.ts';
import type { ProgressEvent } from '../../model/progress.ts';
import { type TerminalText, say, terminal } from '../sinks/sinks.ts';
import type { CodePhrases } from './entry.ts';
import { errorWords } from './errors.ts';
import { moment, span } from './moment.ts';
import { AT_WORK_WORDS, OUTCOME_WORDS } from './outcomes.ts';
import { counted, grouped } from './phrase.ts';

/** The next step for invalid documents. */
export const INVALID_WORDS = { next: 'Correct what is listed under `diagnostics`; each says how.' };

/** Precedes the name of a run that ended without releasing the lock. */
export const FOLLOWED_WORDS = 'Took the lock over from';

/** The result of `unlock`. */
export const UNLOCKED_WORDS = {
  none: 'Nothing is locked, so nothing was done.',
  says: 'Unlocked. It was held by',
  next: 'that run makes no further attempt; `fleetform resume` looks after what it had started',
};

/** The classes that a report, a note and an audit count in. */
export const CLASS_WORDS: Readonly<Record<RunClass, CodePhrases & { label: string }>> = {
  ...OUTCOME_WORDS,
  converged: {
    label: 'right already',
    says: 'the device had it before anything was sent',
    next: 'nothing to do',
  },
  atWork: AT_WORK_WORDS,
  stale: {
    label: 'stale',
    says: 'the device is no more as the plan saw it',
    next: 'make a new plan',
  },
};

/** The meaning of each exit code, which is the index. `command` is the one to run again. */
export const EXIT_WORDS: readonly CodePhrases[] = [
  { says: 'done, or nothing to do', next: 'nothing to do' },
  { says: 'an error', next: 'see the message above' },
  { says: 'the plan has changes', next: 'review the plan, then run `fleetform apply`' },
  { says: 'refused by a guardrail', next: 'select fewer devices, or allow it with a ticket' },
  { says: 'finished, some devices failed', next: 'look at the devices listed as not verified' },
  {
    says: 'something is in doubt',
    next: 'look at the devices in doubt, then run `fleetform resume` or `fleetform resolve`',
  },
  { says: 'locked by another run', next: 'wait for the other run' },
  { says: 'work is left', next: 'run `fleetform {command=apply}` again' },
  { says: 'the plan is stale or not the approved one', next: 'make a new plan' },
  { says: 'the ledger or the service is unfit', next: 'mend it, then run again' },
];

/** The question of apply on a terminal before it starts. */
export function askWords(run: number, wait: number): string {
  const later = wait === 0 ? '' : ` ${counted(wait, 'change')} wait for now.`;
  return `Run ${counted(run, 'change')}?${later} Only “yes” starts it: `;
}

/** The answer of apply to anything but yes. */
export function declinedWords(): string {
  return 'Nothing was started. The same command asks again.';
}

/** A warning of commands that only read, for a repository that does not have the ledger's remote yet. */
export function noRemoteWords(place: string): TerminalText {
  return say`This repository does not have the remote of the ledger (${terminal(place)}). The ledger is taken for empty, as it is before the first run, and no plan can be saved. Add the remote with \`git remote add\`, or set \`service.ledger\`.`;
}

/** A warning about a store of facts: nothing is wrong with the fleet, devices are only read once more. */
export function factStoreWords(
  what: 'unread' | 'unwritten' | 'foreign',
  place: string,
  cause: string,
): TerminalText {
  const why = cause === '' ? say`` : say` (${terminal(cause)})`;
  if (what === 'foreign')
    return say`What is known of single devices in ${terminal(place)} belongs to another service and is not used: devices are read again.`;
  if (what === 'unread')
    return say`What earlier runs read of single devices could not be read from ${terminal(place)}${why}: devices are read again.`;
  return say`What this run read of single devices could not be kept in ${terminal(place)}${why}: the next run reads it again.`;
}

/** The finding that stored facts are not what was read; they delay work at most, and are dropped. */
export function contradictedWords(kind: 'password' | 'certificate' | 'target'): TerminalText {
  return say`factsContradicted: a read of this run shows another ${terminal(kind)} than an earlier run is said to have read. What was stored of this kind is dropped and read again. Find out who may write to the store of facts; nothing was started because of it.`;
}

/** A warning that single values are too many to be read again before they are too old to be believed. */
export function factsTooSlowWords(wanted: number, perDay: number): TerminalText {
  return say`factsTooSlow: ${wanted} values of single devices are wanted, and hourly runs of apply read ${perDay} a day: many are too old before they are read again, and their devices wait as not read. Raise service.pace, --max-reads or --max-age, or name the field of the list that shows the date in service.dialect.`;
}

/** A warning in CI about a launcher that does not forward the signals of a cancelled job. */
export function launcherWords(launcher: string): string {
  return `Started by ${launcher} in CI: a cancelled job does not reach this process, which is then cut off or runs on. Nothing is done twice either way; to let it finish cleanly start it with \`exec\`, as \`exec node_modules/.bin/fleetform apply\`.`;
}

/** The message after a plan was saved. */
export function savedWords(file: string): TerminalText {
  const name = terminal(file);
  return say`Saved to ${name}; \`fleetform show ${name}\` shows it again.`;
}

/** What happens after a failed read. */
export function retryWords({ tried, most }: { readonly tried: number; readonly most: number }) {
  return `no good answer from the service, trying again: ${tried + 1} of ${most}`;
}

const FILTER_FAILS: Readonly<Record<FilterProblem, (filter: string) => string>> = {
  ignored: (filter) => `the service ignored the filter ${filter}`,
  refused: (filter) => `the service refused the filter ${filter}`,
  empty: (filter) =>
    `the service shows no device for the filter ${filter}, though there were when the fleet was read`,
  untried: (filter) =>
    `nothing that was read tells whether the service honours the filter ${filter}`,
};

/** The effect of a filter that the service does not support, shown once. */
export function unfilteredWords(
  event: Extract<ProgressEvent, { readonly kind: 'unfiltered' }>,
): string {
  const { filter, why } = event;
  const what = `${FILTER_FAILS[why](filter)}, so all rows are read and looked at before each start`;
  const isMaintenance = filter.includes('maintenanceMode=');
  return isMaintenance
    ? `${what}; \`service.dialect.filterMaintenanceMode\` names the filter, or says "" that there is none`
    : what;
}

/** The effect of a missing list of upgrade paths, shown once. */
export function pathsUnreadWords({ code, params }: Pick<WorldError, 'code' | 'params'>): string {
  const { summary } = errorWords(code, params, String);
  const key = typeof params['key'] === 'string' ? params['key'] : 'firmwarePathsListField';
  return `the list of upgrade paths is left alone, and targetFirmware is read for each kind of device instead: ${summary.replace(/\.$/, '')}; \`service.dialect.${key}\` corrects its names, and firmwarePathsListField: "" says that there is none`;
}

/** The message while the service or the store of the ledger is unavailable. */
export function outageWords(
  { failure, until, givenUpAt }: Extract<ProgressEvent, { readonly kind: 'away' }>,
  now: Instant,
): string {
  const { summary } = errorWords(failure.code, failure.params, String);
  const end = moment(Math.max(until, givenUpAt));
  return `${summary.replace(/\.$/, '')}; asked again in ${span(until - now)}, given up about ${end}`;
}

/** What a run waits for. */
export const WAIT_WORDS: Readonly<
  Record<Extract<ProgressEvent, { readonly kind: 'waiting' }>['why'], string>
> = {
  poll: 'the tasks are at work',
  verify: 'the devices are to show what was done',
  pace: 'the service asks for fewer requests',
  lock: 'another run holds the lock',
  window: 'a window has to open',
  freeze: 'a freeze has to end',
  hold: 'an exception has to end',
  soak: 'a wave or a device soaks',
  rest: 'a device is busy, or rests between two tasks',
  room: 'budgets leave no room; the fleet is read again then',
  due: 'something has to fall due',
};

/**
 * The number of changes skipped because something was not understood; nothing if there are none.
 */
export function notUnderstoodWords(
  counts: readonly { readonly field: string; readonly count: number }[],
): string | undefined {
  if (counts.length === 0) return undefined;
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const fields = counts.map(({ field, count }) => `${field} ${grouped(count)}`).join(', ');
  return `${counted(total, 'change')} skipped: the answer of the service was not understood (${fields})`;
}

/** Why a read returned nothing. */
export const READ_PROBLEM_WORDS: Readonly<Record<ReadProblem, string>> = {
  notFound: 'the service does not know it',
  forbidden: 'this user may not read it',
  unreadable: 'the answer could not be understood',
  notRead: 'it was not read',
};

/** Why a value of a row or of a read is unusable. */
export const VALUE_PROBLEM_WORDS: Readonly<Record<string, string>> = {
  ...READ_PROBLEM_WORDS,
  unusable: 'it cannot be part of an address',
};

/** The message of an internal error, and the next step. */
export const BUG_SAYS = 'fleetform broke a promise of its own and stopped.';

export const BUG_NEXT =
  'Please report it with these lines and the command you ran. What was started is in the ledger; the same command goes on from there.';

/** From this duration on the text also gives the end of the wait. */
const LONG: Milliseconds = 5 * 60_000;

/** What the run waits for and how long; for a long wait, also until when. */
export function waitText(
  { why, until }: Extract<ProgressEvent, { kind: 'waiting' }>,
  now: Instant,
): string {
  const left = until - now;
  const when = left < LONG ? '' : `, until ${moment(until)}`;
  return `${WAIT_WORDS[why]} (${span(left)}${when})`;
}
