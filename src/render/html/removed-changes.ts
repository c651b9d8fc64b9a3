import type { DroppedClass } from '../../model/plan/plan.ts';
import { counted } from '../words/phrase.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';
import type { PlanView } from '../view/view.ts';
import { CAUSE_WORDS, TASK_WORDS } from '../words/terms.ts';
import { planTime } from '../words/review/review-words.ts';
import { reasonWords } from '../words/reasons.ts';
import { countCell, dataTable, type TableRow } from './data-table.ts';
import { pageSection } from './page-head.ts';
import { named, numberHtml, placed, policyName, prose, writtenBy } from './said.ts';

const asItIs = (text: string): string => text;

/** How many classes are listed; the plan as JSON has all of them. */
const LISTED = 40;

/** How many changed lines and commits of a class are named. */
const LINES_NAMED = 6;
const COMMITS_NAMED = 3;

/**
 * Changes of the base that these documents no longer request: by task and policy, with their line
 * in the base.
 */
export function removedChangesHtml(view: PlanView): HtmlText {
  const { base } = view;
  if (!base || base.gone.length === 0) return markup``;
  const { gone, ref, commit } = base;
  const total = gone.reduce((sum, { count }) => sum + count, 0);
  const rest = gone.slice(LISTED).reduce((sum, { count }) => sum + count, 0);
  const rows = gone.slice(0, LISTED).map((each) => removedChangeRow(each, view));
  const others: TableRow = { cells: [countCell(rest), markup`of other policies`] };
  const table = dataTable({
    label: 'Changes removed from the plan',
    kind: 'gone',
    columns: [
      { title: 'Devices', isNumber: true },
      { title: 'Task' },
      { title: 'Policy' },
      { title: 'Reason at the base' },
      { title: 'Reason now' },
      { title: 'Which' },
    ],
    rows: rest > 0 ? [...rows, others] : rows,
  });
  const about = markup`<p class="about">${named(ref)} <code>${htmlText(commit.slice(0, 12))}</code> has these changes;
these documents do not. The table of all changes does not list them.</p>`;
  return pageSection(
    'gone-title',
    'Removed from the plan',
    markup`${about}${table}`,
    numberHtml(total),
  );
}

function removedChangeRow(
  { task, at, cause, reason, lines = [], count, devices }: DroppedClass,
  view: PlanView,
): TableRow {
  const left = count - devices.length;
  const names = devices.map(
    ({ id, name }, n) => markup`${n > 0 ? markup`, ` : markup``}${named(name ?? id)}`,
  );
  const changed = lines.slice(0, LINES_NAMED).map((place) => markup`${placed(place)} `);
  const authors = view
    .originsOf({ places: [], lines })
    .slice(0, COMMITS_NAMED)
    .map((origin) => markup`<div>${writtenBy(origin)}</div>`);
  const why = prose(reasonWords(reason, { ...planTime(view), sink: asItIs }).summary);
  const others = left > 0 ? markup` and ${htmlText(counted(left, 'other device'))}` : markup``;
  return {
    cells: [
      countCell(count),
      htmlText(TASK_WORDS[task]),
      markup`${policyName(at.policy)} ${placed(at)}`,
      htmlText(CAUSE_WORDS[cause]),
      markup`<div>${why}<div>${changed}</div>${authors}</div>`,
      markup`<span>${names}${others}</span>`,
    ],
  };
}
