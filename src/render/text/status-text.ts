import type { ActiveStop } from '../../model/ledger/memory.ts';
import type {
  DebtStatus,
  OpenStatus,
  PolicyStatus,
  ReasonCount,
  StatusView,
  WaveStatus,
} from '../../model/report/status.ts';
import type { Instant } from '../../lib/time.ts';
import { labelled } from './class-text.ts';
import { pausedLines } from './ledger/pause-text.ts';
import { LEFT_WORDS } from '../words/commands.ts';
import { moment, span } from '../words/moment.ts';
import { tint } from '../sinks/paint.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { UNREAD_NEXT_WORDS } from '../words/record-words.ts';
import { GATE_WORDS, OPEN_WORDS, WAVE_WORDS } from '../words/report-words.ts';
import { policyStep } from '../../model/report/next-step.ts';
import { nextStepWords } from '../words/next-step-words.ts';
import { join, say, terminal, type TerminalText } from '../sinks/sinks.ts';
import { placeText, type TextStyle } from '../sinks/snippet.ts';
import { wrap } from '../sinks/width.ts';
import { reasonWords } from '../words/reasons.ts';
import { TASK_WORDS } from '../words/terms.ts';

/**
 * The state of the fleet as text: pauses and stops first, then each policy, then tasks in doubt and in flight.
 */
export function* statusText(view: StatusView, style: TextStyle): Generator<TerminalText> {
  yield* pausedLines(view.pauses, style);
  yield tint(style.paint, 'bold', terminal(`Status at ${moment(view.at)}`));
  if (view.paused.length > 0) {
    yield* title('Paused', view.paused.length, style);
    for (const stop of view.paused) yield* stopLines(stop, view.at, style);
  }
  for (const policy of view.policies) yield* policyLines(policy, view.at, style);
  if (view.policies.length === 0)
    yield* ['', terminal('No policy governs a device.')] as TerminalText[];
  yield* openLines('In doubt', view.inDoubt, { ...style, now: view.at, isInDoubt: true });
  yield* openLines('In flight', view.inFlight, { ...style, now: view.at });
}

function* title(text: string, count: number, style: TextStyle): Generator<TerminalText> {
  yield say``;
  yield tint(style.paint, 'bold', terminal(`${text}: ${grouped(count)}`));
}

/** The cause of a stop and how to continue. */
function* stopLines(stop: ActiveStop, now: Instant, style: TextStyle): Generator<TerminalText> {
  const { scope, rule, counts, at, action } = stop;
  const what = action === 'abort' ? say`aborted` : say`paused`;
  const evidence = Object.entries(counts).map(([name, count]) => say`${terminal(name)} ${count}`);
  const seen = evidence.length === 0 ? say`` : say` (${join(evidence, ', ')})`;
  yield* wrap(
    tint(style.paint, 'yellow', say`  ${terminal(scope)}  ${what} by ${terminal(rule)}${seen}`),
    style.width,
    4,
  );
  yield* labelled('since', agoText(at, now), style);
  const code = action === 'abort' ? 'rolloutAborted' : 'rolloutPaused';
  yield* labelled('next', reasonWords({ code }).next, style);
}

function* policyLines(
  policy: PolicyStatus,
  now: Instant,
  style: TextStyle,
): Generator<TerminalText> {
  const { at, task, debt } = policy;
  yield say``;
  const head = tint(style.paint, 'bold', terminal(at.policy));
  yield* wrap(say`${head}  ${placeText(at)}  ${terminal(TASK_WORDS[task])}`, style.width, 2);
  yield* labelled('devices', terminal(divisionText(policy)), style);
  yield* labelled('rollout', rolloutText(policy, now), style);
  for (const wave of policy.waves.filter(({ is: state }) => state !== 'plain'))
    yield* labelled('wave', waveText(wave), style);
  for (const wait of policy.waits) yield* labelled('waits', reasonLine(wait), style);
  for (const skip of policy.skips) yield* labelled('skipped', reasonLine(skip), style);
  if (debt) yield* labelled('debt', debtText(debt, now), style);
  yield* labelled('next', nextText(policy, now), style);
}

