import type { OpenSpan } from '../../../model/documents/window.ts';
import { countUnread } from '../../../model/ledger/run-report.ts';
import { upToMinute } from '../../../model/report/hint.ts';
import { findColumn, mayFollow, type PlanColumn } from '../../../model/plan/actor.ts';
import { sumCounts } from '../../../lib/group-by.ts';
import { parseInstant, type Instant } from '../../../lib/time.ts';
import type { ChangeGroup } from '../../../model/plan/change.ts';
import type { Sink } from '../../sinks/sinks.ts';
import type { GroupTally, PolicyRow } from '../../view/review.ts';
import type { FreezeRow } from '../../view/opening.ts';
import type { RunLine } from '../../view/runs.ts';
import type { ShownOf } from '../../view/part.ts';
import { isRefused, type PlanView } from '../../view/view.ts';
import type { Plan, PlanBase } from '../../../model/plan/plan.ts';
import type { Reason } from '../../../model/plan/reason.ts';
import { reasonLabel } from '../reasons.ts';
import { OFFER_WORDS, TASK_WORDS } from '../terms.ts';
import { fill, counted, grouped, type Phrase } from '../phrase.ts';
import { zoneClock } from '../local.ts';
import {
  clockedTime,
  moment,
  momentText,
  shortDay,
  wallMoment,
  type ClockedTime,
} from '../moment.ts';

export const COLUMN_TITLES: Readonly<Record<PlanColumn, string>> = {
  now: 'Now',
  running: 'Running',
  later: 'Later',
  person: 'Needs you',
  done: 'Done',
  out: 'Out',
};

/** The column of a change, within a sentence. */
export function columnWord(change: Parameters<typeof findColumn>[0]): string {
  return COLUMN_TITLES[findColumn(change)].toLowerCase();
}

/** The heading of what apply cannot do with this service, before the plan itself. */
export const OBSTACLES_TITLE = 'What apply cannot do';

export const TABLE_TITLES = {
  policy: 'Policy',
  first: 'Starts',
  last: 'Ends',
  risk: 'Risk',
  sites: 'Sites',
  by: 'Requested by',
} as const;

/** The name of the row of policies that are not listed: `12 more: --all`. */
export function moreWords(policies: number, hasAll: boolean): string {
  return `${grouped(policies)} more${hasAll ? ': `--all`' : ''}`;
}

/** The name of the row of policies that change nothing: `58 policies done`. */
export function doneWords(policies: number): string {
  return `${counted(policies, 'policy')} done`;
}

/** The name of the row of totals, below all others. */
export const TOTAL = 'total';

/** `5 changes on 2 sites, 2 at once`, and how many need a person; without those that are only held back. */
function startsWords(tally: GroupTally, held: number): string {
  const { now, running, later, person, sites } = tally;
  const starts = now + running + later - held;
  // The sites are those of what is held back, too.
  const where = `${counted(starts, 'change')}${held > 0 ? '' : ` on ${counted(sites, 'site')}`}`;
  const atOnce = now === 0 ? 'all later' : `${grouped(now)} at once`;
  const what = starts === 0 ? 'no change' : `${where}, ${atOnce}`;
  return person > 0 ? `${what}; ${needWords(person)}` : what;
}

