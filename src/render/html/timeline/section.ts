import { moment, momentText, type PageTime } from '../../words/moment.ts';
import { planTime } from '../../words/review/review-words.ts';
import type { HtmlText } from '../../sinks/sinks.ts';
import { htmlText, markup } from '../../sinks/html-sink.ts';
import type { PlanTimeline } from '../../view/timeline.ts';
import type { PlanView } from '../../view/view.ts';
import { freezeTable, waveTable, windowTable } from './tables.ts';
import { freezesIn, windowLanes } from './window-lanes.ts';
import { counted } from '../../words/phrase.ts';
import { type Scale, axisPosition } from './axis.ts';
import { LABELS, WIDTH } from './lane.ts';
import { waveLanes } from './wave-lanes.ts';
import { fixed } from '../said.ts';

/**
 * The times at which waves may start, windows are open and freezes apply: as a drawing, and as
 * tables.
 */
export function timelineHtml(view: PlanView): HtmlText {
  const timeline = view.timeline;
  const page = planTime(view);
  const { waves, windows } = timeline;
  if (waves.length === 0 && windows.length === 0) return markup``;
  const freezes = freezesIn(windows);
  const until = view.hours
    ? markup` Windows are known to this plan until ${htmlText(momentText(view.hours.until, page))}.`
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
${timelineDrawing(timeline, page)}</div>
<details class="plain"><summary>The same as a table</summary>
${waveTable(waves, page)}${windowTable(windows, page)}${freezeTable(freezes, page)}</details>
</section>`;
}

/** Space at the top for the label of the current instant. */
const TOP = 12;

/**
 * The waves of each policy with their soaks under an axis in the time of the page, then the windows
 * and the freezes of each time zone under an axis in its local time.
 */
function timelineDrawing(timeline: PlanTimeline, page: PageTime): HtmlText {
  const { from, to } = timeline;
  const scale: Scale = {
    from: from - (to - from) * 0.03,
    now: from,
    to: to + (to - from) * 0.02,
    left: LABELS,
    width: WIDTH - LABELS - 10,
  };
  const waves = waveLanes(timeline.waves, { scale, page }, TOP);
  const windows = windowLanes(timeline.windows, scale, waves.y);
  const now = fixed(axisPosition(from, scale));
  const height = fixed(windows.y - 6);
  return markup`<svg class="timeline" viewBox="0 0 ${WIDTH} ${height}" role="img"
aria-labelledby="timeline-name timeline-about">
<title id="timeline-name">Waves, windows and freezes</title>
<desc id="timeline-about">${htmlText(aboutText(timeline, page))} The table below says the same.</desc>
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse"
patternTransform="rotate(45)"><rect class="ground" width="6" height="6"/><rect class="stripe"
width="2.5" height="6"/></pattern></defs>
${waves.pieces}${windows.pieces}
<line class="now" x1="${now}" y1="12" x2="${now}" y2="${height}"/>
<text class="now" x="${now}" y="9" text-anchor="middle">now</text>
</svg>`;
}

function aboutText({ waves, windows, from, to }: PlanTimeline, page: PageTime): string {
  const parts = [
    counted(waves.length, 'wave'),
    counted(windows.length, 'window'),
    counted(freezesIn(windows).length, 'freeze'),
  ];
  return `${parts.join(', ')}, from ${moment(from, page)} to ${moment(to, page)}.`;
}
