import type {
  DebtStatus,
  OpenStatus,
  PolicyStatus,
  ReasonCount,
  RunStatus,
  StatusView,
  WaveStatus,
} from '../../model/report/status.ts';
import type { Instant } from '../../lib/time.ts';
import { labelled } from '../print/terminal.ts';
import { ledgerLostLines } from './ledger/lost-text.ts';
import { pauseBlocks } from '../outputs/warnings.ts';
import { inlineText, printTerminal } from '../print/terminal.ts';
import { zoneClock } from '../words/local.ts';
import { moment, span, type PageTime } from '../words/moment.ts';
import { tint } from '../sinks/paint.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { UNREAD_NEXT_WORDS } from '../words/record-words.ts';
import { guardrailBlocks } from '../outputs/guardrails.ts';
import { GATE_WORDS, idleWords, OPEN_WORDS, RUN_WORDS, WAVE_WORDS } from '../words/report-words.ts';
import { findAllClear } from '../../model/report/all-clear.ts';
import { statusSituation } from '../view/situations.ts';
import { hintWords } from '../words/review/hint.ts';
import { outsideWords, partWords } from '../words/part-words.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import { placeText, type TextStyle } from '../sinks/snippet.ts';
import { findColumn, PLAN_COLUMNS, type PlanColumn } from '../../model/plan/actor.ts';
import { groupBy, sumCounts } from '../../lib/group-by.ts';
import { changesSentence, NOT_COMPARED } from '../words/review/all-clear.ts';
import { cellText, COLUMN_TITLES } from '../words/review/review-words.ts';
import { policiesText } from '../outputs/naming.ts';
import { stopBlocks } from '../outputs/stops.ts';
import { stepKey, shareReason } from '../view/shared-reason.ts';
import { table } from '../sinks/table.ts';
import { cutAddresses } from '../sinks/addresses.ts';
import { wrap } from '../sinks/wrap.ts';
import { TORN_WORDS } from '../words/reading-words.ts';
import { reasonWords } from '../words/reasons.ts';
import { TASK_WORDS } from '../words/terms.ts';

/** How a status is written; `command` is the one to run next, with its arguments. */
interface StatusStyle extends TextStyle {
  readonly command?: string;
  /** Lists policies with nothing to do, too. */
  readonly all?: boolean;
}

/**
 * The state of the fleet as text: pauses and stops, a table with a line for each policy, the waves
 * of rollouts that have begun, what waits and why, then tasks in doubt and in flight. One hint ends
 * it.
 */
export function* statusText(view: StatusView, style: StatusStyle): Generator<TerminalText> {
  if (view.ledgerLost) yield* ledgerLostLines(view.ledgerLost, style);
  yield* printTerminal(pauseBlocks(view.pauses), style);
  const read =
    view.readAt === undefined
      ? ''
      : `, of the fleet as read ${moment(view.readAt, { now: view.at })}`;
  const { standing } = findAllClear(statusSituation(view));
  const { coverage, torn, part } = view;
  const sighting = { coverage, isTorn: torn, isPart: part !== undefined };
  for (const line of wrap(
    terminal(changesSentence(standing, sighting, statusTime(view))),
    style.width,
  ))
    yield tint(style.paint, 'bold', line);
  const compared = coverage && !coverage.known ? `; ${NOT_COMPARED}` : '';
  yield* wrap(terminal(`Status at ${moment(view.at)}${read}${compared}`), style.width);
  if (torn) yield* wrap(terminal(TORN_WORDS), style.width);
  if (view.part) {
    const said = partWords(view.part, terminal) as TerminalText;
    yield* wrap(say`  part  ${said}. ${terminal(outsideWords(view.part))}`, style.width, 8);
  }
  yield* lockLines(view.run, view.at, style);
  yield* printTerminal(stopBlocks('Paused', view.paused, view.at), style);
  yield say``;
  if (view.policies.length === 0) yield say`No policy selects a device.`;
  else yield* policyLines(view.policies, style);
  yield* printTerminal(guardrailBlocks(view.refused ?? []), style);
  yield* rolloutLines(view, style);
  yield* waitLines(view, style);
  yield* openLines('In doubt', view.inDoubt, { ...style, now: view.at, next: OPEN_WORDS.next });
  const unseen = { ...style, now: view.at, next: OPEN_WORDS.unseen };
  yield* openLines('Unverified, and not listed', view.unseen ?? [], unseen);
  yield* flightLines(view, style);
  yield say``;
  yield* nextsText(view, style);
}