/** `1 needs you`, `3 need you`. */
export function needWords(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'needs' : 'need'} you`;
}

/** From when to when a freeze lasts: by the wall clocks of its sites, where it follows them and they are not the page's. */
export function freezeTerm(rows: readonly FreezeRow[], page: ClockedTime): string {
  const term = ({ open, close }: OpenSpan, clock = page.clock): string => {
    const begin = open > page.now ? `from ${wallMoment(open, { ...page, clock })} to` : 'until';
    return `${begin} ${close < Infinity ? wallMoment(close, { ...page, clock }) : 'further notice'}`;
  };
  const locals = rows.map(({ zone, span }) => zone && term(span, zoneClock(zone)));
  const [local, ...others] = new Set(locals);
  const isOther = rows.some(({ zone }) => zone !== page.clock.zone);
  if (local !== undefined && others.length === 0 && isOther) return `${local} at each site`;
  return rows
    .slice(0, 1)
    .map(({ span }) => `${term(span)} ${page.clock.zone}`)
    .join();
}

/** What may follow in the same run; empty if there is nothing. */
export function followSentence(view: PlanView): string {
  const { follow, now } = view.review.totals;
  if (follow === 0 || isRefused(view)) return '';
  const more = now > 0 ? 'more ' : '';
  return `Up to ${grouped(follow)} ${more}may start in the same run, as running tasks end.`;
}

/** What a finding that refuses policies holds up. */
export function refusedChangesWords(changes: number, policies: number): string {
  const whose = policies === 1 ? 'the policy' : `${grouped(policies)} policies`;
  return `${counted(changes, 'change')} of ${whose} ${changes === 1 ? 'waits' : 'wait'} until it is mended`;
}

/** What a refused plan means, whatever refuses it. */
export const REFUSED_SENTENCE = 'A guardrail refuses this plan: a run starts none of it.';

/**
 * Every change is in a class with its exact count, else how many are; and how many are done, left out,
 * or only noted. The counts are those of the first sentence and of the table. Empty for a plan of
 * nothing.
 */
export function listedSentence({
  review: { changes, totals },
  represented,
  total,
}: Pick<PlanView, 'review' | 'represented' | 'total'>): string {
  const { now, running, later, person } = totals;
  const noted = now + running + later + person - changes;
  const parts = [
    changesListed(changes, total - represented),
    [
      ...(noted > 0 ? [`${are(noted)} not read, discovered or managed`] : []),
      ...(totals.done > 0 ? [`${are(totals.done)} done`] : []),
      ...(totals.out > 0 ? [`${are(totals.out)} out`] : []),
    ].join(', '),
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join('; ')}.`;
}

/** How many of the changes of a plan are listed. */
export function changesListed(changes: number, missing = 0): string {
  if (missing > 0)
    return `${grouped(changes)} of ${counted(changes + missing, 'change')} are listed`;
  if (changes === 0) return '';
  return changes === 1
    ? 'The only change is listed'
    : `All ${counted(changes, 'change')} are listed`;
}

/** How many entries of a list of changes are none, behind the count of its heading; empty for none. */
export function besideChangesWords(changes: number, entries: number): string {
  return entries > changes ? ` and ${grouped(entries - changes)} done` : '';
}

/** Since when the oldest of several has been waiting, or was read last; empty where unknown. */
export function oldestWords(
  { since, why }: { readonly since?: Instant | undefined; readonly why?: Reason['why'] },
  count: number,
  view: PlanView,
): string {
  if (since === undefined) return '';
  const at = moment(since, planTime(view));
  if (why === 'valueUnknown')
    return count === 1 ? `, last read ${at}` : `, the oldest last read ${at}`;
  const from = why === 'maintenanceMode' ? 'at least since' : 'since';
  return count === 1 ? ` ${from} ${at}` : `, the oldest ${from} ${at}`;
}

/** What a request changes besides policies, where its code is not the word. */
const EDIT_WORDS: Partial<Record<NonNullable<PlanBase['edits']>[number], string>> = {
  lockFile: 'the lock file',
  package: 'package files',
};

/** What the documents since the base change; empty without a base. */
export function causedSentence(view: PlanView, sink: Sink = String): string {
  const { base, review, verdicts, notes } = view;
  if (!base) return '';
  const { held = 0, freezes = [] } = base;
  const caused = review.groups.find(({ group }) => group === 'branch');
  const verb = isRefused({ verdicts }) ? 'would start' : 'starts';
  const edits = (base.edits ?? []).map((edit) => EDIT_WORDS[edit] ?? edit);
  const also = edits.length > 0 ? ` It edits ${edits.join(', ')}.` : '';
  const sets = base.settings ? ` It changes ${counted(base.settings.length, 'setting')}.` : '';
  const starts = caused ? `${verb} ${startsWords(caused, held)}` : 'starts no change';
  const limit = edits.length > 0 ? unreadLimit(notes, caused !== undefined) : '';
  const [refused, ...others] = base.refuses ?? [];
  const more = others.length > 0 ? ` and ${grouped(others.length)} more are` : ' is';
  const first =
    refused === undefined
      ? 'This request'
      : `With this request ${sink(refused)}${more} refused. It`;
  const moves = freezes.map((each) => ` ${freezeEdit(each, planTime(view), sink)}.`).join('');
  return `${first} ${starts}${limit}.${movedSentences(base)}${also}${sets}${moves}`;
}

/** How many changes a request holds back, and how many it lets start earlier. */
function movedSentences({ held = 0, earlier = 0 }: PlanBase): string {
  const holds = held > 0 ? ` It holds ${counted(held, 'change')} back.` : '';
  return earlier > 0 ? `${holds} It lets ${counted(earlier, 'change')} start earlier.` : holds;
}

