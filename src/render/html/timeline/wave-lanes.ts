import { UTC } from '../../words/local.ts';
import { moment, type PageTime } from '../../words/moment.ts';
import { counted, grouped } from '../../words/phrase.ts';
import type { HtmlText } from '../../sinks/sinks.ts';
import { htmlText, markup } from '../../sinks/html-sink.ts';
import type { WaveBar } from '../../view/timeline.ts';
import { axis, type Scale } from './axis.ts';
import { AXIS, bar, heading, LANE, laneLabel, left, type Drawn } from './lane.ts';
import { HELD_WORDS } from '../words.ts';

/** How many lanes one drawing has; the table has the rest. */
const LANES = 40;

/** The drawn width of a wave's start, since its duration is unknown. */
const START = 3_600_000;

interface Axis {
  readonly scale: Scale;
  readonly page: PageTime;
}

/** The waves of each policy as lanes under an axis in the time of the page: the start, then the soak. */
export function waveLanes(waves: readonly WaveBar[], drawn: Axis, start: number): Drawn {
  const { clock = UTC } = drawn.page;
  if (waves.length === 0) return { pieces: [], y: start };
  const pieces: HtmlText[] = [];
  let y = start + AXIS;
  let policy: string | undefined;
  for (const wave of waves.slice(0, LANES)) {
    if (wave.policy !== policy && wave.wave !== '') {
      pieces.push(heading(wave.policy, y + 14, markup`policy`));
      y += 20;
    }
    policy = wave.policy;
    pieces.push(lane(wave, drawn, y));
    y += LANE;
  }
  const more = waves.length - LANES;
  if (more > 0) pieces.push(left(`and ${grouped(more)} more: see the table`, y));
  if (more > 0) y += 22;
  const ticks = axis(clock, drawn.scale, { y: start + 14, to: y });
  return {
    pieces: [heading(clock.zone, start + 14, markup`zone`), ...ticks, ...pieces],
    y: y + 14,
  };
}

function lane(wave: WaveBar, { scale, page }: Axis, y: number): HtmlText {
  const { from, last, to, soak } = wave;
  const held = wave.held ? markup` held` : markup``;
  const soaking = soak === undefined ? undefined : { open: from, close: to };
  const times = `from ${moment(from, page)} until ${moment(to, page)}`;
  const work = { open: from, close: Math.min(to, last + START) };
  return markup`${laneLabel(wave.wave || wave.policy, aboutWave(wave), y)}<g>
<title>${htmlText(`${wave.policy} ${wave.wave}: ${aboutWave(wave)}, ${times}`)}</title>
${(soaking && bar(soaking, scale, { y, kind: markup`soak${held}` })) ?? markup``}
${bar(work, scale, { y, kind: markup`wave${held}` }) ?? markup``}</g>`;
}

/** `5 changes, soak 24h` */
function aboutWave({ changes, soak, held }: WaveBar): string {
  const parts = [
    counted(changes, 'change'),
    ...(soak === undefined ? [] : [`soak ${soak}`]),
    ...(held ? [HELD_WORDS[held]] : []),
  ];
  return parts.join(', ');
}
