import { isOfIncident } from '../../model/documents/policies.ts';
import { ACTIONS } from '../../model/plan/change.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type {
  PolicyReference,
  Exempting,
  PastIntent,
  Step,
  TaskWhy,
  Why,
} from '../../model/report/why.ts';
import { diffText, valuesDiff } from './before-after.ts';
import { deviceText, passesText, reasonText } from './class-text.ts';
import { labelled } from '../print/terminal.ts';
import { goalText } from '../words/record-words.ts';
import { moment, momentText, type PageTime } from '../words/moment.ts';
import { zoneClock } from '../words/local.ts';
import { tint } from '../sinks/paint.ts';
import { counted } from '../words/phrase.ts';
import { join, say, terminal, type TerminalText } from '../sinks/sinks.ts';
import { placeText, type TextStyle } from '../sinks/snippet.ts';
import { originFinder, type PlanView } from '../view/view.ts';
import { wrap } from '../sinks/wrap.ts';
import {
  ACTION_WORDS,
  INCIDENT_RANK,
  stepPlace,
  originWords,
  READ_WORDS,
  DEVICE_STATE_WORDS,
  TASK_WORDS,
} from '../words/terms.ts';
import { PHASE_WORDS, VERDICT_WORDS } from '../words/outcomes.ts';
import { reasonWords } from '../words/reasons.ts';
import { wordOr } from '../words/entry.ts';

/** How many policies that do not select the device are listed, the closest ones first. */
const OTHERS_NAMED = 5;

interface WhyOptions extends TextStyle {
  /** Whether each step of the decisions is listed, not only the one that decided. */
  readonly all: boolean;
  /** The authors of the lines and of the entries around them, if known. */
  readonly origins?: Plan['origins'];
  readonly authors?: Plan['authors'];
}

interface TaskOptions extends TextStyle {
  readonly all: boolean;
  readonly page: PageTime;
  readonly originsOf: PlanView['originsOf'];
}

/**
 * The explanation of one device. First the answer: what happens to it and why, a line for each task
 * that a policy wants. Then the values that were read, and for each task the winning and losing
 * policies, the step that decided (with `all` the others, too), and earlier attempts.
 */
export function* whyText(why: Why, given: WhyOptions): Generator<TerminalText> {
  const page = { clock: zoneClock(why.timeZone ?? ''), now: why.evaluatedAt };
  const style = { ...given, page, originsOf: originFinder(given) };
  const tasks = why.tasks.toSorted((a, b) => rankTask(a) - rankTask(b));
  yield* answerLines(why, tasks, style);
  yield say``;
  yield* headLines(why, style);
  const isShown = (task: TaskWhy): boolean => rankTask(task) < ACTIONS.length || hasDetails(task);
  for (const task of tasks.filter(isShown)) {
    yield say``;
    yield* taskLines(task, style);
  }
  const others = tasks.filter((task) => !isShown(task)).map(({ task }) => TASK_WORDS[task]);
  if (others.length === 0) return;
  yield say``;
  yield* wrap(terminal(`Not selected by any policy: ${others.join(', ')}`), style.width, 4);
}

/** What happens to the device and why: a line for each task that is decided. */
function* answerLines(
  { device }: Why,
  tasks: readonly TaskWhy[],
  style: Pick<TaskOptions, 'page'> & TextStyle,
): Generator<TerminalText> {
  const name = tint(style.paint, 'bold', deviceText(device));
  const answers = tasks.flatMap(({ task, result, winner }) => {
    if (!result) return [];
    const { why, next } = reasonText(result.reason, style.page);
    const what = terminal(`${TASK_WORDS[task]}, ${ACTION_WORDS[result.action]}`);
    const policy = winner ? say` (${terminal(winner.at.policy)})` : say``;
    const then = result.action === 'wait' || result.action === 'skip' ? say`; ${next}` : say``;
    const passed = result.passes ? say`; passes ${passesText(result.passes)}` : say``;
    return [say`${what}${policy}: ${why}${passed}${then}`];
  });
  if (answers.length === 0) yield* wrap(say`${name}: no policy selects it`, style.width, 4);
  for (const [index, answer] of answers.entries())
    yield* wrap(index === 0 ? say`${name}: ${answer}` : say`  ${answer}`, style.width, 4);
}

/** The reading order of tasks: what runs, waits, is skipped or noted, then what no policy selects. */
function rankTask({ result }: TaskWhy): number {
  return result ? ACTIONS.indexOf(result.action) : ACTIONS.length;
}

/** Whether there is something to say of a task that no policy selects the device for. */
function hasDetails({ others, exemptions, past }: TaskWhy): boolean {
  return others.length + exemptions.length + past.length > 0;
}

function* headLines(why: Why, style: TextStyle): Generator<TerminalText> {
  const { device, observed } = why;
  const where = device.site === undefined ? say`` : say` at ${terminal(device.site)}`;
  const what = [device.vendor, device.model].filter((part) => part !== undefined).join(' ');
  yield* wrap(say`${tint(style.paint, 'bold', deviceText(device))}${where}`, style.width, 2);
  yield* labelled(
    'is',
    terminal([what, DEVICE_STATE_WORDS[why.standing]].filter(Boolean).join(', ')),
    style,
  );
  yield* labelled('read', terminal(moment(why.readAt, { now: why.evaluatedAt })), style);
  for (const [field, value] of Object.entries(observed)) {
    yield* wrap(say`      ${terminal(field)}: ${terminal(observedText(value))}`, style.width, 8);
  }
}

function observedText(value: Why['observed'][string] | undefined): string {
  return value === null || value === undefined ? 'not shown' : momentText(String(value));
}

