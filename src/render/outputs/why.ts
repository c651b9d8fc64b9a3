import { isOfIncident } from '../../model/documents/policies.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import { ACTIONS } from '../../model/plan/change.ts';
import type { PastIntent } from '../../model/ledger/memory.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type {
  Exempting,
  PolicyReference,
  Step,
  TaskWhy,
  Why,
} from '../../model/report/output.gen.ts';
import {
  data,
  joined,
  list,
  own,
  place,
  say,
  sentence,
  strong,
  told,
  type Block,
  type Entry,
  type Fact,
  type Inlines,
} from '../tree.ts';
import { originFinder, type PlanView } from '../view/view.ts';
import { clockedTime, moment, momentText, type PageTime } from '../words/moment.ts';
import { PHASE_WORDS, VERDICT_WORDS } from '../words/outcomes.ts';
import { LEVEL_WORDS } from '../words/record-words.ts';
import { passedText } from '../words/passed-words.ts';
import { counted, grouped } from '../words/phrase.ts';
import { goalText } from '../words/record-words.ts';
import { columnWord } from '../words/review/review-words.ts';
import {
  DEVICE_STATE_WORDS,
  INCIDENT_RANK,
  READ_WORDS,
  stepPlace,
  TASK_WORDS,
} from '../words/terms.ts';
import { valueEdits } from './differences.ts';
import { deviceText, locatedText, originFacts, reasonParts, wordText } from './naming.ts';

/** How many policies that do not select the device are listed, the closest ones first. */
const OTHERS_NAMED = 5;

interface WhyOptions {
  /** Whether each step of the decisions is listed, not only the one that decided. */
  readonly all?: boolean;
  /** The authors of the lines and of the entries around them, if known. */
  readonly origins?: Plan['origins'];
  readonly authors?: Plan['authors'];
}

interface TaskOptions {
  readonly all: boolean;
  readonly page: PageTime;
  readonly originsOf: PlanView['originsOf'];
}

/**
 * The explanation of one device. First the answer: what happens to it and why, a line for each task
 * that a policy wants. Then the values that were read, and for each task the winning and losing
 * policies, the step that decided (with `all` the others, too), and earlier attempts.
 */
export function whyBlocks(why: Why, given: WhyOptions): readonly Block[] {
  const page = clockedTime(why.timeZone, why.evaluatedAt);
  const options = { all: given.all === true, page, originsOf: originFinder(given) };
  const tasks = why.tasks.toSorted((a, b) => rankTask(a) - rankTask(b));
  const isShown = (task: TaskWhy): boolean => rankTask(task) < ACTIONS.length || hasDetails(task);
  const shown = tasks.filter(isShown).map((task) => taskEntry(task, options));
  const others = tasks.filter((task) => !isShown(task)).map(({ task }) => TASK_WORDS[task]);
  return [
    ...answerBlocks(why, tasks, page),
    { is: 'entries', entries: [deviceEntry(why, page), ...shown] },
    ...(others.length > 0
      ? [sentence(own(`Not selected by any policy: ${others.join(', ')}`))]
      : []),
  ];
}

/** What happens to the device and why: a line for each task that is decided. */
function answerBlocks(
  { device }: Why,
  tasks: readonly TaskWhy[],
  page: PageTime,
): readonly Block[] {
  const name = strong(deviceText(device));
  const [first, ...others] = tasks.flatMap(({ task, result, winner }): readonly Inlines[] => {
    if (!result) return [];
    const { action, reason, passes, refused } = result;
    const { why } = reasonParts(reason, page);
    const refusal = refused ? say`; ${reasonParts(refused, page).why}` : [];
    const policy = winner ? say` (${winner.at.policy})` : [];
    const then = action === 'wait' || action === 'skip' ? say`; ${nextText(result, page)}` : [];
    const passed = passes ? say`; passes ${told((sink) => passedText(passes, sink))}` : [];
    return [
      say`${own(`${TASK_WORDS[task]}, ${columnWord({ ...result, task })}`)}${policy}: ${why}${passed}${then}${refusal}`,
    ];
  });
  return [
    sentence(say`${name}: ${first ?? own('no policy selects it')}`),
    ...(others.length > 0 ? [list(others)] : []),
  ];
}

