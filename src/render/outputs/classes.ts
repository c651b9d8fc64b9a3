import { groupBy, sumCounts } from '../../lib/group-by.ts';
import { parseInstant } from '../../lib/time.ts';
import type { Values } from '../../model/plan/change.ts';
import { findColumn } from '../../model/plan/actor.ts';
import type { ReasonCode } from '../../model/plan/reason.ts';
import { ANYTIME } from '../../model/documents/window.ts';
import {
  data,
  joined,
  own,
  place,
  say,
  told,
  type Block,
  type Entry,
  type Fact,
  type Inlines,
  type Item,
} from '../tree.ts';
import { type ChangeClass, type Spreads, spreadText, valueText } from '../view/classes.ts';
import type { PlanView } from '../view/view.ts';
import { openingMoment } from '../words/moment.ts';
import { passedText } from '../words/passed-words.ts';
import { counted, grouped } from '../words/phrase.ts';
import { codeLabel, reasonWords } from '../words/reasons.ts';
import { COLUMN_TITLES, columnWord, GROUP_LABELS, planTime } from '../words/review/review-words.ts';
import { CAUSE_WORDS, GROUP_WORDS, RISK_WORDS, TASK_WORDS } from '../words/terms.ts';
import { valueEdits } from './differences.ts';
import { deviceText, locatedText, reasonParts, requestedLines, some } from './naming.ts';
import type { DroppedClass } from '../../model/plan/plan.ts';

const RISK_TONES = { high: 'bad', medium: 'wait', low: 'calm' } as const;

/** How many sites of a class are named; the others are counted. */
const SITES = 6;

/** So many policies that a class wins over are named, unless all are requested. */
const LOSERS = 3;

/**
 * The classes of equal changes, a section for each column and group: values before and after, reason, when it may
 * continue, sites and devices. With `all` each device has a line of its own, in a view that kept them.
 */
export function classBlocks(
  view: PlanView,
  { all = false }: { readonly all?: boolean },
): readonly Block[] {
  const { base, classes } = view;
  const sections = groupBy(classes, (each) => `${findColumn(each)}-${each.group ?? ''}`);
  return [...sections].flatMap(([id, alike]) => {
    const [first] = alike;
    if (!first) return [];
    const { group } = first;
    const words = COLUMN_TITLES[findColumn(first)];
    const title = own(base && group ? `${words}, ${GROUP_WORDS[group]}` : words);
    const entries = alike.map((each) => classEntry(each, view, all));
    const list = { is: 'entries', entries, noun: 'group' } as const;
    const count = sumCounts(alike);
    return [{ is: 'section', id: `classes-${id}`, title, count, blocks: [list] } as const];
  });
}

function classEntry(theClass: ChangeClass, view: PlanView, all: boolean): Entry {
  const { task, count, risk, at, places, before, after, digest } = theClass;
  const more = places.length === 1 ? [] : own(` and ${counted(places.length - 1, 'more place')}`);
  return {
    count,
    title: own(`${TASK_WORDS[task]} · ${counted(count, 'device')}`),
    tag: { word: RISK_WORDS[risk], tone: RISK_TONES[risk] },
    origin: say`${at.policy}  ${place(at)}${more}`,
    edits: valueEdits(spreadTexts(before), spreadTexts(after)),
    facts: [
      ...requestedLines(theClass, view),
      ...reasonFacts(theClass, view, all),
      ...siteFacts(theClass, view, all),
      { label: 'digest', text: [data(digest)], isDetail: true },
    ],
    gist: gistText(theClass),
  };
}

/** Why it does not run, its wave, and where it is. */
function gistText({ action, reason, wave, sites }: ChangeClass): Inlines {
  const [{ name } = { name: '' }, ...others] = sites;
  const where = others.length > 0 ? own(counted(sites.length, 'site')) : name && [data(name)];
  return joined(
    [
      action !== 'run' && own(codeLabel(reason.code)),
      wave !== undefined && [data(wave)],
      where,
    ].filter((part) => part !== false && part !== ''),
    ' · ',
  );
}

/** The values of a class for the diff: one value, the range of dates, or how they differ. */
function spreadTexts(spreads: Spreads): Values {
  const texts = Object.entries(spreads).map(([field, spread]) => [field, spreadText(spread)]);
  return Object.fromEntries(texts) as Values;
}

function reasonFacts(theClass: ChangeClass, view: PlanView, all: boolean): readonly Fact[] {
  const { action, cause, reason, sinceDiffers, lastNext, passes, wave, window } = theClass;
  const { why, next } = reasonParts(reason, { ...planTime(view), sinceDiffers, lastNext });
  const waves = view.waves.filter(({ policy }) => policy === theClass.at.policy);
  return [
    { label: 'why', text: action === 'run' ? say`${own(CAUSE_WORDS[cause])}: ${why}` : why },
    ...(action === 'run' ? [] : [{ label: 'next', text: next }]),
    ...(passes ? [{ label: 'passes', text: told((sink) => passedText(passes, sink)) }] : []),
    ...(waves.length > 1 && wave !== undefined ? [{ label: 'wave', text: [data(wave)] }] : []),
    ...(window && window.name !== ANYTIME
      ? [{ label: 'window', text: windowText(theClass, view) }]
      : []),
    ...(theClass.losers.length > 0 ? [{ label: 'over', text: losersText(theClass, all) }] : []),
  ];
}

/** The policies that it wins over: the first few, or all of them. */
function losersText({ losers, count: of }: ChangeClass, all: boolean): Inlines {
  const over = losers.map((loser) => {
    const on = loser.count === of ? '' : ` for ${grouped(loser.count)} of them`;
    return say`${loser.policy} (${place(loser)})${own(on)}`;
  });
  return some(over, { most: all ? Infinity : LOSERS, noun: 'policy' });
}