function* taskLines(task: TaskWhy, style: TaskOptions): Generator<TerminalText> {
  const { winner, losers, others, exemptions, result } = task;
  const verdict = result ? ACTION_WORDS[result.action] : 'not selected by any policy';
  yield tint(style.paint, 'bold', terminal(`${TASK_WORDS[task.task]}: ${verdict}`));
  if (winner) yield* rankedText('policy', claimText(winner), winner, style);
  yield* defaultLines(task.defaults ?? {}, style);
  for (const loser of losers) yield* rankedText('over', claimText(loser), loser, style);
  for (const other of others.slice(0, OTHERS_NAMED))
    yield* labelled('not', say`${claimText(other)}: ${terminal(other.clause)}`, style);
  if (others.length > OTHERS_NAMED)
    yield* labelled('', terminal(`and ${others.length - OTHERS_NAMED} more`), style);
  for (const exemption of exemptions)
    yield* rankedText('but', exemptionText(exemption), exemption, style);
  if (result) yield* resultLines(result, style);
  yield* stepLines(task, style);
  for (const past of task.past) yield* labelled('before', pastText(task.task, past), style);
  if (task.needs.length > 0) {
    const reads = [...new Set(task.needs.map(({ read }) => READ_WORDS[read]))];
    yield* labelled('reads', terminal(reads.join(', ')), style);
  }
}

/** How many commits of an entry are named. */
const COMMITS_NAMED = 2;

/** The text of an entry, and below it its authors, newest first. */
function* rankedText(
  label: string,
  text: TerminalText,
  { at }: { readonly at: SourceLocation },
  style: TaskOptions,
): Generator<TerminalText> {
  yield* labelled(label, text, style);
  const origins = style.originsOf({ places: [at] });
  if (origins.length === 0) return;
  const named = origins.slice(0, COMMITS_NAMED).map((origin) => originWords(origin));
  const more = origins.length - named.length;
  const rest = more > 0 ? terminal(`; and ${counted(more, 'more commit')}`) : say``;
  const authors = say`${join(named, '; ')}${rest}`;
  for (const line of labelled('by', authors, style)) yield tint(style.paint, 'dim', line);
}

/** Defaults that apply although the author did not write them. */
function defaultLines(
  defaults: NonNullable<TaskWhy['defaults']>,
  style: TextStyle,
): readonly TerminalText[] {
  const parts = Object.entries(defaults).map(
    ([field, value]) => say`${terminal(field)} ${terminal(value)}`,
  );
  return parts.length === 0 ? [] : labelled('default', join(parts, ', '), style);
}

function* resultLines(
  result: NonNullable<TaskWhy['result']>,
  style: Pick<TaskOptions, 'page'> & TextStyle,
): Generator<TerminalText> {
  yield* diffText(valuesDiff(result.before, result.after), style, 4);
  const { why, next } = reasonText(result.reason, style.page);
  yield* labelled('why', why, style);
  if (result.passes) yield* labelled('passes', passesText(result.passes), style);
  if (result.action !== 'run') yield* labelled('next', next, style);
}

/**
 * The decision order by its codes: the step that decided with its place among all; with `all` also the
 * steps that passed and those that were not evaluated.
 */
function* stepLines({ steps, result }: TaskWhy, style: TaskOptions): Generator<TerminalText> {
  const withVerdict = (verdict: Step['verdict']) =>
    steps.filter((step) => step.verdict === verdict);
  const [passed, deciding, unreached] = [
    withVerdict('passed'),
    withVerdict('bites'),
    withVerdict('notReached'),
  ];
  if (style.all && passed.length > 0) yield* labelled('passed', codes(passed), style);
  for (const { code, why, params } of deciding) {
    const { summary } = reasonWords(
      { code, ...(why && { why }), ...(params && { params }) },
      style.page,
    );
    const place = terminal(stepPlace(passed.length + 1, steps.length));
    const step = say`${terminal(code)}${place}`;
    yield* labelled('decided', result ? step : say`${step}: ${summary}`, style);
  }
  if (style.all && unreached.length > 0) yield* labelled('later', codes(unreached), style);
}

function codes(steps: readonly Step[]): TerminalText {
  return join(
    steps.map((step) => terminal(step.code)),
    ', ',
  );
}

function claimText({ at, priority }: PolicyReference): TerminalText {
  const rank = isOfIncident(at.policy)
    ? terminal(INCIDENT_RANK)
    : say`priority ${terminal(String(priority))}`;
  return say`${terminal(at.policy)}  ${placeText(at)}  ${rank}`;
}

function exemptionText(exemption: Exempting): TerminalText {
  const { name, type, at, until, reason, owner, ticket, effective } = exemption;
  const weaker = effective ? say`` : say` (a stronger exception wins)`;
  const what = say`${terminal(type)} exceptions.${terminal(name)}  ${placeText(at)}`;
  const details = join([reason, owner, ticket].map(terminal), ', ');
  return say`${what}  until ${terminal(moment(until))}: ${details}${weaker}`;
}

function pastText(task: TaskType, past: PastIntent): TerminalText {
  const { attemptedAt, phase, verdict, attempts, policy, id } = past;
  const state = verdict === undefined ? wordOr(PHASE_WORDS, phase) : wordOr(VERDICT_WORDS, verdict);
  const goal = terminal(goalText(task, past));
  const tried = say`${terminal(moment(attemptedAt))} ${terminal(policy)} to ${goal}`;
  const tries = terminal(`${state} after ${counted(attempts, 'attempt')}`);
  return say`${tried}: ${tries}, intent ${terminal(id)}`;
}
