import type { HtmlText } from '../sinks/sinks.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';
import { READ_IN_ORDER, type PlanView } from '../view/view.ts';
import {
  COLUMN_LABELS,
  FILTER_LABELS,
  GROUP_LABELS,
  type TableColumn,
  type FilterName,
} from './words.ts';
import { besideChangesWords, planClock, planInstant } from '../words/review/review-words.ts';
import { numberHtml } from './said.ts';

/**
 * The placeholders that the script fills with the search, the filters, the table and the details.
 * All are hidden until the script has read the changes.
 */
export function changesHtml(view: PlanView, rows: number): HtmlText {
  const { changes } = view.review;
  const { zone } = planClock(view);
  const now = htmlText(String(planInstant(view)));
  const beside = htmlText(besideChangesWords(changes, rows));
  const none = rows === 0 ? markup`<p>This plan has no changes.</p>` : markup``;
  return markup`<section id="changes" tabindex="-1" aria-labelledby="changes-title"
data-rows="${htmlText(String(rows))}" data-now="${now}" data-zone="${htmlText(zone)}">
<h2 id="changes-title">All changes <span class="number">${numberHtml(changes)}</span>${beside}</h2>
${none}
<p id="reading" role="status">The script of this page draws a table of all changes here. Where scripts are switched
off, <code>fleetform show FILE --all</code> lists the same changes from the saved plan.</p>
<div data-live hidden>
${tools()}
${chips(view)}
<p id="count" class="count" role="status" aria-live="polite"></p>
<p id="printed" class="printed"></p>
<div id="kinds" class="printed"></div>
<div class="split">
${table(rows, zone)}
${details()}
</div>
</div>
</section>`;
}

function tools(): HtmlText {
  const lists = (Object.keys(FILTER_LABELS) as FilterName[]).map(
    (name) =>
      markup`<div class="field"><label for="f-${htmlText(name)}">${htmlText(FILTER_LABELS[name])}</label>
<select id="f-${htmlText(name)}"></select></div>
`,
  );
  return markup`<form class="tools" role="search" aria-label="Changes">
<div class="field search"><label
for="search">Search names, IDs, sites, models, policies, reasons, values</label>
<input type="search" id="search" autocomplete="off" spellcheck="false"></div>
${lists}<button type="button" id="clear">Clear filters</button>
</form>`;
}

function chips({ base }: PlanView): HtmlText {
  if (!base) return markup``;
  const buttons = READ_IN_ORDER.map((group) => {
    const label = htmlText(GROUP_LABELS[group]);
    return markup`<button type="button" class="chip" aria-pressed="false"
data-group="${label}">${label}</button>`;
  });
  return markup`<div class="chips" role="group"
aria-label="Requested by, compared with the base">${buttons}</div>`;
}

function table(rows: number, zone: string): HtmlText {
  const labels = { ...COLUMN_LABELS, when: `${COLUMN_LABELS.when} (${zone})` };
  const heads = (Object.keys(COLUMN_LABELS) as TableColumn[]).map(
    (column) =>
      markup`<th scope="col" class="c-${htmlText(column)}" aria-sort="none" data-column="${htmlText(column)}">
<button type="button">${htmlText(labels[column])}<span class="arrow"
aria-hidden="true"></span></button></th>`,
  );
  return markup`<div id="scroller" class="scroller" tabindex="-1">
<table id="table" class="changes" aria-rowcount="${htmlText(String(rows + 1))}">
<caption class="sr">All changes.
The arrow keys move from row to row, Enter opens the details of one, Escape closes them.</caption>
<thead><tr aria-rowindex="1">${heads}</tr></thead>
<tbody id="above" aria-hidden="true" hidden><tr><td></td></tr></tbody>
<tbody id="rows"></tbody>
<tbody id="below" aria-hidden="true" hidden><tr><td></td></tr></tbody>
</table>
<p id="empty" class="empty" hidden>No changes match. Clear a filter to see more.</p>
</div>`;
}

function details(): HtmlText {
  return markup`<aside id="details" class="details" aria-labelledby="details-title" hidden>
<div class="bar"><h3 id="details-title" tabindex="-1"></h3>
<button type="button" id="previous" aria-label="Previous change">↑</button>
<button type="button" id="next" aria-label="Next change">↓</button>
<button type="button" id="close" aria-label="Close the details">✕</button></div>
<div id="details-body" role="region" aria-label="All about this change" tabindex="0"></div>
</aside>`;
}
