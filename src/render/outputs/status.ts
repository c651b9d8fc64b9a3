import { groupBy } from '../../lib/group-by.ts';
import { findAllClear } from '../../model/report/all-clear.ts';
import type {
  DebtStatus,
  OpenStatus,
  PolicyStatus,
  RunStatus,
  StatusView,
  WaveStatus,
} from '../../model/report/status.ts';
import {
  data,
  joined,
  own,
  phrase,
  place,
  say,
  sentence,
  strong,
  told,
  type Block,
  type Inlines,
  type Item,
} from '../tree.ts';
import { statusSituation } from '../view/situations.ts';
import type { PlanView } from '../view/view.ts';
import {
  clockedTime,
  moment,
  momentAgo,
  type ClockedTime,
  type PageTime,
} from '../words/moment.ts';
import { endedText } from '../words/ending-words.ts';
import { counted, grouped } from '../words/phrase.ts';
import { TORN_WORDS } from '../words/reading-words.ts';
import { UNREAD_NEXT_WORDS } from '../words/record-words.ts';
import { GATE_WORDS, OPEN_WORDS, RUN_WORDS, WAVE_WORDS } from '../words/report-words.ts';
import { changesSentence, notComparedWords } from '../words/review/all-clear.ts';
import { hintWords } from '../words/review/hint.ts';
import { TASK_WORDS } from '../words/terms.ts';
import { lossBlocks } from './decisions.ts';
import { guardrailBlocks } from './guardrails.ts';
import { partText, some } from './naming.ts';
import { serviceBlocks } from './plan.ts';
import { laterBlocks, needBlocks, outBlocks, policyBlocks, shortNeedBlocks } from './review.ts';
import { pauseBlocks, stopBlocks } from './warnings.ts';

interface StatusOptions {
  /** The plan of the same moment: its table, what needs somebody and what starts later are those of the status. */
  readonly plan: PlanView;
  /** The command to run next, with its arguments. */
  readonly command?: string;
  /** Every policy, reason, wave and task. */
  readonly all?: boolean;
}

/**
 * The state of the fleet on one screen: pauses and stops, the table of policies, what needs somebody, what starts
 * later, and tasks in doubt; with `all` each wave, reason and task in flight as well. One hint ends it.
 */
export function statusBlocks(view: StatusView, options: StatusOptions): readonly Block[] {
  const { policies, refused = [], inDoubt, inFlight, unseen = [], at: now } = view;
  const { plan, all = false } = options;
  const page = clockedTime(view.timeZone, now);
  const lost = inFlight.filter((each) => each.lost);
  return [
    ...(view.ledgerLost ? lossBlocks(view.ledgerLost) : []),
    ...pauseBlocks(view.pauses, page),
    ...sightingBlocks(view, plan),
    ...lockBlocks(view.run, page),
    ...stopBlocks('Paused', view.paused, page),
    ...(policies.length === 0 ? [sentence(own('No policy selects a device.'))] : []),
    ...policyBlocks(plan, all ? { most: Infinity, isUnfolded: true } : {}),
    ...idleBlocks(plan),
    ...guardrailBlocks(refused),
    ...rolloutBlocks(view, all),
    ...(all ? [...needBlocks(plan, { all }), ...outBlocks(plan)] : shortNeedBlocks(plan)),
    ...laterBlocks(plan),
    ...openBlocks('In doubt', inDoubt, { page, next: OPEN_WORDS.next }),
    ...openBlocks('Unverified, and not listed', unseen, { page, next: OPEN_WORDS.unseen }),
    ...openBlocks('Running too long', lost, { page }),
    ...(all ? openBlocks('In flight', inFlight, { page }) : []),
    ...nextBlocks(view, options),
  ];
}