/** The reading order of tasks: what runs, waits, is skipped or noted, then what no policy selects. */
function rankTask({ result }: TaskWhy): number {
  return result ? ACTIONS.indexOf(result.action) : ACTIONS.length;
}

/** Whether there is something to say of a task that no policy selects the device for. */
function hasDetails({ others, exemptions, past }: TaskWhy): boolean {
  return others.length + exemptions.length + past.length > 0;
}

function deviceEntry({ device, standing, readAt, observed }: Why, page: PageTime): Entry {
  const what = [device.vendor, device.model].filter((part) => part !== undefined).join(' ');
  const state = own(DEVICE_STATE_WORDS[standing]);
  return {
    count: 1,
    title: [strong(locatedText(device))],
    facts: [
      { label: 'is', text: what === '' ? state : say`${what}, ${state}` },
      { label: 'read', text: own(moment(readAt, page)) },
      ...Object.entries(observed).map(([field, value]) => ({
        label: '',
        text: say`${field}: ${observedText(value, page)}`,
      })),
    ],
  };
}

function observedText(value: Why['observed'][string] | undefined, page: PageTime): Inlines {
  return value === null || value === undefined
    ? own('not shown')
    : [data(momentText(String(value), page))];
}

function taskEntry(task: TaskWhy, options: TaskOptions): Entry {
  const { winner, losers, others, exemptions, result, needs, past } = task;
  const verdict = result
    ? columnWord({ ...result, task: task.task })
    : 'not selected by any policy';
  const more = others.length - OTHERS_NAMED;
  const reads = [...new Set(needs.map(({ read }) => READ_WORDS[read]))];
  return {
    count: 1,
    title: [strong(own(`${TASK_WORDS[task.task]}: ${verdict}`))],
    edits: result ? valueEdits(result.before, result.after) : [],
    facts: [
      ...(winner ? rankedFacts('policy', claimText(winner), winner, options) : []),
      ...defaultFacts(task.defaults ?? {}),
      ...losers.flatMap((loser) => rankedFacts('over', claimText(loser), loser, options)),
      ...others.slice(0, OTHERS_NAMED).map((other) => ({
        label: 'not',
        text: say`${claimText(other)}: ${other.clause}`,
      })),
      ...(more > 0 ? [{ label: '', text: own(`and ${more} more`) }] : []),
      ...exemptions.flatMap((each) =>
        rankedFacts('but', exemptionText(each, options.page), each, options),
      ),
      ...(result ? resultFacts(result, options.page) : []),
      ...(task.comesAfter ?? []).flatMap((each) => afterFacts(each, options.page)),
      ...stepFacts(task, options),
      ...past.map((each) => ({ label: 'before', text: pastText(task.task, each, options.page) })),
      ...(reads.length > 0 ? [{ label: 'reads', text: own(reads.join(', ')) }] : []),
    ],
  };
}

/** An entry of the documents, and below it its authors, newest first. */
function rankedFacts(
  label: string,
  text: Inlines,
  { at }: { readonly at: SourceLocation },
  { originsOf }: TaskOptions,
): readonly Fact[] {
  return [{ label, text }, ...originFacts(originsOf({ places: [at] }))];
}

/** Defaults that apply although the author did not write them. */
function defaultFacts(defaults: NonNullable<TaskWhy['defaults']>): readonly Fact[] {
  const parts = Object.entries(defaults).map(([field, value]) => say`${own(field)} ${value}`);
  return parts.length === 0 ? [] : [{ label: 'default', text: joined(parts, ', ') }];
}

/** What happens next: the course of the forecast, or what has to happen before there is one. */
function nextText(
  { starts, ends, action, reason }: NonNullable<TaskWhy['result']>,
  page: PageTime,
): Inlines {
  if (starts === undefined || action === 'note') return reasonParts(reason, page).next;
  const end = ends === undefined ? '' : `, verified by ${momentText(ends, page)}`;
  return own(`starts ${momentText(starts, page)}${end}, if all goes well`);
}

