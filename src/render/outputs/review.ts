import { refusedBy } from '../../model/documents/diagnostic.ts';
import { findActor, findColumn, mayFollow } from '../../model/plan/actor.ts';
import { groupBy, sumCounts } from '../../lib/group-by.ts';
import type { Instant } from '../../lib/time.ts';
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
  type TableBlock,
} from '../tree.ts';
import { warningItem } from './warnings.ts';
import { policyTable } from './policy-table.ts';
import type { ClassDevice } from '../view/classes.ts';
import type { NeedGroup } from '../view/review.ts';
import { fitLines, foldRuns, type PolicyRun, type RunLine } from '../view/runs.ts';
import type { PlanView } from '../view/view.ts';
import { passedText } from '../words/passed-words.ts';
import { blockedWords } from '../words/review/blocked-words.ts';
import { counted, grouped } from '../words/phrase.ts';
import { codeLabel, reasonLabel } from '../words/reasons.ts';
import {
  COLUMN_TITLES,
  editWords,
  freezeTerm,
  laterWords,
  moreWords,
  oldestWords,
  outWords,
  planTime,
  policyCells,
  refusedChangesWords,
  startsTitle,
  TABLE_TITLES,
  whenWords,
} from '../words/review/review-words.ts';
import { TASK_WORDS } from '../words/terms.ts';
import { locatedText, originText, policiesText, reasonParts, some } from './naming.ts';

/** A line for each policy: what starts when, what needs a person, and who requested it. */
export function policyBlocks(
  view: PlanView,
  { most, isUnfolded = false }: { readonly most?: number; readonly isUnfolded?: boolean } = {},
): readonly Block[] {
  const { policies } = view.review;
  if (policies.length === 0) return [];
  const table = policyTable({
    rows: policies,
    hasAll: true,
    ...(most !== undefined && { most }),
    isUnfolded,
    beside: BESIDE.map((column) => ({
      title: TABLE_TITLES[column],
      isNumber: column === 'sites',
      room: column === 'first' || column === 'last' ? 'wide' : 'page',
    })),
    besideOf: (row) => {
      const texts = policyCells(row, view);
      const [author] = view.originsOf(row);
      return BESIDE.map((column): Inlines => {
        if (column === 'by') return author ? originText(author) : [];
        const isHigh = column === 'risk' && row.risk === 'high';
        return isHigh ? [strong(own(texts[column]), 'bad')] : own(texts[column]);
      });
    },
    name: ({ policy }) => [{ is: 'link', show: { policy }, parts: [data(policy)] }],
    isStrong: ({ caused }) => view.base !== undefined && caused > 0,
  });
  return [table, ...refusalBlocks(view), ...blockedBlocks(view)];
}

/** Each finding that refuses policies, what to write, and how many changes wait until then (semantics K27). */
function refusalBlocks(view: PlanView): readonly Block[] {
  const items = view.refusing.map((finding): Item => {
    const policies = refusedBy([finding]);
    const count = sumCounts(
      view.classes.filter(({ at, reason }) => reason.code === 'refused' && policies.has(at.policy)),
    );
    const waiting = own(refusedChangesWords(count, policies.size));
    return { ...warningItem([finding], view), ...(count > 0 && { lines: [waiting] }) };
  });
  return items.length > 0 ? [{ is: 'list', items, tone: 'wait' }] : [];
}

/** The freezes that make changes start later by the forecast: from when to when, how many, and why. */
function freezeItems(view: PlanView): readonly Item[] {
  return [...groupBy(view.timeline.freezes, ({ freeze }) => freeze)].map(([name, rows]) => {
    const n = rows.reduce((sum, row) => sum + row.changes, 0);
    const later = phrase('{n|change starts|changes start} later', { n });
    const term = own(freezeTerm(rows, planTime(view)));
    return { text: say`freeze ${name} ${term}: ${later} (${rows[0]?.reason ?? ''})` };
  });
}

/** How many policies have a line that says what blocks them. */
const BLOCKED = 3;

/** What keeps policies of the table from a date, where no list of what needs a person says it, and which freezes move one. */
function blockedBlocks(view: PlanView): readonly Block[] {
  const items = view.review.policies.flatMap((row): readonly Item[] => {
    const { policy, blocked, undated = blocked, isRefused } = row;
    if (!undated || isRefused === true) return [];
    const { reason } = undated;
    if (findActor(reason) === 'person' && reason.why !== 'downAlready') return [];
    const text = told((sink) => blockedWords(undated, planTime(view), sink));
    return [{ text: say`${data(policy)} ${own(blocked ? 'blocked' : 'without a date')}: ${text}` }];
  });
  const lists = [
    { is: 'list', items, most: BLOCKED, noun: 'policy' },
    { is: 'list', items: freezeItems(view), most: BLOCKED, noun: 'freeze' },
  ] as const;
  return lists.filter((list) => list.items.length > 0);
}

/** The columns of a plan after its counts; a terminal has no place for the last three. */
const BESIDE = ['first', 'last', 'risk', 'sites', 'by'] as const;