/** Whether all is clear, and what was looked at. */
function sightingBlocks(view: StatusView, plan: PlanView): readonly Block[] {
  const { coverage, torn: isTorn, part, at, readAt, recent, refusing } = view;
  const { standing } = findAllClear(statusSituation(view));
  const sighting = { coverage, isTorn, refusing, isPart: part !== undefined };
  const page = clockedTime(view.timeZone, view.at);
  const read = readAt === undefined ? '' : `, of the fleet as read ${moment(readAt, page)}`;
  const compared = notComparedWords(coverage);
  const ended = recent ? ` Since yesterday: ${endedText(recent)}.` : '';
  const { organization } = plan.inputs.service;
  return [
    {
      is: 'title',
      text: say`${organization}, ${own(`${moment(at, page)}${read}.${ended}`)}`,
    },
    ...serviceBlocks(plan.inputs),
    sentence(told((sink) => changesSentence(standing, sighting, { ...page, sink }))),
    ...(compared === '' ? [] : [sentence(own(compared))]),
    ...(isTorn ? [sentence(own(TORN_WORDS))] : []),
    ...(part ? [sentence(partText(part), 'wait')] : []),
  ];
}

/** The policies of which no device is selected, in one line. */
function idleBlocks({ warnings, obstacles }: PlanView): readonly Block[] {
  const idle = [...warnings, ...obstacles].flatMap(({ code, params }) =>
    code === 'selectsNothing' ? [[data(String(params['policy']))]] : [],
  );
  const named = some(idle, { most: IDLE, noun: '' });
  return idle.length === 0 ? [] : [sentence(say`Selects no device: ${named}`)];
}

/** How many of them are named. */
const IDLE = 3;

/** The run that holds the lock; a dead one is named as such. */
export function lockBlocks(run: RunStatus | undefined, page: PageTime): readonly Block[] {
  if (!run) return [];
  const { is: state, since, lastSignAt, ...named } = run;
  const params = { ...named, since: moment(since, page), lastSign: moment(lastSignAt, page) };
  const tone = state === 'atWork' ? 'calm' : 'bad';
  return [sentence(phrase(RUN_WORDS[state], params), tone)];
}

/** What is overdue, and with `all` the rollouts that have begun, or have several waves. */
function rolloutBlocks(view: StatusView, all: boolean): readonly Block[] {
  const page = clockedTime(view.timeZone, view.at);
  const entries = view.policies.flatMap((policy) => {
    const { at, task, startedAt, debt } = policy;
    const followed = policy.waves.filter(({ is: state }) => state !== 'plain');
    const waves = all && (followed.length > 1 || startedAt !== undefined) ? followed : [];
    if (waves.length === 0 && !debt) return [];
    const facts = [
      ...(waves.length > 0 ? [{ label: 'rollout', text: rolloutText(policy, page) }] : []),
      ...waves.map((wave) => ({ label: 'wave', text: waveText(wave, page) })),
      ...(debt ? [{ label: 'overdue', text: debtText(debt, page) }] : []),
    ];
    const title = say`${strong([data(at.policy)])}  ${place(at)}  ${own(TASK_WORDS[task])}`;
    return [{ count: 0, title, facts }];
  });
  return entries.length > 0 ? [{ is: 'entries', entries }] : [];
}

function rolloutText(policy: PolicyStatus, page: ClockedTime): Inlines {
  const { startedAt, verified, verifiedBefore, waves } = policy;
  const [only] = waves;
  const how =
    waves.length === 1 && only?.is === 'plain'
      ? say`a single wave, ${only.name}`
      : own(waves.length === 0 ? 'no wave has work now' : counted(waves.length, 'wave'));
  const done = counted(verified, 'device');
  if (verifiedBefore !== undefined)
    return say`${how}; not begun; ${own(counted(verifiedBefore, 'device'))} verified by the rollout before`;
  if (startedAt !== undefined)
    return say`${how}; begun ${own(momentAgo(startedAt, page))}; ${own(done)} verified`;
  return say`${how}; not begun${own(verified === 0 ? '' : `; ${done} verified before`)}`;
}

