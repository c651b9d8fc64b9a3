import type { HtmlText } from '../../sinks/sinks.ts';
import { htmlText, markup } from '../../sinks/html-sink.ts';
import { numberHtml } from '../said.ts';
import { DEVICE_COLUMNS } from './part-format.ts';

/** The placeholders that the script fills with the search, the lists and the table. */
export function devicesHtml(rows: number): HtmlText {
  const lists = DEVICE_COLUMNS.map(
    ([name, label]) => markup`<div class="field"><label for="f-${htmlText(name)}">${htmlText(label)}</label>
<select id="f-${htmlText(name)}"></select></div>
`,
  );
  const heads = [['device', 'Device'] as const, ...DEVICE_COLUMNS].map(
    ([name, label], index) => markup`<th scope="col" class="c-${htmlText(name)}"
aria-sort="${htmlText(index === 0 ? 'ascending' : 'none')}"
data-column="${index - 1}"><button type="button">${htmlText(label)}<span class="arrow"
aria-hidden="true"></span></button></th>`,
  );
  const none = rows === 0 ? markup`<p>The fleet has no devices.</p>` : markup``;
  return markup`<section id="devices" tabindex="-1" aria-labelledby="devices-title"
data-rows="${htmlText(String(rows))}">
<h2 id="devices-title">All devices <span class="number">${numberHtml(rows)}</span></h2>
${none}
<p id="reading" role="status">The script of this page draws a table of all devices here. Where scripts are switched
off, <code>fleetform report compliance --format csv</code> and the other reports list them.</p>
<div data-live hidden>
<form class="tools" role="search" aria-label="Devices">
<div class="field search"><label for="search">Search names, IDs, sites, models, versions, states</label>
<input type="search" id="search" autocomplete="off" spellcheck="false"></div>
${lists}<button type="button" id="clear">Clear filters</button>
</form>
<p id="count" class="count" role="status" aria-live="polite"></p>
<div id="scroller" class="scroller" role="region" aria-label="Devices" tabindex="0">
<table id="table" class="changes devices" aria-rowcount="${htmlText(String(rows + 1))}">
<caption class="sr">All devices.</caption>
<thead><tr aria-rowindex="1">${heads}</tr></thead>
<tbody id="above" aria-hidden="true" hidden><tr><td></td></tr></tbody>
<tbody id="rows"></tbody>
<tbody id="below" aria-hidden="true" hidden><tr><td></td></tr></tbody>
</table>
<p id="empty" class="empty" hidden>No devices match. Clear a filter to see more.</p>
</div>
</div>
</section>`;
}