function divisionText(policy: PolicyStatus): string {
  const { devices, converged, notDue, run, wait, skip, noted } = policy;
  const parts = [
    [converged, 'as wanted'],
    [notDue, 'not due yet'],
    [run, 'to run'],
    [wait, 'to wait'],
    [skip, 'skipped'],
    [noted, 'noted'],
  ] as const;
  const said = parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${grouped(count)} ${what}`);
  return `${grouped(devices)}: ${said.join(', ')}`;
}

function rolloutText({ startedAt, verified, waves }: PolicyStatus, now: Instant): TerminalText {
  const [only] = waves;
  const isSingle = waves.length === 1 && only?.is === 'plain';
  const how = isSingle
    ? say`a single wave, ${terminal(only.name)}`
    : terminal(waves.length === 0 ? 'no wave is wanted now' : counted(waves.length, 'wave'));
  const done = counted(verified, 'device');
  if (startedAt === undefined && verified === 0) return say`${how}; not begun`;
  if (startedAt === undefined) return say`${how}; not begun; ${terminal(done)} verified before`;
  return say`${how}; begun ${agoText(startedAt, now)}; ${terminal(done)} verified`;
}

function waveText(wave: WaveStatus): TerminalText {
  const {
    name,
    is: phase,
    devices,
    attempted = 0,
    verified = 0,
    bad = 0,
    since,
    until,
    why,
  } = wave;
  const params = {
    devices,
    ...(since !== undefined && { since: moment(since) }),
    ...(until !== undefined && { until: moment(until) }),
    ...(why !== undefined && { why: GATE_WORDS[why] ?? why }),
  };
  const state = fill(WAVE_WORDS[phase], params, terminal) as TerminalText;
  const reached = `${grouped(attempted)} of ${counted(devices, 'device')} attempted`;
  const numbers = `${reached}, ${grouped(verified)} verified`;
  const failed = bad === 0 ? '' : `, ${grouped(bad)} bad`;
  return say`${terminal(name)} ${state}: ${terminal(numbers + failed)}`;
}

function reasonLine({ reason, count }: ReasonCount): TerminalText {
  const { summary, next } = reasonWords(reason);
  return say`${terminal(grouped(count))} ${summary}; ${next}`;
}

function debtText(debt: DebtStatus, now: Instant): TerminalText {
  const { devices, oldest, oldestDevice, breachesAt, breached } = debt;
  const oldestText = say`the oldest ${terminal(oldestDevice)} since ${agoText(oldest, now)}`;
  const first = say`${terminal(counted(devices, 'device'))} overdue, ${oldestText}`;
  if (breached > 0) return say`${first}; ${terminal(grouped(breached))} past its limit`;
  if (breachesAt === undefined) return first;
  return say`${first}; the first passes its limit ${terminal(moment(breachesAt))}`;
}

function nextText(policy: PolicyStatus, now: Instant): TerminalText {
  const { nextDue } = policy;
  const step = policyStep(policy, now);
  if (step.is === 'none' && nextDue !== undefined)
    return say`the next falls due ${terminal(moment(nextDue))}`;
  return terminal(nextStepWords(step, { now }));
}

/** The next step of each policy, or of those with these addresses, one after the other. */
export function* nextsText(
  { policies, at: now }: StatusView,
  { width }: TextStyle,
  addresses?: ReadonlySet<string>,
): Generator<TerminalText> {
  const meant = policies.filter(({ at }) => addresses?.has(at.policy) ?? true);
  if (meant.length === 0) yield say`next: ${terminal(LEFT_WORDS.none)}`;
  for (const policy of meant) {
    const line = say`next for ${terminal(policy.at.policy)}: ${nextText(policy, now)}`;
    yield* wrap(line, width, 6);
  }
}

/** The same if the fleet could not be read. */
export function unreadNextText(): readonly TerminalText[] {
  return [say`next: ${terminal(UNREAD_NEXT_WORDS)}`];
}

function* openLines(
  text: string,
  open: readonly OpenStatus[],
  style: TextStyle & { readonly now: Instant; readonly isInDoubt?: boolean },
): Generator<TerminalText> {
  if (open.length === 0) return;
  yield* title(text, open.length, style);
  for (const one of open) {
    const { intentId, taskId, attemptId, task, device, policy, since } = one;
    const ours =
      taskId === undefined ? say`attempt ${terminal(attemptId)}` : say`task ${terminal(taskId)}`;
    const what = say`${terminal(TASK_WORDS[task])} on ${terminal(device)}, ${terminal(policy)}`;
    const ids = say`${ours}, intent ${terminal(intentId)}`;
    yield* wrap(say`  ${what}: since ${agoText(since, style.now)}, ${ids}`, style.width, 4);
    if (one.lost) yield* labelled('why', terminal(OPEN_WORDS.lost), style);
  }
  if (style.isInDoubt || open.some(({ lost }) => lost))
    yield* labelled('next', terminal(OPEN_WORDS.next), style);
}

function agoText(at: Instant, now: Instant): TerminalText {
  const long = at < now ? ` (${span(now - at)})` : '';
  return terminal(`${moment(at)}${long}`);
}
