import { computeOnce } from '../../lib/compute-once.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';
import type { LineOrigin } from '../../model/documents/origin.ts';
import { PLAN_COLUMNS } from '../../model/plan/actor.ts';
import type { Change, Values, WindowRef } from '../../model/plan/change.ts';
import { placeText } from '../tree.ts';
import { valueText } from '../view/classes.ts';
import { findClose, windowRows } from '../view/opening.ts';
import { READ_IN_ORDER, type PlanView } from '../view/view.ts';
import { dayText, openingMoment, type PageTime } from '../words/moment.ts';
import { codeLabel, reasonWords } from '../words/reasons.ts';
import {
  besideChangesWords,
  COLUMN_TITLES,
  columnWord,
  planTime,
  GROUP_LABELS,
} from '../words/review/review-words.ts';
import { CAUSE_WORDS, originWords, RISK_WORDS, TASK_WORDS } from '../words/terms.ts';
import type { Edit } from './format.ts';
import { source, textSource, type PageTable, type RowSource } from './table-data.ts';
import { DECISION_STEPS, FURTHER_LABELS, PLAN_TABLE } from './words.ts';

export function planTable(view: PlanView, rows: number): PageTable<Change> {
  const page = planTime(view);
  const { now, clock } = page;
  const { base, review } = view;
  return {
    head: {
      rows,
      now,
      zone: clock.zone,
      shown: [
        { name: 'site', title: 'Site', hidden: 'narrow' },
        { name: 'task', title: 'Task', hidden: 'narrow' },
        {
          name: 'state',
          title: 'State',
          kind: 'mark',
          order: PLAN_COLUMNS.map((column) => COLUMN_TITLES[column].toLowerCase()),
        },
        { name: 'reason', title: 'Reason', of: 'says', kind: 'prose' },
        { name: 'edit', title: 'Before → after', hidden: 'narrow' },
        { name: 'when', title: `Not before (${clock.zone})`, of: 'next', hidden: 'narrow' },
        { name: 'make', title: 'Model', hidden: 'paper' },
        { name: 'policy', title: 'Policy', hidden: 'paper' },
        { name: 'wave', title: 'Wave', hidden: 'paper' },
      ],
      ...PLAN_TABLE,
      details: { ...PLAN_TABLE.details, steps: DECISION_STEPS.map(({ passed }) => passed) },
    },
    words: {
      title: 'All changes',
      count: review.changes,
      beside: besideChangesWords(review.changes, rows),
      otherwise: {
        command: 'fleetform show FILE --all',
        says: 'lists the same changes from the saved plan.',
      },
      search: 'names, IDs, sites, models, policies, reasons, values',
      row: 'change',
      none: 'This plan has no changes.',
      ...(base && {
        chips: {
          label: 'Requested by, compared with the base',
          values: READ_IN_ORDER.map((group) => GROUP_LABELS[group]),
        },
      }),
    },
    deviceOf: ({ device }) => device,
    sources: planSources(view, page),
    instants: [
      {
        name: 'since',
        says: 'since {moment} ({span})',
        of: ({ reason: { since } }) => (since === undefined ? null : seconds(since, now)),
      },
      {
        name: 'next',
        says: 'not before {moment} (in {span})',
        words: ['now', 'not automatically'],
        of: (change) => secondsUntil(change, now),
      },
    ],
  };
}

function seconds(at: Instant, now: Instant): number {
  return Math.round((at - now) / 1_000);
}

function secondsUntil({ action, reason: { next } }: Change, now: Instant): number | null {
  if (action === 'run') return -1;
  if (next === undefined) return null;
  return next === 'never' ? -2 : Math.max(0, seconds(next, now));
}

