import type { Instant } from '../../../lib/time.ts';
import { zoneClock, UTC } from '../../words/local.ts';
import { moment } from '../../words/moment.ts';
import { counted } from '../../words/phrase.ts';
import { type HtmlText } from '../../sinks/sinks.ts';
import { htmlText, markup } from '../../sinks/html-sink.ts';
import type { FreezeRow, TimeSpan, WindowRow } from '../../view/opening.ts';
import type { WaveBar } from '../../view/timeline.ts';
import { named, numberHtml, placed } from '../said.ts';
import { freezeKind, spanText } from './window-lanes.ts';
import { HELD_WORDS } from '../words.ts';

/** Rows of each table, and spans of each window; the plan as JSON has all of them. */
const ROWS = 200;
const SPANS = 8;

/** When the waves of each policy may start, and how long each one soaks. */
export function waveTable(waves: readonly WaveBar[]): HtmlText {
  if (waves.length === 0) return markup``;
  const rows = waves.slice(0, ROWS).map(
    ({ policy, wave, changes, from, to, soak = '', held }) =>
      markup`<tr><th scope="row">${named(policy)}</th><td>${named(wave)}</td>
<td class="n">${numberHtml(changes)}</td><td>${htmlText(moment(from))}</td><td>${htmlText(soak)}</td>
<td>${htmlText(soak === '' ? '' : moment(to))}</td><td>${htmlText(held ? HELD_WORDS[held] : '')}</td></tr>
`,
  );
  return markup`<table><thead><tr><th scope="col">Policy</th><th scope="col">Wave</th>
<th scope="col" class="n">Changes</th><th scope="col">From</th><th scope="col">Soak</th>
<th scope="col">Until</th><th scope="col">Held</th></tr></thead>
<tbody>${rows}${more(waves.length, 7)}</tbody></table>`;
}

/** When windows are open, in local time and in UTC. */
export function windowTable(windows: readonly WindowRow[], now: Instant): HtmlText {
  if (windows.length === 0) return markup``;
  const rows = windows.slice(0, ROWS).map(({ name, zone, spans, changes, freezes, more: left }) => {
    const clock = zoneClock(zone ?? '') ?? UTC;
    const shown = spans.slice(0, SPANS);
    const others = spans.length - shown.length + left;
    const rest = others > 0 ? markup`, and ${htmlText(counted(others, 'time'))} more` : markup``;
    const times = shown.map((span) => spanText(span, clock)).join(', ');
    return markup`<tr><th scope="row">${named(name)}</th><td>${named(zone ?? '')}</td>
<td>${htmlText(times || 'at no time that is known')}${rest}</td><td>${htmlText(inUtc(spans[0], now))}</td>
<td>${named(freezes.map((freeze) => freeze.name).join(', '))}</td><td class="n">${numberHtml(changes)}</td></tr>
`;
  });
  return markup`<table><thead><tr><th scope="col">Window</th><th scope="col">Time zone</th>
<th scope="col">Open, by its clocks</th><th scope="col">Opens in UTC</th><th scope="col">Freezes</th>
<th scope="col" class="n">Changes</th></tr></thead>
<tbody>${rows}${more(windows.length, 6)}</tbody></table>`;
}

function inUtc(next: TimeSpan | undefined, now: Instant): string {
  if (!next) return '';
  return next.open <= now ? 'open now' : moment(next.open);
}

/** When freezes apply, why, and whom to ask. */
export function freezeTable(freezes: readonly FreezeRow[]): HtmlText {
  if (freezes.length === 0) return markup``;
  const rows = freezes.slice(0, ROWS).map((freeze) => {
    const { name, spans, note } = freeze;
    const times = spans.map((span) => spanText(span, UTC)).join(', ');
    return markup`<tr><th scope="row">${named(name)}</th><td>${htmlText(freezeKind(freeze))}</td>
<td>${htmlText(times)}</td><td>${named(note?.reason ?? '')}</td><td>${named(note?.owner ?? '')}</td>
<td>${named(note?.ticket ?? '')}</td><td>${note ? placed(note.at) : markup``}</td>
<td class="n">${note ? numberHtml(note.changes) : markup``}</td></tr>
`;
  });
  return markup`<table><thead><tr><th scope="col">Freeze</th><th scope="col">Kind</th>
<th scope="col">Holds, in UTC</th><th scope="col">Reason</th><th scope="col">Owner</th>
<th scope="col">Ticket</th><th scope="col">Written at</th><th scope="col" class="n">Changes</th></tr></thead>
<tbody>${rows}${more(freezes.length, 8)}</tbody></table>`;
}

function more(all: number, columns: number): HtmlText {
  if (all <= ROWS) return markup``;
  return markup`<tr><td colspan="${htmlText(String(columns))}">and ${numberHtml(all - ROWS)} more; the plan as
JSON has all of them</td></tr>`;
}