/** How many reasons are listed, and how many policies and devices of one are named. */
const REASONS = 5;
const NAMED = 3;
const POLICIES_NAMED = 2;

/** What needs a person: each reason with its policies, a few devices or all, and the next step. */
export function needBlocks(view: PlanView, { all = false } = {}): readonly Block[] {
  const { needs, totals } = view.review;
  if (needs.length === 0) return [];
  const items = needs.map((need) => needItem(need, view, all ? Infinity : NAMED));
  const list = { is: 'list', items, most: REASONS, noun: 'reason' } as const;
  const title = own('Needs you');
  return [{ is: 'section', id: 'needs', title, count: totals.person, blocks: [list] }];
}

function needItem(need: NeedGroup, view: PlanView, most: number): Item {
  const { rows, policies } = need;
  const [first] = rows;
  const { reason = first.reason, count } = need;
  const { summary, next } = reasonParts(reason, planTime(view));
  const isRefused = reason.code === 'refused';
  const where = joined(fewDevices(need)?.map(locatedText) ?? [manyDevices(need, most)], ', ');
  const text = isRefused
    ? own(reasonLabel(reason))
    : [...summary, ...own(oldestWords(reason, count, view))];
  return {
    count,
    show: { reason: codeLabel(reason.code) },
    // Of a refused policy the line below the table says the rest.
    text,
    lines: [say`${policiesText(policies, POLICIES_NAMED)} · ${where} · ${place(first.at)}`],
    ...(!isRefused && { next }),
  };
}

/** The devices of a reason, the oldest first, where they are few. */
function fewDevices({ rows, count }: NeedGroup): readonly ClassDevice[] | undefined {
  const devices = rows.flatMap((each) => each.devices);
  if (count > NAMED || devices.length < count) return undefined;
  return devices.toSorted((a, b) => (a.since ?? 0) - (b.since ?? 0));
}

/** `dev-1, dev-2, dev-3, 9 more on 6 sites`; a device of several changes once. */
function manyDevices({ rows, count, sites }: NeedGroup, most: number): Inlines {
  const devices = rows.flatMap((each) => each.devices);
  const ids = [...new Set(devices.map(({ id }) => id))];
  const [only] = sites === 1 ? rows.flatMap((each) => each.sites) : [];
  const all = devices.length < count ? count : ids.length;
  const named = some(ids.map(data), { most, noun: '', count: all });
  return only ? say`${named} at ${only.name}` : say`${named} on ${own(counted(sites, 'site'))}`;
}

/** The same with a line for each device, or for the devices of a reason where they are many. */
export function shortNeedBlocks(view: PlanView): readonly Block[] {
  const { needs, totals } = view.review;
  const items = needs.flatMap((need): readonly Item[] => {
    const { rows, count, policies } = need;
    const { reason = rows[0].reason } = need;
    const { summary, next } = reasonParts(reason, planTime(view));
    const whyOf = ({ since, of }: { readonly since?: Instant | undefined; readonly of: number }) =>
      reason.why === 'person' || reason.why === 'behindPause'
        ? say`${summary}; ${next}`
        : own(`${reasonLabel(reason)}${oldestWords({ ...reason, since }, of, view)}`);
    const devices = fewDevices(need);
    if (devices)
      return devices.map((device) => ({
        text: say`${locatedText(device)}: ${whyOf({ since: device.since, of: 1 })}`,
      }));
    const why = whyOf({ since: reason.since, of: count });
    const where = say`${own(counted(count, 'device'))} (${manyDevices(need, NAMED)})`;
    return [{ text: say`${policiesText(policies, POLICIES_NAMED)}, ${where}: ${why}` }];
  });
  if (items.length === 0) return [];
  const list = { is: 'list', items, most: REASONS, noun: 'line' } as const;
  const title = own(COLUMN_TITLES.person);
  return [{ is: 'section', id: 'needs', title, count: totals.person, blocks: [list] }];
}

/** What is left out, in one line: how many, and why. */
export function outBlocks({ classes, review: { totals } }: PlanView): readonly Block[] {
  const out = classes.filter((each) => findColumn(each) === 'out');
  if (out.length === 0) return [];
  const groups = groupBy(out, ({ task, reason }) =>
    reason.why === 'taskUnavailable' ? task : reasonLabel(reason),
  );
  const parts = [...groups].map(([name, each]) =>
    outWords(name, groups.size === 1 ? undefined : sumCounts(each)),
  );
  return [sentence(own(`Out: ${grouped(totals.out)}, ${parts.join('; ')}`))];
}

