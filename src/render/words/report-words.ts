import type { Params } from '../../model/error.ts';
import type { CalendarKind } from '../../model/plan/calendar.ts';
import type { RunStatus, WaveStatus } from '../../model/report/status.ts';
import { type Phrase, counted, grouped } from './phrase.ts';
import type { Cause } from '../../model/plan/change.ts';

/** The event at a line of a calendar: short, for a column; and counted, for the totals. */
export const CALENDAR_WORDS: Readonly<Record<CalendarKind, { label: string; counted: Phrase }>> = {
  due: { label: 'due', counted: '{n|device and task due|devices and tasks due}' },
  expiry: { label: 'expires', counted: '{n|credential ends|credentials end}' },
  deadline: {
    label: 'deadline',
    counted: '{n|device reaches its deadline|devices reach their deadline}',
  },
  openingLost: { label: 'skipped', counted: '{n|opening is skipped|openings are skipped}' },
  exceptionEnds: { label: 'ends', counted: '{n|exception ends|exceptions end}' },
  windowOpens: { label: 'opens', counted: '{n|opening|openings}' },
  windowCloses: { label: 'closes', counted: '{n|close|closes}' },
  freezeBegins: { label: 'freeze', counted: '{n|freeze begins|freezes begin}' },
  freezeEnds: { label: 'ends', counted: '{n|freeze ends|freezes end}' },
  clockChange: { label: 'clock', counted: '{n|change of a clock|changes of clocks}' },
};

export const WAVE_WORDS: Readonly<Record<WaveStatus['is'], Phrase>> = {
  waiting: 'has not started',
  open: 'is open',
  soaking: 'soaks since {since}, until {until}',
  gated: 'not passed: {why}',
  passed: 'passed {since}',
  paused: 'is paused by {why}',
  aborted: 'is aborted by {why}',
  plain: '{devices|device|devices} remaining',
};

/** What a person has paused: the first line of a plan, a comment and a status (semantics N68). */
export const PAUSED_WORDS: Phrase =
  'Paused: [{policy} at {site}||{policy} at site {goneSite}||{scope}] since {since}[, until {until},] by {who}: {why}[ ({ticket})][. No policy has or names {orphaned}: all changes of its section wait.||. The service does not return site {goneSite}, so the pause holds at every site.||]';

/** Where the many changes that a run left of its file are listed. */
export const REPORT_LEFT = '`fleetform plan --all` lists them and every other change';

/** What a stop rule has stopped, and what may be done about it (semantics H8). */
export const STOP_WORDS = {
  below: 'see under Stopped',
  steps: '`fleetform get task {taskId} --steps`',
  held: '{held|change waits|changes wait} until it is unpaused',
  ended: '{held|change is|changes are} canceled',
  again: '{again|failed change is|failed changes are} retried after it ends[, not before {from}]',
  setAside:
    "{setAside|failed change has|failed changes have} no retry left[ in {incident}: `fleetform plan --only 'incidents.*'` says what each needs||: set another version or generation to start again]",
  afterPause:
    'check the steps and the devices, then run `fleetform unpause {scope} --ticket T --reason R`, or change the rollout in a commit',
  afterHalt:
    'check the steps and the devices[, and write `{renaming}` if a device has another ID once it is onboarded], then run `fleetform unpause fleet --ticket T --reason R`',
  afterAbort: 'check the steps and the devices; set another version or generation to start again',
} as const satisfies Readonly<Record<string, Phrase>>;

/** What a fleet writes whose devices are not known under the ID that they were onboarded with: a gap of `afterHalt`. */
export function renamingOf(rule: unknown): Params {
  return rule === 'foreignDevices' ? { renaming: 'service.dialect.onboardedId: unknown' } : {};
}

const COUNT_WORDS: Readonly<Record<string, string>> = {
  attempted: 'started',
  failed: 'failed',
  rolledBack: 'failed (rolled back)',
  aborted: 'failed (aborted)',
  unverified: 'not confirmed',
  timedOut: 'overdue',
  inDoubt: 'in doubt',
  deviceDown: 'down',
};

/**
 * The basis of a stop: how many failed so far, as the list below it and its wave say; else what its
 * rule counted. Empty if nothing is known.
 */
export function evidenceWords(counts: Readonly<Record<string, number>>, failed: number): string {
  if (failed > 0) return `: ${grouped(failed)} failed`;
  const parts = Object.entries(COUNT_WORDS).flatMap(([name, word]) => {
    const count = counts[name] ?? 0;
    return count > 0 ? [`${grouped(count)} ${word}`] : [];
  });
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

/** The run that holds the lock, as `status` shows it. */
export const RUN_WORDS: Readonly<Record<RunStatus['is'], Phrase>> = {
  atWork:
    'Run {epoch} ({label} on {host}, process {pid}) has been running since {since}. Another run waits for it with `--lock-wait 10m`.',
  dead: 'Run {epoch} ({label} on {host}, process {pid}) is dead: it started {since}, and its process no longer exists. `fleetform apply` takes over.',
  silent:
    'Run {epoch} ({label} on {host}, process {pid}) is dead or disconnected: no sign of it since {lastSign}. `fleetform apply` takes over.',
};

/** What a gate still requires; `empty` and the like are codes of its rules. */
export const GATE_WORDS: Readonly<Record<string, string>> = {
  empty: 'it has no device',
  minReached: 'too few of its devices have started',
  minSuccess: 'too few of its devices are verified',
  onTheWay: 'some of its devices are at an intermediate version',
  checks: 'it has not passed often enough',
  approval: 'the next wave needs approval',
  person: 'a person',
};

/** What a person can do about a task that is in doubt, or has run for too long. */
export const OPEN_WORDS = {
  lost: 'the task has been running for longer than `timeouts.lost`',
  next: 'check the device, then run `fleetform resolve TASK --as done|not-done --reason WHY`',
  unseen:
    'look for the device in the console, then run `fleetform resolve TASK --as done|not-done --reason WHY`',
} as const;

/** How many tasks are in doubt beside the drift; empty for none. */
export function doubtBesideWords(inDoubt: number): string {
  return inDoubt === 0 ? '' : `In doubt: ${counted(inDoubt, 'task')}; see \`fleetform status\`.`;
}

type OtherCause = Exclude<Cause, 'drift'>;

const BESIDE: Readonly<Record<OtherCause, string>> = {
  config: 'by policy, not rolled out yet',
  clock: 'due by schedule',
  onboarding: 'for new devices',
  detection: 'for a detected symptom',
  retry: 'to retry',
};

/** Other changes that run or wait, which are no drift; nothing if there are none. */
export function besideWords(beside: Readonly<Record<OtherCause, number>>): readonly string[] {
  const parts = Object.entries(BESIDE).flatMap(([cause, words]) => {
    const count = beside[cause as OtherCause];
    return count === 0 ? [] : [`${grouped(count)} ${words}`];
  });
  return parts.length === 0 ? [] : [`Not drift: ${parts.join(', ')}.`];
}
