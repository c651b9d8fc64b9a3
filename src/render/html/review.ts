import type { PlanColumn } from '../../model/plan/actor.ts';
import { TASK_WORDS, originWords } from '../words/terms.ts';
import { grouped, counted } from '../words/phrase.ts';
import { reasonWords } from '../words/reasons.ts';
import { reasonLabel, REASON_LABELS } from '../words/review/reason-labels.ts';
import { wordOr } from '../words/entry.ts';
import {
  editWords,
  oldestWords,
  planClock,
  planInstant,
  policyCells,
  policyColumns,
  startsTitle,
  sumRows,
  tallyTexts,
  whenWords,
  type PolicyColumn,
  type TitledColumn,
} from '../words/review/review-words.ts';
import { type HtmlText } from '../sinks/sinks.ts';
import { htmlData, htmlText, markup } from '../sinks/html-sink.ts';
import type { ColumnTally, PolicyRow } from '../view/review.ts';
import type { NeedGroup } from '../view/needs.ts';
import { foldPolicies } from '../view/folded-policies.ts';
import { fitLines, foldRuns, type PolicyRun, type RunLine } from '../view/runs.ts';
import type { PlanView } from '../view/view.ts';
import { named, numberHtml, placed } from './said.ts';
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
  if (policies.length === 0) return markup``;
  const columns = policyColumns(view.review);
  const list = foldPolicies(policies, POLICIES);
  const sums = sumRows(list, totals).map(({ name, tally }) => {
    const cells: Cells = { policy: markup`<td>${htmlText(name)}</td>`, ...tallyCells(tally) };
    return markup`<tr>${columns.map((column) => cells[column.name] ?? markup`<td></td>`)}</tr>`;
  });
  return markup`<div class="wide" role="region" aria-label="Policies" tabindex="0"><table class="policies">
<thead><tr>${columns.map(titleCell)}</tr></thead>
<tbody>${list.listed.map((row) => policyRow(row, view))}</tbody>
<tfoot>${sums}</tfoot>
</table></div>`;
}

type Cells = Readonly<Partial<Record<PolicyColumn, HtmlText>>>;

function titleCell({ title, isNumber }: TitledColumn): HtmlText {
  return markup`
<th scope="col"${isNumber ? markup` class="n"` : markup``}>${htmlText(title)}</th>`;
}

function policyRow(row: PolicyRow, view: PlanView): HtmlText {
  const show = htmlData({ policy: row.policy });
  const isCaused = view.base !== undefined && row.caused > 0;
  const risk = row.risk ?? 'low';
  const [author] = view.originsOf(row);
  const { first, last, risk: level, sites } = policyCells(row, view);
  const cells: Required<Cells> = {
    policy: markup`<th scope="row"><a href="#changes" data-show="${show}">${named(row.policy)}</a></th>`,
    ...tallyCells(row),
    first: markup`<td>${htmlText(first)}</td>`,
    last: markup`<td>${htmlText(last)}</td>`,
    risk: markup`<td><span class="risk ${htmlText(risk)}">${htmlText(level)}</span></td>`,
    sites: markup`<td class="n">${htmlText(sites)}</td>`,
    by: markup`<td>${author ? named(originWords(author)) : markup``}</td>`,
  };
  const inOrder = policyColumns(view.review).map(({ name }) => markup`\n${cells[name]}`);
  return markup`<tr${isCaused ? markup` class="caused"` : markup``}>${inOrder}</tr>
`;
}

function tallyCells(tally: ColumnTally): Readonly<Record<PlanColumn, HtmlText>> {
  const cells = Object.entries(tallyTexts(tally)).map(
    ([column, text]) =>
      [column, markup`<td class="n ${htmlText(column)}">${htmlText(text)}</td>`] as const,
  );
  return Object.fromEntries(cells) as Record<PlanColumn, HtmlText>;
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
  const { first, count, policies, sites, classes } = need;
  const { summary, next } = reasonWords(first.reason, { now: planInstant(view), sink: asItIs });
  const show = htmlData({ reason: wordOr(REASON_LABELS, first.reason.code) });
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
<div>${htmlText(summary + oldestWords(need, view))}<br>
<small>${named(who)}; ${named(where)}; ${placed(first.at)}</small><br>
<strong>Next:</strong> ${htmlText(next)}</div></li>
`;
}

/** What starts now and later: each policy, then its waves in order. */
export function runsHtml(view: PlanView): HtmlText {
  const runs = foldRuns(view);
  if (runs.length === 0) return markup``;
  const { zone } = planClock(view);
  return markup`<section aria-labelledby="starts-title">
<h2 id="starts-title">${htmlText(startsTitle(view.review))}</h2>
<p class="about">Times in ${named(zone)}.</p>
<div class="wide" role="region" aria-label="What starts" tabindex="0"><table class="starts">
<thead><tr><th scope="col">Wave</th><th scope="col" class="n">Devices</th><th scope="col">When</th>
<th scope="col">Why</th><th scope="col">Which</th></tr></thead>
${runs.map((run) => runHtml(run, view))}</table></div>
</section>`;
}

function runHtml(run: PolicyRun, view: PlanView): HtmlText {
  const { row, lines, task } = run;
  const show = htmlData({ policy: row.policy, task: TASK_WORDS[task] });
  const { shown, more, changes } = fitLines(lines, LINES);
  const rest =
    more > 0
      ? markup`<tr><td></td><td class="n">${numberHtml(changes)}</td>
<td colspan="3">in ${htmlText(counted(more, 'more line'))}</td></tr>`
      : markup``;
  return markup`<tbody><tr class="head"><th scope="rowgroup" colspan="5">
<a href="#changes" data-show="${show}">${named(row.policy)}</a>
<span class="gist">${named(editWords(run))}</span></th></tr>
${shown.map((line) => lineHtml(line, view))}${rest}</tbody>
`;
}

function lineHtml(line: RunLine, view: PlanView): HtmlText {
  const { wave = '', count, shut, largest, devices, sites, column } = line;
  const why = column === 'now' ? reasonWords(largest.reason, { sink: asItIs }).summary : '';
  const label = shut ? '' : why || reasonLabel(largest.reason);
  const isNamed = count <= NAMED && devices.length === count;
  const which = isNamed
    ? devices.map(({ id, name }) => name ?? id).join(', ')
    : counted(sites.filter((site) => site !== '').length, 'site');
  return markup`<tr><td>${named(wave)}</td><td class="n">${numberHtml(count)}</td>
<td>${htmlText(whenWords(line, view, asItIs))}</td><td>${htmlText(label)}</td><td>${named(which)}</td></tr>
`;
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
