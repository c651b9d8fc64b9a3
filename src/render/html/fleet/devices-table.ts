import type { ReportRow, State } from '../../../model/report/fleet-report.ts';
import type { HtmlText } from '../../sinks/sinks.ts';
import { htmlText, markup } from '../../sinks/html-sink.ts';
import { STATE_WORDS } from '../../words/fleet/fleet-words.ts';
import { numberHtml } from '../said.ts';
import { DEVICE_COLUMNS, type DeviceColumn, type DevicePart } from './part-format.ts';

/** The placeholders that the script fills with the search, the lists and the table. */
export function devicesHtml(rows: number): HtmlText {
  const lists = DEVICE_COLUMNS.map(
    ([
      name,
      label,
    ]) => markup`<div class="field"><label for="f-${htmlText(name)}">${htmlText(label)}</label>
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

const ROWS = 4_096;

/** The devices of a report in parts; a value is sent once, with the first part that has it. */
export function* deviceParts(rows: readonly ReportRow[]): Generator<DevicePart> {
  const columns = DEVICE_COLUMNS.map(([name]) => ({ name, codes: new Map<string, number>() }));
  for (let from = 0; from < rows.length; from += ROWS) {
    const part = rows.slice(from, from + ROWS);
    const encoded = columns.map(({ name, codes }) => encode(name, part, codes));
    yield {
      ids: part.map((row) => String(row['device'])),
      names: part.map((row) => String(row['name'] ?? '')),
      codes: encoded.map(({ coded }) => coded),
      fresh: encoded.map(({ fresh }) => fresh),
    };
  }
}

function encode(
  name: DeviceColumn,
  rows: readonly ReportRow[],
  codes: Map<string, number>,
): { readonly coded: readonly number[]; readonly fresh: readonly string[] } {
  const fresh: string[] = [];
  const coded = rows.map((row) => {
    const text = valueText(name, row);
    const known = codes.get(text) ?? codes.size;
    if (known === codes.size) {
      codes.set(text, known);
      fresh.push(text);
    }
    return known;
  });
  return { coded, fresh };
}

function valueText(name: DeviceColumn, row: ReportRow): string {
  if (name === 'make') return `${String(row['vendor'] ?? '')} ${String(row['model'] ?? '')}`.trim();
  const text = String(row[name] ?? '');
  return name.endsWith('State') ? STATE_WORDS[text as State] : text;
}
