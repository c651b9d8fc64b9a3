import type { Action, ChangeGroup } from '../../model/plan/change.ts';
import type { ChangeClass, Spreads } from '../view/change-class.ts';
import { momentText, type PageTime } from '../words/moment.ts';
import { counted, grouped } from '../words/phrase.ts';
import { spreadText } from '../view/spread.ts';
import { mark, markdown, type MarkdownText } from '../sinks/sinks.ts';
import type { PlanView } from '../view/view.ts';
import { ACTION_WORDS, CAUSE_WORDS, GROUP_WORDS, RISK_WORDS, TASK_WORDS } from '../words/terms.ts';
import { passedText } from '../words/passed-words.ts';
import { reasonWords } from '../words/reasons.ts';
import { reasonLabel } from '../words/review/reason-labels.ts';
import { planTime } from '../words/review/review-words.ts';
import { groupBy, sumCounts } from '../../lib/group-by.ts';
import { authorText, cutTo, own, placesText, textLength } from './source-lines.ts';

/**
 * The classes of a plan as tables, one for each action and group, riskiest first. When the space
 * runs out, the rest of a table is one row with exact counts by task.
 * @param space maximum length of the tables in characters
 */
export function classRows(view: PlanView, space: number): readonly MarkdownText[] {
  const page = planTime(view);
  const tables = groupTables(view);
  const fixed = tables.map((table) => [...tableHead(table, view), restRow(table.classes), own('')]);
  const spare = space - fixed.reduce((sum, lines) => sum + textLength(lines), 0);
  if (spare < 0) return tables.flatMap((table) => [tableTitle(table, view), own('')]);
  const lines: MarkdownText[] = [];
  let left = spare;
  for (const table of tables) {
    const [rows, rest] = fitting(table.classes, { view, page, space: left });
    lines.push(
      ...tableHead(table, view),
      ...rows,
      ...(rest.length > 0 ? [restRow(rest)] : []),
      own(''),
    );
    left -= textLength(rows);
  }
  return lines;
}

interface Table {
  readonly action: Action;
  readonly group: ChangeGroup | undefined;
  readonly classes: readonly ChangeClass[];
}

function groupTables({ classes }: PlanView): readonly Table[] {
  const tables = new Map<
    string,
    { action: Action; group: ChangeGroup | undefined; classes: ChangeClass[] }
  >();
  for (const theClass of classes) {
    const { action, group } = theClass;
    const key = `${action} ${group ?? ''}`;
    const table = tables.get(key) ?? { action, group, classes: [] };
    table.classes.push(theClass);
    tables.set(key, table);
  }
  return [...tables.values()];
}

function tableHead(table: Table, view: PlanView): readonly MarkdownText[] {
  const head = [
    '',
    '| Devices | What | Before → after | Why | Line | By |',
    '| --: | :-- | :-- | :-- | :-- | :-- |',
  ];
  return [tableTitle(table, view), ...head.map(own)];
}

function tableTitle({ action, group, classes }: Table, { base }: PlanView): MarkdownText {
  const count = classes.reduce((sum, each) => sum + each.count, 0);
  const whose = base && group ? `, ${GROUP_WORDS[group]}` : '';
  const words = `${ACTION_WORDS[action]}: ${grouped(count)}${whose}`;
  return own(`**${words.charAt(0).toUpperCase()}${words.slice(1)}**`);
}

interface Fitting {
  readonly view: PlanView;
  readonly page: PageTime;
  readonly space: number;
}

/** The rows that fit, in order, and the others. */
function fitting(
  classes: readonly ChangeClass[],
  { view, page, space }: Fitting,
): readonly [readonly MarkdownText[], readonly ChangeClass[]] {
  const rows: MarkdownText[] = [];
  let left = space;
  for (const [index, theClass] of classes.entries()) {
    const row = classRow(theClass, view, page);
    left -= row.length + 1;
    if (left < 0) return [rows, classes.slice(index)];
    rows.push(row);
  }
  return [rows, []];
}

function classRow(theClass: ChangeClass, view: PlanView, page: PageTime): MarkdownText {
  const { task, count, risk } = theClass;
  const cells = [
    own(grouped(count)),
    mark`${own(TASK_WORDS[task])}, ${own(RISK_WORDS[risk])}${whereText(theClass)}`,
    editText(theClass),
    whyText(theClass, page),
    placesText(theClass),
    authorText(theClass, view),
  ];
  return own(`| ${cells.join(' | ')} |`);
}

/** A change without an action has no value after: the device stays unchanged. */
function editText({ before, after }: ChangeClass): MarkdownText {
  if (Object.keys(after).length === 0) return valuesText(before);
  return mark`${valuesText(before)} → ${valuesText(after)}`;
}

/** The sites and devices, and the digest that identifies the class in the saved plan. */
function whereText(theClass: ChangeClass): MarkdownText {
  const { sites, devices, count, digest, wave } = theClass;
  const [first] = sites;
  const named = devices.slice(0, 3).map(({ id, name }) => markdown(cutTo(name ?? id, 40)));
  const rest = count > named.length ? [own(`${grouped(count - named.length)} more`)] : [];
  const site =
    first === undefined || first.name === ''
      ? own('')
      : mark` on ${own(counted(sites.length, 'site'))}, ${markdown(cutTo(first.name, 40))} first`;
  const waveText = wave === undefined ? own('') : mark`, wave ${markdown(wave)}`;
  const list = own([...named, ...rest].join(', '));
  return mark`${waveText}<br>${list}${site} (${markdown(digest)})`;
}

function whyText(theClass: ChangeClass, page: PageTime): MarkdownText {
  const { reason, lastNext, action, cause, window, passes } = theClass;
  const { summary, next } = reasonWords(reason, { ...page, lastNext, sink: markdown });
  const passed = passes ? own(`; passes ${passedText(passes, markdown)}`) : own('');
  if (action === 'run') return mark`${own(CAUSE_WORDS[cause])}: ${summary}${passed}`;
  const opens =
    window?.opens === undefined ? own('') : own(`; window opens ${momentText(window.opens, page)}`);
  return mark`${summary}; ${next}${opens}${passed}`;
}

function valuesText(spreads: Spreads): MarkdownText {
  const parts = Object.entries(spreads).map(
    ([field, spread]) => mark`${markdown(cutTo(`${field}: ${spreadText(spread)}`, 160))}`,
  );
  return parts.length === 0 ? own('(none)') : own(parts.join('<br>'));
}

/** What does not fit: the exact count, and how many there are of each task and each reason. */
function restRow(rest: readonly ChangeClass[]): MarkdownText {
  const tasks = countsText(rest, ({ task }) => TASK_WORDS[task]);
  const reasons = countsText(rest, ({ reason }) => reasonLabel(reason));
  const count = grouped(sumCounts(rest));
  return own(`| ${count} | in ${counted(rest.length, 'more row')}: ${tasks} | | ${reasons} | | |`);
}

function countsText(
  classes: readonly ChangeClass[],
  nameOf: (theClass: ChangeClass) => string,
): string {
  const groups = [...groupBy(classes, nameOf)];
  return groups.map(([name, each]) => `${name} ${grouped(sumCounts(each))}`).join(', ');
}
