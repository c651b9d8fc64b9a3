import { momentOf } from '../moment.ts';
import { htmlText, markup, type HtmlText } from '../sinks.ts';
import { timelineOf } from '../timeline.ts';
import type { PlanView } from '../view.ts';
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
  return markup`<section aria-labelledby="timeline-title">
<h2 id="timeline-title">When</h2>
<p class="about">At the earliest: failures and budgets make it later.${until}</p>
<ul class="legend" aria-hidden="true"><li class="wave">wave starts</li><li class="soak">soak</li>
<li class="window">window open</li>${freezes.length > 0 ? markup`<li class="freeze">freeze</li>` : markup``}</ul>
<div class="wide" role="region" aria-label="Drawing of waves and windows" tabindex="0">
${timelineDrawing(timeline)}</div>
<details class="plain"><summary>The same as a table</summary>
<div class="wide" role="region" aria-label="Waves and windows as a table"
tabindex="0">${waveTable(waves)}${windowTable(windows, from)}${freezeTable(freezes)}</div></details>
</section>`;
}
