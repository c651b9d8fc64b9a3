import { PLAN_COLUMNS, type PlanColumn } from '../../model/plan/actor.ts';
import { TASK_WORDS, originWords } from '../words/terms.ts';
import { grouped, counted } from '../words/phrase.ts';
import { reasonWords } from '../words/reasons.ts';
import { reasonLabel, REASON_LABELS } from '../words/review/reason-labels.ts';
import { wordOr } from '../words/entry.ts';
import {
  editWords,
  oldestWords,
  planClock,
  planTime,
  policyCells,
  policyColumns,
  startsTitle,
  sumRows,
  whenWords,
  type PolicyColumn,
} from '../words/review/review-words.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { htmlData, htmlText, markup } from '../sinks/html-sink.ts';
import type { ColumnTally, PolicyRow } from '../view/review.ts';
import type { NeedGroup } from '../view/needs.ts';
import { foldPolicies } from '../view/folded-policies.ts';
import { fitLines, foldRuns, type PolicyRun, type RunLine } from '../view/runs.ts';
import type { PlanView } from '../view/view.ts';
import {
  countCell,
  dataTable,
  NO_CELL,
  NO_VALUE,
  type TableCell,
  type DataColumn,
  type TableRow,
} from './data-table.ts';
import { pageSection } from './page-head.ts';
import { named, nextStep, numberHtml, placed, policyName, prose } from './said.ts';
import { GROUP_LABELS } from './words.ts';

/** How many policies the table lists, how many reasons, and how many lines of one policy. */
const POLICIES = 100;
const NEEDS = 30;
const LINES = 30;

/** How many policies and devices of a reason are named. */
const NAMED = 4;

const asItIs = (text: string): string => text;

/** A line for each policy: what starts when, what needs a person, and who requested it. */
export function policyTableHtml(view: PlanView): HtmlText {
  const { policies, totals } = view.review;
  if (policies.length === 0) return NO_CELL;
  const columns = policyColumns(view.review);
  const list = foldPolicies(policies, POLICIES);
  const sums = sumRows(list, totals).map(({ name, tally }) => {
    const cells: Partial<Record<PolicyColumn, TableCell>> = {
      policy: htmlText(name),
      ...tallyCells(tally),
    };
    return { cells: columns.map((column) => cells[column.name] ?? NO_CELL) };
  });
  const rows = list.listed.map((row) => policyRow(row, view));
  return dataTable({ label: 'Policies', kind: 'policies', columns, rows, sums });
}

function policyRow(row: PolicyRow, view: PlanView): TableRow {
  const show = htmlData({ policy: row.policy });
  const isCaused = view.base !== undefined && row.caused > 0;
  const [author] = view.originsOf(row);
  const { first, last, risk: level } = policyCells(row, view);
  const cells: Record<PolicyColumn, TableCell> = {
    policy: markup`<a href="#changes" data-show="${show}">${policyName(row.policy)}</a>`,
    ...tallyCells(row),
    first: valueCell(first),
    last: valueCell(last),
    risk: row.risk ? { html: htmlText(level), kind: `risk ${row.risk}` } : NO_VALUE,
    sites: countCell(row.sites),
    by: author ? named(originWords(author)) : NO_CELL,
  };
  return {
    cells: policyColumns(view.review).map(({ name }) => cells[name]),
    ...(isCaused && { kind: 'caused' }),
  };
}

function valueCell(text: string): HtmlText {
  return text === '-' ? NO_VALUE : htmlText(text);
}

function tallyCells(tally: ColumnTally): Readonly<Record<PlanColumn, TableCell>> {
  const cells = PLAN_COLUMNS.map(
    (column) => [column, { html: countCell(tally[column]), kind: column }] as const,
  );
  return Object.fromEntries(cells) as Record<PlanColumn, TableCell>;
}

/** What needs a person: each reason with its policies and the next step. */
export function needsHtml(view: PlanView): HtmlText {
  const { needs, totals } = view.review;
  if (needs.length === 0) return markup``;
  const more = needs.length - NEEDS;
  const rest = more > 0 ? markup`<li>and ${numberHtml(more)} more reasons</li>` : markup``;
  return markup`<section aria-labelledby="needs-title">
<h2 id="needs-title">Needs you <span class="number">${numberHtml(totals.person)}</span></h2>
<ul class="needs">${needs.slice(0, NEEDS).map((need) => needHtml(need, view))}${rest}</ul>
</section>`;
}