function waveText(wave: WaveStatus, page: ClockedTime): Inlines {
  const { name, is: phase, devices, attempted = 0, verified = 0, bad = 0, failed = 0 } = wave;
  const { since, until, why } = wave;
  const params = {
    devices,
    ...(since !== undefined && { since: moment(since, page) }),
    ...(until !== undefined && { until: moment(until, page) }),
    ...(why !== undefined && { why: GATE_WORDS[why] ?? why }),
  };
  const reached = `${grouped(attempted)} of ${counted(devices, 'device')} started`;
  const others = bad - failed;
  const numbers = [
    `${reached}, ${grouped(verified)} verified`,
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...(others > 0 ? [`${grouped(others)} overdue or in doubt`] : []),
  ];
  return say`${name} ${phrase(WAVE_WORDS[phase], params)}: ${own(numbers.join(', '))}`;
}

function debtText(debt: DebtStatus, page: ClockedTime): Inlines {
  const { devices, oldest, oldestDevice, breachesAt, breached } = debt;
  const what = own(counted(devices, 'device'));
  const first = say`${what} overdue, the oldest ${oldestDevice} since ${own(momentAgo(oldest, page))}`;
  if (breached > 0) return say`${first}; ${breached} past their limit`;
  if (breachesAt === undefined) return first;
  return say`${first}; the first breaches its limit ${own(moment(breachesAt, page))}`;
}

function openBlocks(
  title: string,
  open: readonly OpenStatus[],
  { page, next }: { readonly page: ClockedTime; readonly next?: string },
): readonly Block[] {
  const groups = groupBy(open, ({ attemptId, policy, lost }) => `${attemptId} ${policy} ${lost}`);
  const items = [...groups.values()].flatMap((alike) =>
    alike.slice(0, 1).map((one) => openItem(one, alike, page)),
  );
  const step = next ?? (open.some(({ lost }) => lost) ? OPEN_WORDS.next : undefined);
  return section(title, open.length, [
    { is: 'list', items },
    ...(step === undefined ? [] : [{ is: 'next', text: own(step) } as const]),
  ]);
}

/** The devices of one request and policy, each with the ID for `resolve`. */
function openItem(one: OpenStatus, alike: readonly OpenStatus[], page: ClockedTime): Item {
  const { taskId, attemptId, task, policy, since, lost = false } = one;
  const ours = taskId === undefined ? say`request ${attemptId}` : say`task ${taskId}`;
  const what = say`${own(TASK_WORDS[task])} on ${own(counted(alike.length, 'device'))}, ${policy}`;
  const devices = alike.map(({ device, intentId }) => say`${device} ID ${intentId}`);
  return {
    text: say`${what}, since ${own(momentAgo(since, page))}, ${ours}: ${joined(devices, ', ')}`,
    ...(lost && { facts: [{ label: 'why', text: own(OPEN_WORDS.lost) }] }),
  };
}

function section(title: string, count: number, blocks: readonly Block[]): readonly Block[] {
  if (count === 0) return [];
  const id = title.toLowerCase().replaceAll(/\W+/g, '-');
  return [{ is: 'section', id, title: own(title), count, blocks }];
}

/** The next step of the policies with these addresses, or of all (semantics N85). */
export function nextBlocks(
  view: StatusView,
  { command, plan }: Partial<StatusOptions>,
  addresses?: ReadonlySet<string>,
): readonly Block[] {
  const { next } = findAllClear(statusSituation(view, addresses));
  const service = plan?.inputs.service;
  const page = { ...clockedTime(view.timeZone, view.at), command, service };
  return [{ is: 'next', text: told((sink) => hintWords(next, { ...page, sink })) }];
}

/** The same if the fleet could not be read. */
export const UNREAD_NEXT: readonly Block[] = [{ is: 'next', text: own(UNREAD_NEXT_WORDS) }];
