import { momentOf } from '../words/moment.ts';
import { htmlText, markup, type HtmlText } from '../sinks/sinks.ts';
import { timelineOf } from '../view/timeline.ts';
import type { PlanView } from '../view/view.ts';
import { timelineDrawing } from './timeline-drawing.ts';
import { freezeTable, waveTable, windowTable } from './timeline-tables.ts';
import { freezesIn } from './window-lanes.ts';

/** When waves may start, windows are open and freezes hold, drawn; and the same as tables. */
export function timelineHtml(view: PlanView): HtmlText {
  const timeline = timelineOf(view);
  const { waves, windows, from } = timeline;
  if (waves.length === 0 && windows.length === 0) return markup``;
  const freezes = freezesIn(windows);
  const until = view.hours
    ? markup` Windows are known to this plan until ${htmlText(momentOf(view.hours.until))}.`
    : markup``;
  const drawn = [
    ['wave', 'wave starts', waves.length > 0],
    ['soak', 'soak', waves.some(({ soak }) => soak !== undefined)],
    ['window', 'window open', windows.length > 0],
    ['freeze', 'freeze', freezes.length > 0],
  ] as const;
  const legend = drawn
    .filter(([, , isThere]) => isThere)
    .map(([kind, text]) => markup`<li class="${htmlText(kind)}">${htmlText(text)}</li>`);
  return markup`<section aria-labelledby="timeline-title">
<h2 id="timeline-title">When</h2>
<p class="about">At the earliest: failures and budgets make it later.${until}</p>
<ul class="legend" aria-hidden="true">${legend}</ul>
<div class="wide" role="region" aria-label="Drawing of waves and windows" tabindex="0">
${timelineDrawing(timeline)}</div>
<details class="plain"><summary>The same as a table</summary>
<div class="wide" role="region" aria-label="Waves and windows as a table"
tabindex="0">${waveTable(waves)}${windowTable(windows, from)}${freezeTable(freezes)}</div></details>
</section>`;
}