function needHtml(need: NeedGroup, view: PlanView): HtmlText {
  const { reason, first, count, policies, sites, classes } = need;
  const { summary, next } = reasonWords(reason, { ...planTime(view), sink: asItIs });
  const show = htmlData({ reason: wordOr(REASON_LABELS, reason.code) });
  const names = policies
    .slice(0, NAMED)
    .map(({ policy, count: each }) => `${policy} ${grouped(each)}`);
  const more = policies.length - names.length;
  const who = [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const devices = classes.flatMap((each) => each.devices);
  const isNamed = count <= NAMED && devices.length === count;
  const where = isNamed
    ? devices.map(({ id, name }) => name ?? id).join(', ')
    : counted(sites, 'site');
  return markup`<li><a href="#changes" data-show="${show}"><b>${numberHtml(count)}</b></a>
<div>${prose(summary + oldestWords(need, view))}<br>
<small>${named(who)} · ${named(where)} ${placed(first.at)}</small><br>
${nextStep(next)}</div></li>
`;
}

/** What starts now and later: each policy, then its waves in order. */
export function runsHtml(view: PlanView): HtmlText {
  const runs = foldRuns(view);
  if (runs.length === 0) return NO_CELL;
  const { zone } = planClock(view);
  const table = dataTable({
    label: 'What starts',
    kind: 'starts',
    columns: START_COLUMNS,
    rows: runs.flatMap((run) => runRows(run, view)),
  });
  const about = markup`<p class="about">Times in ${named(zone)}.</p>`;
  return pageSection('starts-title', startsTitle(view), markup`${about}${table}`);
}

const START_COLUMNS: readonly DataColumn[] = [
  { title: 'Devices', isNumber: true },
  { title: 'Wave' },
  { title: 'When' },
  { title: 'Why' },
  { title: 'Which' },
];

function runRows(run: PolicyRun, view: PlanView): readonly TableRow[] {
  const { row, lines, task } = run;
  const show = htmlData({ policy: row.policy, task: TASK_WORDS[task] });
  const { shown, more, changes } = fitLines(lines, LINES);
  const rest = markup`in ${htmlText(counted(more, 'more line'))}`;
  return [
    {
      spans: markup`<a href="#changes" data-show="${show}">${policyName(row.policy)}</a>
<span class="gist">${named(editWords(run))}</span>`,
    },
    ...shown.map((line) => lineRow(line, view)),
    ...(more > 0 ? [{ cells: [countCell(changes), NO_CELL, rest] }] : []),
  ];
}

function lineRow(line: RunLine, view: PlanView): TableRow {
  const { wave = '', count, shut, largest, devices, sites, column } = line;
  const why =
    column === 'now'
      ? reasonWords(largest.reason, { ...planTime(view), sink: asItIs }).summary
      : '';
  const label = why || reasonLabel(shut ? { code: 'waveNotOpen' } : largest.reason);
  const isNamed = count <= NAMED && devices.length === count;
  const which = isNamed
    ? devices.map(({ id, name }) => name ?? id).join(', ')
    : counted(sites.filter((site) => site !== '').length, 'site');
  return {
    cells: [
      countCell(count),
      wave === '' ? NO_CELL : named(wave),
      htmlText(whenWords(line, view, asItIs)),
      prose(label),
      named(which),
    ],
  };
}

/** The groups of a plan with a base, each linked to its changes. */
export function groupsHtml({ base }: PlanView, order: readonly (keyof typeof GROUP_LABELS)[]) {
  if (!base) return markup``;
  const items = order.map((group) => {
    const show = htmlData({ group: GROUP_LABELS[group] });
    return markup`<li><a href="#changes" data-show="${show}"><b>${numberHtml(base.counts[group])}</b>
${htmlText(GROUP_LABELS[group].toLowerCase())}</a></li>`;
  });
  return markup`<ul class="groups">${items}</ul>`;
}
