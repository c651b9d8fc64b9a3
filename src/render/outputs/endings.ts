import { groupBy } from '../../lib/group-by.ts';
import { compareTexts } from '../../lib/text-order.ts';
import type { Change, NoteClass } from '../../model/plan/change.ts';
import { findColumn } from '../../model/plan/actor.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import {
  isNotSent,
  isOpen,
  type ClosedBeside,
  type Ending,
  type LeftOpen,
  type Outcome,
  type RunReport,
} from '../../model/ledger/run-report.ts';
import type { RunClass } from '../../model/ledger/run-sums.ts';
import {
  data,
  joined,
  own,
  phrase,
  say,
  strong,
  type Block,
  type Inlines,
  type Item,
  type Tone,
} from '../tree.ts';
import { foldReasons, type ReasonGroup } from '../view/reasons.ts';
import { findRunColumn } from '../../model/ledger/run-table.ts';
import { detailPhrases } from '../words/ending-words.ts';
import type { PageTime } from '../words/moment.ts';
import { OUTCOME_WORDS, SHOWN_WORDS } from '../words/outcomes.ts';
import { counted } from '../words/phrase.ts';
import { STOP_WORDS } from '../words/report-words.ts';
import { COLUMN_TITLES } from '../words/review/review-words.ts';
import { TASK_WORDS } from '../words/terms.ts';
import { locatedText, policiesText, reasonParts, some } from './naming.ts';

const CLASS_TONES: Readonly<Record<RunClass, Tone>> = {
  verified: 'run',
  converged: 'run',
  unverified: 'wait',
  failed: 'bad',
  rolledBack: 'bad',
  aborted: 'bad',
  timedOut: 'wait',
  atWork: 'wait',
  inDoubt: 'bad',
  betweenSteps: 'calm',
  skipped: 'calm',
  unreadable: 'wait',
  stale: 'calm',
  notStarted: 'calm',
};

/** Outcomes where each device needs a check, and has a line of its own; most urgent first. */
const TO_CHECK: readonly Outcome[] = [
  'inDoubt',
  'failed',
  'rolledBack',
  'aborted',
  'unverified',
  'timedOut',
  'atWork',
];

interface Way {
  readonly outcome: Outcome;
  readonly task: TaskType;
  readonly count: number;
  readonly policy: string;
}

/** `failed · Upgrade firmware · 3 devices · firmware.axis` */
function waysTitle(label: string, { outcome, task, count, policy }: Way): Inlines {
  const how = strong(own(label), CLASS_TONES[outcome]);
  return say`${how} · ${own(TASK_WORDS[task])} · ${own(counted(count, 'device'))} · ${policy}`;
}

/** What several endings share that says why they ended so. */
type EndingCause = Pick<
  EndingGroup,
  'outcome' | 'reason' | 'detail' | 'sinceDiffers' | 'lastNext'
> & { readonly resultOnly?: boolean };

/** Why changes ended as they did: the step that failed, what was unclear, or the reason. */
function whyText(cause: EndingCause, page: PageTime): Inlines {
  const { outcome, reason, detail, sinceDiffers, resultOnly = false } = cause;
  if (outcome === 'verified' && resultOnly)
    return own('result only: the service does not show the effect on the device');
  const said = detail === undefined ? [] : [detailParts(outcome, detail).says];
  const means = own(OUTCOME_WORDS[outcome].says);
  if (outcome === 'atWork') return joined([means, ...said], '; ');
  const isReasonSaid = said.length > 0 && reason?.code === outcome;
  const because =
    reason === undefined || reason.code === 'act' || isReasonSaid
      ? []
      : [reasonParts(reason, { ...page, sinceDiffers }).why];
  const parts = [...said, ...because];
  return parts.length === 0 ? means : joined(parts, '; ');
}

/** The next step: of what was not sent, and of what ended otherwise than well, that of its reason; of all else by its outcome. */
function nextText(cause: EndingCause, page: PageTime): Inlines {
  const { outcome, reason, detail, lastNext } = cause;
  const byReason = reason && reasonParts(reason, { ...page, lastNext }).next;
  if (isNotSent(cause) && byReason) return byReason;
  const better = detail === undefined ? undefined : detailParts(outcome, detail).next;
  const isTold = reason?.code === 'act' || isOpen(cause);
  return better ?? (isTold ? undefined : byReason) ?? own(OUTCOME_WORDS[outcome].next);
}

function detailParts(outcome: Outcome, detail: string) {
  const { says, next, params } = detailPhrases(outcome, detail);
  return { says: phrase(says, params), next: next === undefined ? undefined : own(next) };
}

/** Up to this number of devices that ended alike have a line each; of those settled besides the plan, so many are named. */
const NAMED = 20;

/** What was settled of earlier runs, with a few device names. */
export function closedBesideBlocks(closed: readonly ClosedBeside[]): readonly Block[] {
  if (closed.length === 0) return [];
  const items = besideItems(closed, false);
  const count = counted(closed.length, 'device');
  const title = own(`Finished from earlier runs, not in this plan: ${count}`);
  return [{ is: 'section', id: 'settled', title, blocks: [{ is: 'list', items }] }];
}