function resultFacts(result: NonNullable<TaskWhy['result']>, page: PageTime): readonly Fact[] {
  const { reason, passes, action, refused } = result;
  const { why } = reasonParts(reason, page);
  return [
    { label: 'why', text: why },
    ...(refused ? [{ label: '', text: reasonParts(refused, page).why }] : []),
    ...(passes ? [{ label: 'passes', text: told((sink) => passedText(passes, sink)) }] : []),
    ...(action === 'run' ? [] : [{ label: 'next', text: nextText(result, page) }]),
  ];
}

/** What comes first by an entry of `after`: how much of it is left, and a line for each device that is not done. */
function afterFacts(
  { policy, per, devices, holds, leftOut }: NonNullable<TaskWhy['comesAfter']>[number],
  page: PageTime,
): readonly Fact[] {
  const where = own(per === 'fleet' ? 'in the whole fleet' : 'at its site');
  const left =
    holds.length > 0
      ? `${grouped(holds.length)} of ${counted(devices, 'device')} not done`
      : 'done';
  const state = own(devices === 0 ? 'no device there, so that nothing holds' : left);
  const line = (all: typeof holds, word: string): readonly Fact[] =>
    all.map(({ id, reason }) => ({
      label: '',
      text: say`${id} ${own(word)}: ${reasonParts(reason, page).why}`,
    }));
  return [
    { label: 'after', text: say`${policy} ${where}: ${state}` },
    ...line(holds, 'holds'),
    ...line(leftOut, 'is left out'),
  ];
}

/**
 * The decision order by its codes: the step that decided with its place among all; with `all` also the
 * steps that passed and those that were not evaluated.
 */
function stepFacts({ steps, result }: TaskWhy, { all, page }: TaskOptions): readonly Fact[] {
  const withVerdict = (verdict: Step['verdict']) =>
    steps.filter((step) => step.verdict === verdict);
  const passed = withVerdict('passed');
  const codes = (label: string, some: readonly Step[]): readonly Fact[] =>
    all && some.length > 0 ? [{ label, text: own(some.map(({ code }) => code).join(', ')) }] : [];
  const deciding = withVerdict('bites').map(({ verdict: _, ...reason }) => {
    const step = own(`${reason.code}${stepPlace(passed.length + 1, steps.length)}`);
    const text = result ? step : say`${step}: ${reasonParts(reason, page).summary}`;
    return { label: 'decided', text };
  });
  return [...codes('passed', passed), ...deciding, ...codes('later', withVerdict('notReached'))];
}

function claimText({ at, priority }: PolicyReference): Inlines {
  const rank = own(isOfIncident(at.policy) ? INCIDENT_RANK : `priority ${priority}`);
  return say`${at.policy}  ${place(at)}  ${rank}`;
}

function exemptionText(exemption: Exempting, page: PageTime): Inlines {
  const { name, type, at, until, reason, owner, ticket, effective } = exemption;
  const weaker = own(effective ? '' : ' (a stronger exception wins)');
  const what = say`${own(type)} exceptions.${name}  ${place(at)}`;
  return say`${what}  until ${own(moment(until, page))}: ${reason}, ${owner}, ${ticket}${weaker}`;
}

function pastText(task: TaskType, past: PastIntent, page: PageTime): Inlines {
  const { attemptedAt, phase, verdict, settledBy, attempts, policy, id } = past;
  const state =
    verdict === undefined ? wordText(PHASE_WORDS, phase) : wordText(VERDICT_WORDS, verdict);
  const level = settledBy ? say` (${wordText(LEVEL_WORDS, settledBy)})` : [];
  const tried = say`${own(moment(attemptedAt, page))} ${policy} to ${goalText(task, past)}`;
  return say`${tried}: ${state}${level} after ${own(counted(attempts, 'task'))}, ID ${id}`;
}
