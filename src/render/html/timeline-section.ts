import { clockOf, localMoment } from '../local.ts';
import { moment } from '../moment.ts';
import { htmlText, markup, type HtmlText } from '../sinks.ts';
import { timelineOf, type WaveBar, type WindowMark } from '../timeline.ts';
import type { PlanView } from '../view.ts';
import { named, number } from './said.ts';
import { timelineDrawing } from './timeline-drawing.ts';

/** Rows of each table; the plan as JSON has all waves and windows. */
const ROWS = 200;

/** When waves may start and windows open, drawn; and the same as tables. */
export function timelineHtml(view: PlanView): HtmlText {
  const timeline = timelineOf(view);
  const { waves, windows } = timeline;
  if (waves.length === 0 && windows.length === 0) return markup``;
  return markup`<section aria-labelledby="timeline-title">
<h2 id="timeline-title">Waves and windows</h2>
<p class="about">At the earliest: failures, budgets and closed windows in between make it later.</p>
<div class="wide" role="region" aria-label="Drawing of waves and windows" tabindex="0">
${timelineDrawing(timeline)}</div>
<details class="plain"><summary>The same as a table</summary>
<div class="wide" role="region" aria-label="Waves and windows as a table"
tabindex="0">${waveTable(waves)}${windowTable(windows)}</div></details>
</section>`;
}

function waveTable(waves: readonly WaveBar[]): HtmlText {
  if (waves.length === 0) return markup``;
  const rows = waves.slice(0, ROWS).map(
    ({ policy, wave, changes, from, to }) =>
      markup`<tr><th scope="row">${named(policy)}</th><td>${named(wave)}</td>
<td class="n">${number(changes)}</td><td>${htmlText(moment(from))}</td><td>${htmlText(moment(to))}</td></tr>
`,
  );
  return markup`<table><thead><tr><th scope="col">Policy</th><th scope="col">Wave</th>
<th scope="col" class="n">Changes</th><th scope="col">From</th><th scope="col">Until</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function windowTable(windows: readonly WindowMark[]): HtmlText {
  if (windows.length === 0) return markup``;
  const rows = windows.slice(0, ROWS).map(({ name, zone, opens, changes }) => {
    const clock = clockOf(zone ?? '');
    const local = clock ? htmlText(localMoment(opens, clock)) : markup``;
    return markup`<tr><th scope="row">${named(name)}</th><td>${named(zone ?? '')}</td><td>${local}</td>
<td>${htmlText(moment(opens))}</td><td class="n">${number(changes)}</td></tr>
`;
  });
  return markup`<table><thead><tr><th scope="col">Window</th><th scope="col">Time zone</th>
<th scope="col">Opens there</th><th scope="col">In UTC</th><th scope="col" class="n">Changes</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}
