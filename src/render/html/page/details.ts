import { DECISION_STEPS, GROUP_LABELS, PAGE_WORDS } from '../words.ts';
import { moment, span } from '../../words/moment.ts';
import { fill } from '../../words/phrase.ts';
import { ACTION_WORDS, CAUSE_WORDS, RISK_WORDS, TASK_WORDS } from '../../words/terms.ts';
import type { PlaceEntry } from '../format.ts';
import { windowText } from '../window-text.ts';
import type { PlanPage } from './cells.ts';
import { isolated, isolatedProse, make } from './dom.ts';
import { rowDevice, rowEntry, rowWord, type ReportRows } from './report-rows.ts';

const asItIs = (text: string): string => text;
const LABELS = PAGE_WORDS.details;
type Label = keyof typeof LABELS;

export function changeDetails(rows: ReportRows, row: number, page: PlanPage): readonly Node[] {
  return [factList(rows, row, page), editTable(rows, row), stepList(rows, row)];
}

/** The heading of the details. */
export function changeTitle(rows: ReportRows, row: number): string {
  return `${TASK_WORDS[rowWord.task(rows, row)]}: ${rowDevice(rows, row)}`;
}

function factList(rows: ReportRows, row: number, page: PlanPage): HTMLElement {
  const action = rowWord.action(rows, row);
  const group = rowWord.group(rows, row);
  const place = rowEntry(rows, 'place', row);
  const id = rows.ids[row] ?? '';
  const name = rows.names[row] ?? '';
  const losers = rowEntry(rows, 'losers', row).map((code) => rows.entries.place[code]);
  const facts: readonly (readonly [Label, string])[] = [
    ['action', ACTION_WORDS[action]],
    ['why', whyText(rows, row, page)],
    ['next', nextText(rows, row, page)],
    ['device', name === '' || name === id ? id : `${name} (${id})`],
    ['site', rowEntry(rows, 'site', row)],
    ['make', rowEntry(rows, 'make', row)],
    ['risk', RISK_WORDS[rowWord.risk(rows, row)]],
    ['cause', CAUSE_WORDS[rowWord.cause(rows, row)]],
    ['group', group === undefined ? '' : GROUP_LABELS[group]],
    ['wave', rowEntry(rows, 'wave', row)],
    ['window', windowText(rowEntry(rows, 'window', row), action)],
    ['policy', place.policy],
    ['at', place.at],
    ...originFacts(place),
    ['losers', losers.map((loser) => (loser ? `${loser.policy} (${loser.at})` : '')).join(', ')],
  ];
  const list = make('dl');
  for (const [label, text] of facts)
    if (text !== '')
      list.append(
        make('dt', {}, LABELS[label]),
        make('dd', {}, label === 'why' || label === 'next' ? isolatedProse(text) : isolated(text)),
      );
  return list;
}

function originFacts({ by: author }: PlaceEntry): readonly (readonly [Label, string])[] {
  if (author === undefined) return [];
  if (typeof author === 'string') return [['commit', author]];
  return [
    ['commit', `${author.commit}, ${author.day}`],
    ['author', author.author],
    ['subject', author.subject],
  ];
}

function whyText(rows: ReportRows, row: number, page: PlanPage): string {
  const { says } = rowEntry(rows, 'reason', row);
  const since = rows.since[row] ?? Number.NaN;
  if (Number.isNaN(since)) return says;
  const ms = since * 1_000;
  const words = fill(
    PAGE_WORDS.since,
    { moment: moment(page.now - ms, page), span: span(ms) },
    asItIs,
  );
  return `${says}, ${words}`;
}

function nextText(rows: ReportRows, row: number, page: PlanPage): string {
  const { todo } = rowEntry(rows, 'reason', row);
  const next = rows.next[row] ?? Number.NaN;
  if (!Number.isFinite(next)) return todo;
  const ms = next * 1_000;
  return fill(PAGE_WORDS.from, { moment: moment(page.now + ms, page), span: span(ms) }, asItIs);
}

function editTable(rows: ReportRows, row: number): HTMLElement {
  const { field, before, after, nothingWanted } = PAGE_WORDS;
  const head = [field, before, after].map((label) => make('th', { scope: 'col' }, label));
  const body = rowEntry(rows, 'edit', row).map(([name, old, current]) => {
    const changes = current !== null && current !== old;
    return make(
      'tr',
      changes ? { class: 'changes' } : {},
      make('th', { scope: 'row' }, isolated(name)),
      make('td', {}, changes && old !== null ? del(old) : isolated(old ?? '')),
      make('td', {}, changes ? make('ins', {}, isolated(current)) : nothingWanted),
    );
  });
  return make(
    'table',
    { class: 'edit' },
    make('thead', {}, make('tr', {}, ...head)),
    make('tbody', {}, ...body),
  );
}

function del(text: string): HTMLElement {
  return make('del', {}, isolated(text));
}

/**
 * The decision order: the steps that passed, the one that decided, and those that were not
 * evaluated.
 */
function stepList(rows: ReportRows, row: number): Node {
  const { step, says } = rowEntry(rows, 'reason', row);
  if (step < 0) return make('p');
  const { passed, decided, unasked, steps } = PAGE_WORDS;
  const items = DECISION_STEPS.map((one, index) => {
    const state = index < step ? 'passed' : index === step ? 'decided' : 'unasked';
    const words = { passed, decided, unasked }[state];
    const text = state === 'decided' ? isolatedProse(says) : one.passed;
    return make('li', { class: state }, make('span', { class: 'sr' }, `${words}: `), text);
  });
  return make('div', {}, make('h4', {}, steps), make('ol', { class: 'steps' }, ...items));
}