/** Tasks of earlier runs that are still open, each device with the ID for `resolve`. */
export function leftOpenBlocks(left: readonly LeftOpen[]): readonly Block[] {
  if (left.length === 0) return [];
  const blocks = [{ is: 'list', items: besideItems(left, true) } as const];
  const title = own('Still open from earlier runs, not in this plan');
  return [{ is: 'section', id: 'open', title, count: left.length, blocks }];
}

/** What the plan does not have: an entry for each task, policy, outcome and reason, most urgent first, with devices by ID. */
function besideItems(all: readonly ClosedBeside[], isOpen: boolean): readonly Item[] {
  const sorted = all.toSorted(
    (a, b) => urgency(a.outcome) - urgency(b.outcome) || compareTexts(a.device, b.device),
  );
  const groups = groupBy(sorted, ({ outcome, task, policy, detail }) =>
    JSON.stringify([outcome, task, policy, detail]),
  );
  return [...groups.values()].flatMap((alike) =>
    alike.slice(0, 1).map(({ outcome, task, policy, detail }): Item => {
      const { label, next } = OUTCOME_WORDS[outcome];
      const said = detail === undefined ? undefined : detailParts(outcome, detail);
      const title = waysTitle(label, { outcome, task, count: alike.length, policy });
      const devices = alike.map(({ device, intentId }) =>
        isOpen ? say`${device} ID ${intentId}` : [data(device)],
      );
      return {
        text: say`${title}: ${some(devices, { most: isOpen ? Infinity : NAMED, noun: '' })}`,
        facts: [
          ...(said ? [{ label: 'why', text: said.says }] : []),
          ...(outcome === 'verified' ? [] : [{ label: 'next', text: said?.next ?? own(next) }]),
        ],
      };
    }),
  );
}

/** What a run leaves, in reading order; what is done is as its plan said. */
const LEFT_COLUMNS = ['person', 'running', 'now', 'later', 'out'] as const;

/** Up to this number of devices each is named; of more, only the sites and the number are given. So many tasks are named, too. */
const DEVICES = 3;

/** How many policies of a reason are named. */
const POLICIES = 3;

/**
 * What a run leaves, by who has to act, with the sums of its table: each way in which tasks ended with all of its
 * devices, then each reason for which nothing was sent once. `isStopped` says of a policy that its stop is
 * described elsewhere.
 */
export function leftBlocks(
  report: Pick<RunReport, 'endings' | 'notes' | 'left'>,
  page: PageTime,
  isStopped: (policy: string) => boolean,
): readonly Block[] {
  const { endings, notes } = report.left ?? report;
  // What is left out is as its plan said, but for what a file has and no policy wants any more.
  const told = endings.filter((one) => findRunColumn(one) !== 'out' || one.reason?.code === 'left');
  const byColumn = groupBy(told, findRunColumn);
  const open = notes.filter(({ reason }) => findColumn({ action: 'note', reason }) !== 'out');
  const noted = groupBy(open, ({ reason }) => findColumn({ action: 'note', reason }));
  return LEFT_COLUMNS.flatMap((column): readonly Block[] => {
    const mine = byColumn.get(column) ?? [];
    const sent = groupEndings(mine.filter((ending) => !isNotSent(ending)));
    const rest = mine.filter(isNotSent);
    const left = [...rest.map(leftRow), ...(noted.get(column) ?? []).map(noteRow)];
    const items = [
      ...sent.map((group) => sentItem(group, page, isStopped(group.policy))),
      ...foldReasons(left, causeKey, ({ policy, count, reason, device }) => ({
        policy,
        count,
        reasons: reason ? [reason] : [],
        sites: device?.site === undefined ? [] : [device.site],
      })).map((group) => leftItem(group, page)),
    ];
    const list = { is: 'list', items } as const;
    const title = own(COLUMN_TITLES[column]);
    const count = items.reduce((sum, item) => sum + (item.count ?? 0), 0);
    return count === 0 ? [] : [{ is: 'section', id: column, title, count, blocks: [list] }];
  });
}

/** What only the result of its task verifies, because the service does not show the effect. */
export function resultOnlyBlocks(
  { endings }: Pick<RunReport, 'endings'>,
  page: PageTime,
): readonly Block[] {
  const groups = groupEndings(endings.filter(({ resultOnly }) => resultOnly === true));
  const items = groups
    .filter(({ outcome }) => outcome === 'verified')
    .map((group): Item => {
      const { outcome, task, policy } = group;
      const count = group.endings.length;
      const title = waysTitle(OUTCOME_WORDS[outcome].label, { outcome, task, count, policy });
      return { text: title, lines: [whyText(group, page)] };
    });
  return items.length > 0 ? [{ is: 'list', items }] : [];
}