/** So many policies with nothing to do are listed; more are one line. */
const IDLE = 3;

/** The policies, those with nothing to do as one line if there are many. */
function* policyLines(
  policies: readonly PolicyStatus[],
  style: StatusStyle,
): Generator<TerminalText> {
  const idle = style.all ? [] : policies.filter(isIdle);
  if (idle.length <= IDLE) return yield* policyTable(policies, style);
  const others = policies.filter((policy) => !isIdle(policy));
  if (others.length > 0) yield* policyTable(others, style);
  const done = idle.reduce((sum, { columns }) => sum + columns.done, 0);
  yield* wrap(terminal(idleWords(idle.length, done)), style.width);
}

/** Whether no device of a policy needs anything, and none was changed by it. */
function isIdle(policy: PolicyStatus): boolean {
  const { columns, verified, debt, halted, startedAt } = policy;
  const isOpen = PLAN_COLUMNS.some((column) => column !== 'done' && columns[column] > 0);
  return !isOpen && verified === 0 && (debt ?? halted ?? startedAt) === undefined;
}

/** Each policy with its devices by who has to act, and what of it is overdue. */
function policyTable(
  policies: readonly PolicyStatus[],
  { width, paint }: TextStyle,
): readonly TerminalText[] {
  const columns = PLAN_COLUMNS.filter(
    (column) =>
      (column !== 'running' && column !== 'out') ||
      policies.some((each) => each.columns[column] > 0),
  );
  const titles = [
    'Policy',
    ...columns.map((column) => COLUMN_TITLES[column]),
    'Overdue',
    'Verified',
  ];
  const names = cutAddresses(
    policies.map(({ at }) => terminal(at.policy)),
    Math.max(16, width - titles.slice(1).reduce((sum, title) => sum + title.length + 2, 0)),
  );
  const rows = policies.map((policy, index) => {
    const { at, verified, debt } = policy;
    const counts = [
      ...columns.map((column) => policy.columns[column]),
      debt?.devices ?? 0,
      verified,
    ];
    return [
      names[index] ?? terminal(at.policy),
      ...counts.map((count) => terminal(cellText(count))),
    ];
  });
  return table(rows, {
    width,
    header: titles.map((text) => terminal(text.toUpperCase())),
    align: ['left', ...titles.slice(1).map(() => 'right' as const)],
    head: (line) => tint(paint, 'dim', line),
  });
}

/** The rollouts that have begun, or have several waves, and what is overdue. */
function* rolloutLines(view: StatusView, style: TextStyle) {
  const { policies } = view;
  const page = statusTime(view);
  for (const policy of policies) {
    const followed = policy.waves.filter(({ is: state }) => state !== 'plain');
    const isRollout = followed.length > 1 || policy.startedAt !== undefined;
    const waves = isRollout ? followed : [];
    if (waves.length === 0 && !policy.debt) continue;
    yield say``;
    const head = tint(style.paint, 'bold', terminal(policy.at.policy));
    const task = terminal(TASK_WORDS[policy.task]);
    yield* wrap(say`${head}  ${placeText(policy.at)}  ${task}`, style.width, 2);
    if (waves.length > 0) yield* labelled('rollout', rolloutText(policy, page), style);
    for (const wave of waves) yield* labelled('wave', waveText(wave, page), style);
    if (policy.debt) yield* labelled('overdue', debtText(policy.debt, page), style);
  }
}

/** How many reasons of one heading are listed; the plan has all of them. */
const REASONS = 10;

/** How many policies of a reason are named. */
const NAMED = 3;

/** The columns of what waits or is skipped, in reading order. */
const WAITING: readonly PlanColumn[] = ['person', 'running', 'later', 'out'];

