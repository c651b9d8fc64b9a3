import { moment } from '../words/moment.ts';
import { counted } from '../words/phrase.ts';
import { htmlText, markup, type HtmlText } from '../sinks/sinks.ts';
import type { Timeline } from '../view/timeline.ts';
import { length, xOf, type Scale } from './axis.ts';
import { LABELS, WIDTH } from './lane.ts';
import { waveLanes } from './wave-lanes.ts';
import { freezesIn, windowLanes } from './window-lanes.ts';

/** Room above everything, for the word at the line of now. */
const TOP = 12;

/**
 * The waves of each policy with their soaks under an axis in UTC, then the windows that changes go
 * by and the freezes, those of each time zone under an axis by its own clocks.
 */
export function timelineDrawing(timeline: Timeline): HtmlText {
  const { from, to } = timeline;
  const scale: Scale = {
    from: from - (to - from) * 0.03,
    now: from,
    to: to + (to - from) * 0.02,
    left: LABELS,
    width: WIDTH - LABELS - 10,
  };
  const waves = waveLanes(timeline.waves, scale, TOP);
  const windows = windowLanes(timeline.windows, scale, waves.y);
  const now = length(xOf(from, scale));
  const height = length(windows.y - 6);
  return markup`<svg class="timeline" viewBox="0 0 ${WIDTH} ${height}" role="img"
aria-labelledby="timeline-name timeline-about">
<title id="timeline-name">Waves, windows and freezes</title>
<desc id="timeline-about">${htmlText(aboutText(timeline))} The table below says the same.</desc>
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse"
patternTransform="rotate(45)"><rect class="ground" width="6" height="6"/><rect class="stripe"
width="2.5" height="6"/></pattern></defs>
${waves.pieces}${windows.pieces}
<line class="now" x1="${now}" y1="12" x2="${now}" y2="${height}"/>
<text class="now" x="${now}" y="9" text-anchor="middle">now</text>
</svg>`;
}

function aboutText({ waves, windows, from, to }: Timeline): string {
  const parts = [
    counted(waves.length, 'wave'),
    counted(windows.length, 'window'),
    counted(freezesIn(windows).length, 'freeze'),
  ];
  return `${parts.join(', ')}, from ${moment(from)} to ${moment(to)}.`;
}