/** What is said of a request whose devices are not all read: nothing is decided about these. */
function unreadLimit(notes: PlanView['notes'], isCaused: boolean): string {
  const unread = countUnread({ notes });
  if (unread === 0) return '';
  const known = isCaused ? ', and may start more' : ' as far as is known';
  return `${known}: ${counted(unread, 'device')} ${unread === 1 ? 'is' : 'are'} not read yet`;
}

/** What else is pending, beside what the documents since the base change; empty for nothing, and without a base. */
export function pendingSentence({ base, review: { groups } }: PlanView): string {
  if (!base) return '';
  // What nothing happens to is neither pending nor due.
  const openIn = (group: ChangeGroup): number =>
    base.counts[group] - (groups.find((each) => each.group === group)?.out ?? 0);
  const [pending, due] = [openIn('pending'), openIn('clock')];
  const others = [
    ...(base.counts.dropped > 0 ? [`it removes ${grouped(base.counts.dropped)}`] : []),
    ...(pending > 0 ? [`${are(pending)} already pending`] : []),
    ...(due > 0 ? [`${are(due)} due by schedule`] : []),
  ].join(', ');
  return others === '' ? '' : `${others.charAt(0).toUpperCase()}${others.slice(1)}.`;
}

/** What a request does with a freeze: `Freeze christmas (18 Dec to 7 Jan) makes 12 of firmware.axis start later`. */
function freezeEdit(
  { freeze, is, from, to, changes, before, policies }: NonNullable<PlanBase['freezes']>[number],
  { now }: ClockedTime,
  sink: Sink,
): string {
  const [begin, end] = [from, to].map((day) =>
    shortDay(parseInstant(`${day}T00:00:00Z`) ?? 0, { now }),
  );
  const name = `Freeze ${sink(freeze)}${from === undefined ? '' : ` (${begin} to ${end})`}`;
  const [policy = '', ...others] = policies;
  const of = (count: number): string =>
    `${counted(count, 'change')}${others.length > 0 ? '' : ` of ${sink(policy)}`}`;
  const was = before > 0 ? ` (${grouped(before)} before)` : '';
  if (changes > 0) return `${name} makes ${of(changes)} start later${was}`;
  if (before > 0) return `${name} no longer makes ${of(before)} start later`;
  return `${name} is ${is}, and moves no date of this plan`;
}