/** What waits or is skipped, by who has to act: each reason once, its policies, and the next step. */
function* waitLines(view: StatusView, style: TextStyle): Generator<TerminalText> {
  const { policies } = view;
  const page = statusTime(view);
  const all = policies.flatMap(({ at, waits, skips, left }) => [
    ...[...waits, ...skips].map((each) => ({
      policy: at.policy,
      action: 'wait' as const,
      ...each,
    })),
    ...left.map((each) => ({ policy: at.policy, action: 'note' as const, ...each })),
  ]);
  const byColumn = groupBy(all, findColumn);
  for (const column of WAITING) {
    const mine = byColumn.get(column) ?? [];
    if (mine.length === 0) continue;
    yield* title(COLUMN_TITLES[column], sumCounts(mine), style);
    const groups = [...groupBy(mine, ({ reason }) => stepKey(reason)).values()].sort(
      (a, b) => sumCounts(b) - sumCounts(a),
    );
    for (const group of groups.slice(0, REASONS)) yield* reasonLines(group, { ...style, page });
    const more = groups.length - REASONS;
    if (more > 0)
      yield say`        and ${terminal(counted(more, 'more reason'))}: \`fleetform plan\``;
  }
}

type PolicyReason = ReasonCount & { readonly policy: string };

function* reasonLines(
  group: readonly PolicyReason[],
  { width, paint, page }: TextStyle & { readonly page: PageTime },
) {
  const { reason, lastNext } = shareReason(
    group.flatMap(({ reason: each, lastNext: next }) =>
      next === undefined ? each : [each, { ...each, next }],
    ),
  );
  if (!reason) return;
  const { summary, next } = reasonWords(reason, { ...page, lastNext });
  const indent = say`        `;
  const byPolicy = groupBy(group, ({ policy }) => policy);
  const counts = [...byPolicy].map(([policy, each]) => ({ policy, count: sumCounts(each) }));
  const policies = policiesText(
    counts.sort((a, b) => b.count - a.count),
    NAMED,
  );
  const who = inlineText(policies, { width, paint });
  yield* wrap(say`${terminal(grouped(sumCounts(group)).padStart(6))}  ${summary}`, width, 8);
  yield* wrap(say`${indent}${who}`, width, 8).map((line) => tint(paint, 'dim', line));
  yield* wrap(say`${indent}next: ${next}`, width, 8);
}

/** From this number on, tasks in flight are counted by task and policy. */
const FLIGHTS = 8;

/** Tasks in flight: each, or how many of each task and policy and since when. */
function* flightLines({ inFlight, at: now }: StatusView, style: TextStyle) {
  const lost = inFlight.filter((each) => each.lost);
  if (inFlight.length <= FLIGHTS) return yield* openLines('In flight', inFlight, { ...style, now });
  yield* title('In flight', inFlight.length, style);
  const groups = groupBy(inFlight, ({ task, policy }) => `${task} ${policy}`);
  for (const each of groups.values()) {
    const [first] = each;
    if (!first) continue;
    const since = Math.min(...each.map((one) => one.since));
    const number = terminal(grouped(each.length).padStart(6));
    const what = say`${terminal(TASK_WORDS[first.task])}, ${terminal(first.policy)}`;
    yield* wrap(
      say`${number}  ${what}: the oldest since ${agoText(since, { now })}`,
      style.width,
      8,
    );
  }
  yield* openLines('Running too long', lost, { ...style, now });
}

function* title(text: string, count: number, style: TextStyle): Generator<TerminalText> {
  yield say``;
  yield tint(style.paint, 'bold', terminal(`${text}: ${grouped(count)}`));
}

/** The run that holds the lock; a dead one is named as such. */
function* lockLines(
  run: RunStatus | undefined,
  now: Instant,
  style: TextStyle,
): Generator<TerminalText> {
  if (!run) return;
  const { is: state, since, lastSignAt, ...named } = run;
  const params = { ...named, since: moment(since, { now }), lastSign: moment(lastSignAt, { now }) };
  const words = fill(RUN_WORDS[state], params, terminal) as TerminalText;
  const colour = state === 'atWork' ? 'dim' : 'red';
  yield* wrap(words, style.width, 2).map((line) => tint(style.paint, colour, line));
}