/** What starts later: a line for each policy, with its waves in order. */
export function laterBlocks(view: PlanView): readonly Block[] {
  const { policies, totals } = view.review;
  const runs = new Map(foldRuns(view).map((run) => [run.row.policy, run.lines]));
  const rows = policies.flatMap(({ policy, later }) => {
    if (later === 0) return [];
    const lines = (runs.get(policy) ?? []).filter(({ column }) => column === 'later');
    const noted = later - sumCounts(lines);
    const parts = [
      ...lines.map((line) => told((sink) => laterWords(line, view, sink))),
      ...(noted > 0 ? [own(`${grouped(noted)} not read or not discovered yet`)] : []),
    ];
    return [{ cells: [[data(policy)], joined(parts, ', ')] }];
  });
  if (rows.length === 0) return [];
  const columns = [{ title: '' }, { title: '' }];
  const more = rows.length - LATER;
  const rest = more > 0 ? [{ cells: [own(moreWords(more, true)), []] }] : [];
  const shown = [...rows.slice(0, LATER), ...rest];
  const isDated = [...runs.values()].flat().some(({ next }) => next !== undefined);
  const zone = isDated ? ` (times in ${planTime(view).clock.zone})` : '';
  const title = own(`${COLUMN_TITLES.later}: ${grouped(totals.later)}${zone}`);
  const table = { is: 'table', label: 'Later', kind: 'later', columns, rows: shown } as const;
  return [{ is: 'section', id: 'later', title, blocks: [table] }];
}

/** How many policies are listed with what starts later. */
const LATER = 12;

/** Up to this number of devices a line of what starts names them. */
const DEVICES_NAMED = 2;

/**
 * What starts now and later: each policy with its values before and after, then its waves. The
 * policies share `space` lines, but each has at least three.
 */
export function runBlocks(
  view: PlanView,
  { space = Infinity }: { readonly space?: number },
): readonly Block[] {
  const runs = foldRuns(view);
  if (runs.length === 0) return [];
  const shares = shareLines(runs, space - 2);
  const table: TableBlock = {
    is: 'table',
    label: 'What starts',
    kind: 'starts',
    columns: [{ title: 'Wave' }, { title: 'Devices', isNumber: true }, { title: 'When' }],
    rows: runs.flatMap((run, index) => runRows(run, shares[index] ?? 0, view)),
  };
  const title = say`${own(startsTitle(view))} ${own(`(times in ${planTime(view).clock.zone})`)}`;
  return [{ is: 'section', id: 'starts', title, isFolded: true, blocks: [table] }];
}

/** Below this number of lines a policy is not cut. */
const LEAST = 2;

/** How many lines below its own each policy gets: what a short one leaves, the others take. */
function shareLines(runs: readonly PolicyRun[], space: number): readonly number[] {
  let left = space - runs.length;
  const shares = runs.map(() => 0);
  const order = runs.map((run, index) => ({ index, wants: run.lines.length }));
  order.sort((a, b) => a.wants - b.wants);
  for (const [done, { index, wants }] of order.entries()) {
    const share = Math.max(LEAST, Math.floor(left / (runs.length - done)));
    shares[index] = Math.min(wants, share);
    left -= Math.min(wants, share);
  }
  return shares;
}

function runRows(run: PolicyRun, most: number, view: PlanView): TableBlock['rows'] {
  const { row, lines, task } = run;
  const { shown, more, changes, waves } = fitLines(lines, most);
  const show = { policy: row.policy, task: TASK_WORDS[task] };
  const name = strong([{ is: 'link', show, parts: [data(row.policy)] }]);
  const names = waves.length > 0 ? say` ${joined(waves.map(data), ', ')}` : [];
  const rest = say`then${names}: ${own(counted(more, 'more line'))}`;
  const words = editWords(run);
  const edit = words === TASK_WORDS[task] ? own(words) : [data(words)];
  return [
    { isHead: true, cells: [say`${name}  ${edit}`] },
    ...shown.map((line) => ({
      cells: [
        line.wave === undefined ? [] : [data(line.wave)],
        own(grouped(line.count)),
        lineText(line, view),
      ],
    })),
    ...(more > 0 ? [{ cells: [[], own(grouped(changes)), rest] }] : []),
  ];
}

/** When it starts, why, which devices, and what it passes. */
function lineText(line: RunLine, view: PlanView): Inlines {
  const { classes, count, shut, largest } = line;
  const devices = count <= DEVICES_NAMED ? classes.flatMap((each) => each.devices) : [];
  const isNamed = devices.length === count;
  const passes = shut ? undefined : largest.passes;
  return [
    ...told((sink) => whenWords(line, view, sink)),
    ...whyText(line, view),
    ...(isNamed ? say` · ${joined(devices.map(locatedText), ', ')}` : []),
    ...(passes ? say`, passes ${told((sink) => passedText(passes, sink))}` : []),
  ];
}

/** The reason, unless the wave gives it. */
function whyText({ largest, shut, column, next }: RunLine, view: PlanView): Inlines {
  const words = reasonParts(largest.reason, planTime(view));
  if (shut) return [];
  if (column === 'now') return say`: ${words.summary}`;
  const label = own(reasonLabel(largest.reason));
  if (next !== undefined || mayFollow(largest.reason)) return say`: ${label}`;
  return say`, ${words.next}: ${label}`;
}