function are(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'is' : 'are'}`;
}

/** How many start now and how many later: the title of what starts. */
export function startsTitle(view: PlanView): string {
  const of = (column: PlanColumn): number =>
    sumCounts(view.classes.filter((each) => findColumn(each) === column));
  const [now, later] = [of('now'), of('later')];
  const parts = [
    ...(now > 0 ? [`${grouped(now)} now`] : []),
    ...(later > 0 ? [`${grouped(later)} later`] : []),
  ];
  return `Starts${isRefused(view) ? ' if allowed' : ''}: ${parts.join(', ')}`;
}

/** That only a part of a plan is shown; names go through the sink. */
export function shownWords({ policies, sites, of: whole }: ShownOf, sink: Sink): string {
  const where = sites.length > 0 ? [`at ${sites.map(sink).join(', ')}`] : [];
  const what = [...(policies.length > 0 ? [policies.map(sink).join(', ')] : []), ...where].join(
    ' ',
  );
  return `only ${what}; the plan lists ${counted(whole, 'change')}`;
}

/** Until when a plan may be applied; nothing of a plan that no file keeps, which ends as it begins. */
export function validityWords(plan: Pick<Plan, 'evaluatedAt' | 'expiresAt' | 'timeZone'>): string {
  const { evaluatedAt, expiresAt } = plan;
  const { clock } = planTime(plan);
  return expiresAt === evaluatedAt ? '' : `, valid until ${momentText(expiresAt, { clock })}`;
}

/** The plan is of documents that no commit has. */
export const UNCOMMITTED_WORDS = 'The documents have uncommitted changes: `--diff` prints them.';

/** How to see the rest of a plan. */
export const DETAILS_WORDS =
  'Details: `--all`; of a saved plan `fleetform show FILE --policy P --site S`.';

function dateText(
  { isRefused, blocked }: PolicyRow,
  at: Instant | undefined,
  view: PlanView,
): string {
  if (isRefused) return 'refused';
  if (at === undefined) return blocked ? 'blocked' : '-';
  const page = planTime(view);
  const day = shortDay(at, page);
  return day === shortDay(page.now, page) ? 'today' : day;
}

/** A count in a column; a dash for none. */
export function cellText(count: number): string {
  return count === 0 ? '-' : grouped(count);
}

/** What is done, and how much of it by this run: `1,003 (55 new)`. */
export function doneText({
  done,
  verified = 0,
}: {
  readonly done: number;
  readonly verified?: number;
}): string {
  return verified === 0 ? cellText(done) : `${grouped(done)} (${grouped(verified)} new)`;
}

/** The texts of a policy in the columns of words, for every format. */
export function policyCells(
  row: PolicyRow,
  view: PlanView,
): Readonly<Record<'first' | 'last' | 'risk' | 'sites', string>> {
  const isNow = row.now + row.running + row.follow > 0;
  return {
    first: isNow && row.isRefused !== true ? 'now' : dateText(row, row.first, view),
    last: dateText(row, row.last, view),
    risk: row.risk ?? '-',
    sites: cellText(row.sites),
  };
}

/**
 * Why something is left out, for a line about all of it.
 * @param name a task that the service does not offer, or another reason
 * @param count how many of several; absent where it is all
 */
export function outWords(name: string, count?: number): string {
  const offer = OFFER_WORDS[name];
  if (offer === undefined) return count === undefined ? name : `${grouped(count)} ${name}`;
  return `the service offers no ${offer} for ${count === undefined ? 'them' : grouped(count)}`;
}

/** One part of what starts later: `broad 9 from Thu 3 Dec 01:00`, `then rest 39`. */
export function laterWords(line: RunLine, view: PlanView, sink: Sink): string {
  const { wave, count, shut, largest } = line;
  const named = `${wave === undefined ? '' : `${sink(wave)} `}${grouped(count)}`;
  if (shut?.after !== undefined && shut.stopped === undefined && shut.approval === undefined)
    return `then ${named}`;
  const isDated = shut !== undefined || line.next !== undefined;
  return `${named} ${isDated ? whenWords(line, view, sink) : reasonLabel(largest.reason)}`;
}

/** Values before and after, the first few named; the task where no value shows it. */
export function editWords({
  before,
  after,
  task,
}: { readonly task: keyof typeof TASK_WORDS } & Readonly<
  Record<'before' | 'after', readonly string[]>
>): string {
  if (before.length === 0 || after.length === 0) return TASK_WORDS[task];
  return `${joinSome(before)} -> ${joinSome(after)}`;
}

function joinSome(values: readonly string[]): string {
  const named = values.slice(0, VALUES);
  const more = values.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

const VALUES = 2;

/** When a wave that is not open may start. */
const SHUT_WORDS: Readonly<Record<'shut' | 'paused' | 'aborted', Phrase>> = {
  shut: '[after wave {after} passes its gate][, needs approval {approval}]',
  paused: 'after `fleetform unpause`',
  aborted: 'never: the rollout was aborted',
};

/**
 * When the changes of a line start: now, from an instant, or after what. Names go through the sink.
 */
export function whenWords(line: RunLine, view: PlanView, sink: Sink): string {
  const page = planTime(view);
  const { column, shut, next, last } = line;
  if (column === 'now') return 'now';
  if (shut) {
    const bar = view.timeline.waves.find(
      ({ policy, wave }) => policy === shut.policy && wave === shut.name,
    );
    const at = shut.opens !== undefined && bar && wallMoment(upToMinute(bar.from), page);
    const params = {
      ...(shut.after !== undefined && { after: shut.after }),
      ...(shut.approval !== undefined && { approval: shut.approval }),
    };
    const words = fill(SHUT_WORDS[shut.stopped ?? 'shut'], params, sink).replace(/^, /, '');
    return at === undefined || at === false ? words : `${words}, not before ${at}`;
  }
  if (next === undefined) return mayFollow(line.largest.reason) ? 'as running tasks end' : 'later';
  const first = wallMoment(upToMinute(next), page);
  const end = last === undefined || last <= next ? first : wallMoment(upToMinute(last), page);
  return `from ${first}${end === first ? '' : ` to ${end}`}`;
}

/** How a plan, and what follows from it, writes instants: in the zone of its fleet, around its own instant. */
export function planTime(view: Pick<Plan, 'timeZone' | 'evaluatedAt'>): ClockedTime {
  return clockedTime(view.timeZone, parseInstant(view.evaluatedAt) ?? 0);
}

/** Groups of a plan with a base, short enough for a button. */
export const GROUP_LABELS: Readonly<Record<ChangeGroup, string>> = {
  branch: 'Caused by this change',
  dropped: 'No longer due',
  pending: 'Already pending',
  clock: 'Due by schedule',
};