function rolloutText(policy: PolicyStatus, page: StatusTime): TerminalText {
  const { startedAt, verified, verifiedBefore, waves } = policy;
  const [only] = waves;
  const isSingle = waves.length === 1 && only?.is === 'plain';
  const how = isSingle
    ? say`a single wave, ${terminal(only.name)}`
    : terminal(waves.length === 0 ? 'no wave has work now' : counted(waves.length, 'wave'));
  const done = counted(verified, 'device');
  if (verifiedBefore !== undefined) {
    const before = counted(verifiedBefore, 'device');
    return say`${how}; not begun; ${terminal(before)} verified by the rollout before`;
  }
  if (startedAt === undefined && verified === 0) return say`${how}; not begun`;
  if (startedAt === undefined) return say`${how}; not begun; ${terminal(done)} verified before`;
  return say`${how}; begun ${agoText(startedAt, page)}; ${terminal(done)} verified`;
}

function waveText(wave: WaveStatus, page: StatusTime): TerminalText {
  const {
    name,
    is: phase,
    devices,
    attempted = 0,
    verified = 0,
    bad = 0,
    failed = 0,
    since,
    until,
    why,
  } = wave;
  const params = {
    devices,
    ...(since !== undefined && { since: moment(since, page) }),
    ...(until !== undefined && { until: moment(until, page) }),
    ...(why !== undefined && { why: GATE_WORDS[why] ?? why }),
  };
  const state = fill(WAVE_WORDS[phase], params, terminal) as TerminalText;
  const reached = `${grouped(attempted)} of ${counted(devices, 'device')} attempted`;
  const numbers = `${reached}, ${grouped(verified)} verified`;
  const others = bad - failed;
  const failures = [
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...(others > 0 ? [`${grouped(others)} overdue or in doubt`] : []),
  ];
  return say`${terminal(name)} ${state}: ${terminal([numbers, ...failures].join(', '))}`;
}

function debtText(debt: DebtStatus, page: StatusTime): TerminalText {
  const { devices, oldest, oldestDevice, breachesAt, breached } = debt;
  const oldestText = say`the oldest ${terminal(oldestDevice)} since ${agoText(oldest, page)}`;
  const first = say`${terminal(counted(devices, 'device'))} overdue, ${oldestText}`;
  if (breached > 0) return say`${first}; ${terminal(grouped(breached))} past their limit`;
  if (breachesAt === undefined) return first;
  return say`${first}; the first breaches its limit ${terminal(moment(breachesAt, page))}`;
}

/** The next step of the policies with these addresses, or of all (semantics N85). */
export function* nextsText(
  view: StatusView,
  style: StatusStyle,
  addresses?: ReadonlySet<string>,
): Generator<TerminalText> {
  const { next } = findAllClear(statusSituation(view, addresses));
  const { command } = style;
  yield* wrap(
    terminal(`next: ${hintWords(next, { ...statusTime(view), command })}`),
    style.width,
    6,
  );
}

/** The same if the fleet could not be read. */
export function unreadNextText(): readonly TerminalText[] {
  return [say`next: ${terminal(UNREAD_NEXT_WORDS)}`];
}

function* openLines(
  text: string,
  open: readonly OpenStatus[],
  style: TextStyle & { readonly now: Instant; readonly next?: string },
): Generator<TerminalText> {
  if (open.length === 0) return;
  yield* title(text, open.length, style);
  for (const one of open) {
    const { intentId, taskId, attemptId, task, device, policy, since } = one;
    const ours =
      taskId === undefined ? say`attempt ${terminal(attemptId)}` : say`task ${terminal(taskId)}`;
    const what = say`${terminal(TASK_WORDS[task])} on ${terminal(device)}, ${terminal(policy)}`;
    const ids = say`${ours}, intent ${terminal(intentId)}`;
    yield* wrap(
      say`  ${what}: since ${agoText(since, { now: style.now })}, ${ids}`,
      style.width,
      4,
    );
    if (one.lost) yield* labelled('why', terminal(OPEN_WORDS.lost), style);
  }
  const next = style.next ?? (open.some(({ lost }) => lost) ? OPEN_WORDS.next : undefined);
  if (next !== undefined) yield* labelled('next', terminal(next), style);
}

type StatusTime = PageTime & { readonly now: Instant };

/** How a status writes the instants of policies; those of runs and tasks are in UTC. */
function statusTime({ timeZone = '', at }: StatusView): StatusTime {
  return { clock: zoneClock(timeZone), now: at };
}

function agoText(at: Instant, page: StatusTime): TerminalText {
  const { now } = page;
  const long = at < now ? ` (${span(now - at)})` : '';
  return terminal(`${moment(at, page)}${long}`);
}