/** Reasons under which a window without a next opening stays closed. */
const SHUT: ReadonlySet<ReasonCode> = new Set([
  'frozenHard',
  'frozen',
  'windowClosed',
  'pastCutoff',
]);

/** Without a zone the opening times are unknown. */
function windowText({ window, reason }: ChangeClass, view: PlanView): Inlines {
  const { name = '', zone, opens = '' } = window ?? {};
  if (zone === undefined) return [data(name)];
  const at = parseInstant(opens);
  const shut = SHUT.has(reason.code) ? 'closed' : 'open now';
  const words = at === undefined ? shut : `opens ${openingMoment(at, zone, planTime(view))}`;
  return say`${name}, ${zone}, ${own(words)}`;
}

/** The sites with counts and the first few devices, or each device; of a few devices their sites are enough. */
function siteFacts(theClass: ChangeClass, view: PlanView, all: boolean): readonly Fact[] {
  const { count, devices, sites, places } = theClass;
  const link = (parts: Inlines): Inlines => [{ is: 'link', show: shownBy(theClass, view), parts }];
  if (!all && devices.length === count)
    return [{ label: 'devices', text: link(joined(devices.map(locatedText), ', ')) }];
  const named = sites
    .slice(0, SITES)
    .map(({ name, count: each }) => say`${name === '' ? own('no site') : data(name)} ${each}`);
  const rest = sites.slice(SITES);
  const more = own(`${grouped(rest.length)} more sites ${grouped(sumCounts(rest))}`);
  const where = { label: 'sites', text: joined(rest.length > 0 ? [...named, more] : named, ', ') };
  if (all)
    return [
      where,
      ...devices.map((device, n) => {
        const at = places.length === 1 ? [] : say` ${place(device.at)}`;
        const text = [...locatedText(device), ...at, ...ownText(device.own)];
        return { label: n === 0 ? 'devices' : '', text: n === 0 ? link(text) : text };
      }),
    ];
  const list = some(devices.map(deviceText), { most: devices.length, noun: 'device', count });
  return [where, { label: 'devices', text: link(list) }];
}

/** The values in which a device differs from others of its class. */
function ownText(values: Values): Inlines {
  const parts = Object.entries(values).map(([field, value]) => say`${field} ${valueText(value)}`);
  return parts.length === 0 ? [] : say`: ${joined(parts, ', ')}`;
}

/** The rows of the page's table that are this class. */
function shownBy(theClass: ChangeClass, { base }: PlanView): Readonly<Record<string, string>> {
  const { task, at, reason, wave, group } = theClass;
  return {
    state: columnWord(theClass),
    task: TASK_WORDS[task],
    policy: at.policy,
    reason: codeLabel(reason.code),
    ...(wave !== undefined && { wave }),
    ...(base && group && { group: GROUP_LABELS[group] }),
  };
}

/** How many removed groups are listed in short. */
const LISTED = 5;

/** Changes of the base that these documents no longer request, with their lines in the base. */
export function removedBlocks(view: PlanView): readonly Block[] {
  const { base } = view;
  if (!base || base.gone.length === 0) return [];
  const items = base.gone.map((each) => removedItem(each, view));
  const list = { is: 'list', items, most: LISTED, noun: 'group' } as const;
  const title = say`Removed since ${base.ref}`;
  return [{ is: 'section', id: 'gone', title, count: sumCounts(base.gone), blocks: [list] }];
}

function removedItem(each: DroppedClass, view: PlanView): Item {
  const { task, at, cause, reason, lines = [], count, devices } = each;
  const why = told((sink) => reasonWords(reason, { ...planTime(view), sink }).summary);
  const named = devices.map(deviceText);
  const line = (reason.why === 'lifted' && lines.at(-1)) || at;
  return {
    count,
    text: say`${at.policy}  ${own(TASK_WORDS[task])}: ${why}  ${place(line)}`,
    details: [
      say`before: ${own(CAUSE_WORDS[cause])}`,
      ...requestedLines({ places: [], lines }, view).map(
        ({ label, text }) => say`${own(label)}: ${text}`,
      ),
      say`devices: ${some(named, { most: named.length, noun: 'device', count })}`,
    ],
  };
}

/** How many reasons of unchanged devices are listed. */
const REASONS = 20;

/** The unchanged devices, with reasons; those with the same words are one row. */
export function noteBlocks(
  view: PlanView,
  { all = false }: { readonly all?: boolean },
): readonly Block[] {
  if (view.notes.length === 0) return [];
  const rows = new Map<string, { policy: string; why: Inlines; count: number }>();
  for (const { at, reason, count } of view.notes) {
    const why = told((sink) => {
      const { summary, detail } = reasonWords(reason, { ...planTime(view), sink });
      return detail === undefined ? summary : `${summary} ${detail}`;
    });
    const key = JSON.stringify([at.policy, why]);
    const before = rows.get(key)?.count ?? 0;
    rows.set(key, { policy: at.policy, why, count: before + count });
  }
  const table = {
    is: 'table',
    label: 'Unchanged devices',
    kind: 'notes',
    columns: [{ title: 'Devices', isNumber: true }, { title: 'Policy' }, { title: 'Why' }],
    rows: [...rows.values()]
      .sort((a, b) => b.count - a.count)
      .map(({ policy, why, count }) => ({
        count,
        cells: [own(grouped(count)), [data(policy)], why],
      })),
    ...(!all && { most: REASONS }),
    noun: 'row',
  } as const;
  const count = sumCounts(view.notes);
  return [
    { is: 'section', id: 'notes', title: own('Noted'), count, isFolded: true, blocks: [table] },
  ];
}