function planSources(
  { originsOf, hours }: PlanView,
  page: PageTime & { readonly now: Instant },
): readonly RowSource<Change>[] {
  // Many rows share an object, whose text is written once.
  const keyOf = computeOnce((value: unknown) => JSON.stringify(value) ?? '');
  const windows = windowRows(hours);
  const asItIs = (text: string): string => text;
  return [
    source({
      columns: ['task', 'type'],
      of: ({ task }: Change) => task,
      entryOf: (task) => [TASK_WORDS[task], task],
    }),
    textSource('state', columnWord),
    textSource('cause', ({ cause }) => CAUSE_WORDS[cause]),
    textSource('risk', ({ risk }) => RISK_WORDS[risk]),
    textSource('group', ({ group }) => group && GROUP_LABELS[group]),
    textSource('site', ({ device }) => device.site),
    textSource('make', ({ device }) => vendorAndModel(device)),
    ...FURTHER_LABELS.map((field) => textSource(field, ({ device }: Change) => device[field])),
    textSource('wave', ({ wave }) => wave),
    source({
      columns: ['policy', 'at', 'commit', 'author', 'subject'],
      of: ({ at, lines }: Change) => ({ at, lines }),
      keyOf: ({ at, lines }) => `${keyOf(at)}${keyOf(lines)}`,
      entryOf: ({ at, lines }) => [
        at.policy,
        placeText(at),
        ...originTexts(originsOf({ places: [at], ...(lines && { lines }) })[0]),
      ],
    }),
    source({
      columns: ['losers'],
      of: ({ losers }: Change) => losers,
      keyOf,
      entryOf: (losers) => [losers.map((at) => `${at.policy} (${placeText(at)})`).join(', ')],
    }),
    source({
      columns: ['window'],
      of: ({ window, action }: Change) => window && { window, isRun: action === 'run' },
      keyOf: ({ window, isRun }) => `${isRun}${keyOf(window)}`,
      entryOf: ({ window, isRun }) => [
        windowText(window, isRun, { page, close: findClose(windows, window, page.now) }),
      ],
    }),
    source({
      columns: ['says', 'reason', 'step', 'todo'],
      isOwn: true,
      of: ({ reason: { code, why, params, next } }: Change) => ({
        // The instants have columns of their own; with one, there is no other next step.
        reason: { code, ...(why && { why }), ...(params && { params }) },
        isDated: typeof next === 'number',
      }),
      keyOf: JSON.stringify,
      entryOf({ reason, isDated }) {
        const { summary, next } = reasonWords(reason, { ...page, sink: asItIs });
        const step = DECISION_STEPS.findIndex(({ codes }) => codes.includes(reason.code));
        const label = codeLabel(reason.code);
        return [summary, label, String(step), isDated ? '' : next];
      },
    }),
    source({
      columns: ['edit'],
      isEdit: true,
      isOwn: true,
      of: ({ before, after }: Change) => [before, after] as const,
      keyOf: JSON.stringify,
      entryOf: ([before, after]) => editsOf(before, after),
    }),
  ];
}

/** Vendor and model as one text; undefined if neither is known. */
function vendorAndModel({ vendor = '', model = '' }: Change['device']): string | undefined {
  return [vendor, model].filter((part) => part !== '').join(' ') || undefined;
}

/** Commit, author and subject of a line. */
function originTexts(origin: LineOrigin | undefined): readonly string[] {
  if (origin === undefined) return [];
  if (origin.is !== 'commit') return [originWords(origin)];
  const { commit, author, subject, at } = origin;
  return [`${commit.slice(0, 12)}, ${dayText(at)}`, author, subject];
}

/** `nights, Asia/Tokyo, opens Tue 24 Nov 11:00, closes Tue 24 Nov 15:00`. */
function windowText(
  { name, zone, opens }: WindowRef,
  isRun: boolean,
  { page, close }: { readonly page: PageTime; readonly close: Instant | undefined },
): string {
  if (name === '') return '';
  const at = parseInstant(opens ?? '');
  const isOpen = at === undefined && isRun ? 'open now' : '';
  const opening = at === undefined ? isOpen : `opens ${openingMoment(at, zone, page)}`;
  const until =
    close === undefined || opening === '' ? '' : `closes ${openingMoment(close, zone, page)}`;
  return [name, zone, opening, until].filter(Boolean).join(', ');
}

/** Every field with a current or target value, those with a target first. */
function editsOf(before: Values, after: Values): readonly Edit[] {
  const fields = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  const textOf = (value: Values[string] | undefined) =>
    value === undefined ? null : valueText(value);
  return fields.map((field) => [field, textOf(before[field]), textOf(after[field])] as const);
}