/** Tasks that ended alike: why, and each device, since each needs a check. */
function sentItem(group: EndingGroup, page: PageTime, isStopped: boolean): Item {
  const { outcome, task, policy, endings } = group;
  const count = endings.length;
  return {
    count,
    text: whyText(group, page),
    lines: [
      waysTitle(OUTCOME_WORDS[outcome].label, { outcome, task, count, policy }),
      ...(count > NAMED ? manyLines(endings) : endings.flatMap(deviceLines)),
    ],
    next: isStopped && outcome === 'failed' ? own(STOP_WORDS.below) : nextText(group, page),
  };
}

/** All devices by ID, and a few of their tasks. */
function manyLines(endings: readonly Ending[]): readonly Inlines[] {
  const ids = endings.map((one) => joined([[data(one.change.device.id)], ...doubtParts(one)], ' '));
  const tasks = [...new Set(endings.flatMap(({ taskId }) => taskId ?? []))];
  const named = some(tasks.map(data), { most: DEVICES, noun: '' });
  return [joined(ids, ', '), ...(tasks.length > 0 ? [say`tasks ${named}`] : [])];
}

/** The device with its site, and its task. */
function deviceLines(ending: Ending): readonly Inlines[] {
  const { change, taskId, shown } = ending;
  const task = taskId === undefined ? [] : [say`task ${taskId}`];
  const parts = [locatedText(change.device), ...task, ...doubtParts(ending)];
  return [joined(parts, ', '), ...(shown ? [phrase(SHOWN_WORDS, { ...shown })] : [])];
}

/** The ID for `resolve`, where only a person may end a doubt. */
function doubtParts({ outcome, intentId }: Ending): readonly Inlines[] {
  return intentId === undefined || outcome !== 'inDoubt' ? [] : [say`ID ${intentId}`];
}

/** A change for which nothing was sent, or what a note counts. */
interface LeftRow extends Pick<Ending, 'outcome' | 'reason' | 'detail'> {
  readonly policy: string;
  readonly count: number;
  /** Absent for a note. */
  readonly device?: Change['device'];
}

function leftRow({ change: { at, device }, ...ending }: Ending): LeftRow {
  return { ...ending, policy: at.policy, count: 1, device };
}

function noteRow({ at: { policy }, reason, count }: NoteClass): LeftRow {
  return { outcome: 'skipped', reason, policy, count };
}

/** The policies with their counts, then the devices, or how many sites have them. */
function leftItem({ rows, ...group }: ReasonGroup<LeftRow>, page: PageTime): Item {
  const { policies, count, sites } = group;
  const [{ outcome, detail }] = rows;
  const cause = { ...group, outcome, ...(detail !== undefined && { detail }) };
  const devices = rows.flatMap(({ device }) => (device ? [locatedText(device)] : []));
  const isNamed = count <= DEVICES && devices.length === count;
  const where = isNamed ? joined(devices, ', ') : sites > 0 ? own(counted(sites, 'site')) : [];
  const policy = policiesText(policies, POLICIES);
  return {
    count,
    text: whyText(cause, page),
    lines: [where.length > 0 ? say`${policy} · ${where}` : policy],
    next: nextText(cause, page),
  };
}

/** Endings that look the same to a reader: one outcome, task, policy, reason and detail. */
interface EndingGroup extends Pick<ReasonGroup<Ending>, 'reason' | 'sinceDiffers' | 'lastNext'> {
  readonly outcome: Outcome;
  readonly task: TaskType;
  readonly policy: string;
  readonly detail?: string;
  readonly resultOnly: boolean;
  readonly endings: readonly Ending[];
}

/** The reading order: outcomes that need a person first, successful ones last. */
const URGENCY: readonly Outcome[] = [
  ...TO_CHECK,
  'betweenSteps',
  'notStarted',
  'skipped',
  'verified',
];

/** Endings in groups, most urgent first, and largest first within an outcome. */
function groupEndings(endings: Iterable<Ending>): readonly EndingGroup[] {
  return foldReasons(endings, endingKey, ({ change, reason }) => ({
    policy: change.at.policy,
    count: 1,
    reasons: reason ? [reason] : [],
  }))
    .map(({ rows, ...group }): EndingGroup => {
      const [{ change, outcome, detail, resultOnly = false }] = rows;
      const of = { outcome, task: change.task, policy: change.at.policy, resultOnly };
      return { ...group, ...of, ...(detail !== undefined && { detail }), endings: rows };
    })
    .sort((a, b) => urgency(a.outcome) - urgency(b.outcome));
}

/** Why endings are alike, whatever their task and policy. */
function causeKey({
  outcome,
  reason,
  detail,
}: Pick<Ending, 'outcome' | 'reason' | 'detail'>): string {
  return JSON.stringify([outcome, reason?.code, reason?.why, detail]);
}

function endingKey(ending: Ending): string {
  const { change, resultOnly = false } = ending;
  return [causeKey(ending), change.task, change.at.policy, resultOnly].join(' ');
}

function urgency(outcome: Outcome): number {
  return URGENCY.indexOf(outcome);
}
