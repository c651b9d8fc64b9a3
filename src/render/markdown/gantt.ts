import type { Instant } from '../../lib/time.ts';
import { localDate, type ZoneClock } from '../words/local.ts';
import { grouped } from '../words/phrase.ts';
import { mermaid, type MermaidText } from '../sinks/sinks.ts';
import type { TimeSpan, WindowRow } from '../view/opening.ts';
import type { PlanTimeline, WaveBar } from '../view/timeline.ts';

/** How many waves a diagram has; the others are counted. Of windows and freezes, half as many. */
const DRAWN = 20;

/** Above this length there is no mark for each day. */
const FORTNIGHT = 14 * 86_400_000;

/**
 * The timeline as a Mermaid gantt in the local time of the plan: a section for each policy with its
 * waves and their soaks, one with the next span of each window, one with the freezes. Every name
 * goes through its own sink, and no line begins with a name: Mermaid would read a wave called
 * "click" as a keyword.
 */
export function ganttLines(
  { waves, windows, from, to }: PlanTimeline,
  clock: ZoneClock,
): readonly MermaidText[] {
  const drawing = { clock, seen: { open: from, close: to } };
  const shown = waves.slice(0, DRAWN);
  const policies = [...new Set(shown.map(({ policy }) => policy))];
  const openings = windows.slice(0, DRAWN / 2).flatMap((row) => windowLine(row, drawing));
  const freezes = freezeLines(windows, drawing).slice(0, DRAWN / 2);
  const lines = [
    'gantt',
    '  dateFormat YYYY-MM-DDTHH:mm',
    '  axisFormat %a %e %b',
    `  tickInterval ${to - from > FORTNIGHT ? '1week' : '1day'}`,
    ...policies.flatMap((policy) => [
      `  section ${mermaid(policy)}`,
      ...shown.filter((bar) => bar.policy === policy).map((bar) => barLine(bar, clock)),
    ]),
    ...(openings.length > 0 ? ['  section windows', ...openings] : []),
    ...(freezes.length > 0 ? ['  section freezes', ...freezes] : []),
    ...moreLines(waves.length - shown.length),
  ];
  return lines as MermaidText[];
}

function barLine({ wave, changes, from, to, soak }: WaveBar, clock: ZoneClock): string {
  const name = wave === '' ? 'all' : `wave ${mermaid(wave)}`;
  const soaks = soak === undefined ? '' : `, soak ${mermaid(soak)}`;
  return `    ${name}, ${count(changes)}${soaks} :${minute(from, clock)}, ${minute(to, clock)}`;
}

/** The span in which a window is open, or opens next; a window that is always open is left out. */
function windowLine(
  { name, zone, changes, spans }: WindowRow,
  drawing: Drawing,
): readonly string[] {
  const { seen } = drawing;
  const [next] = spans;
  if (!next || (next.open <= seen.open && next.close >= seen.close)) return [];
  const where = zone === undefined ? '' : `, ${mermaid(zone)}`;
  return [
    `    window ${mermaid(name)}${where}, ${count(changes)} :active, ${clipped(next, drawing)}`,
  ];
}

/**
 * Each freeze once for each time span; the spans differ if the freeze follows the zone of a site.
 */
function freezeLines(windows: readonly WindowRow[], drawing: Drawing): readonly string[] {
  const { seen } = drawing;
  const lines = windows.flatMap(({ freezes }) =>
    freezes.flatMap(({ name, spans }) =>
      spans
        .filter(({ open, close }) => open < seen.close && close > seen.open)
        .map((span) => `    freeze ${mermaid(name)} :crit, ${clipped(span, drawing)}`),
    ),
  );
  return [...new Set(lines)];
}

/** The time span of a diagram, and the clock that it is drawn by: Mermaid knows no time zones. */
interface Drawing {
  readonly seen: TimeSpan;
  readonly clock: ZoneClock;
}

function clipped({ open, close }: TimeSpan, { seen, clock }: Drawing): string {
  const [from, to] = [Math.max(open, seen.open), Math.min(close, seen.close)];
  return `${minute(from, clock)}, ${minute(to, clock)}`;
}

function moreLines(left: number): readonly string[] {
  return left > 0 ? [`  %% and ${grouped(left)} more waves`] : [];
}

/** A colon would end the name of a task. */
function minute(instant: Instant, clock: ZoneClock): string {
  return localDate(instant, clock).toISOString().slice(0, 16);
}

function count(changes: number): string {
  return `${changes} ${changes === 1 ? 'change' : 'changes'}`;
}
