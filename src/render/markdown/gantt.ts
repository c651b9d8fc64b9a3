import type { Instant } from '../../lib/time.ts';
import { grouped } from '../words/phrase.ts';
import { mermaid, type MermaidText } from '../sinks/sinks.ts';
import type { TimeSpan, WindowRow } from '../view/opening.ts';
import type { PlanTimeline, WaveBar } from '../view/timeline.ts';

/** How many waves a diagram has; the others are counted. Of windows and freezes, half as many. */
const DRAWN = 20;

/** Above this length there is no mark for each day. */
const FORTNIGHT = 14 * 86_400_000;

/**
 * The timeline as a Mermaid gantt: a section for each policy with its waves and their soaks, one
 * with the next span of each window, one with the freezes. Every name goes through its own sink,
 * and no line begins with a name: Mermaid would read a wave called "click" as a keyword.
 */
export function ganttLines({ waves, windows, from, to }: PlanTimeline): readonly MermaidText[] {
  const shown = waves.slice(0, DRAWN);
  const policies = [...new Set(shown.map(({ policy }) => policy))];
  const span = { open: from, close: to };
  const openings = windows.slice(0, DRAWN / 2).flatMap((row) => windowLine(row, span));
  const freezes = freezeLines(windows, span).slice(0, DRAWN / 2);
  const lines = [
    'gantt',
    '  dateFormat YYYY-MM-DDTHH:mm',
    '  axisFormat %b %d',
    `  tickInterval ${to - from > FORTNIGHT ? '1week' : '1day'}`,
    ...policies.flatMap((policy) => [
      `  section ${mermaid(policy)}`,
      ...shown.filter((bar) => bar.policy === policy).map(barLine),
    ]),
    ...(openings.length > 0 ? ['  section windows', ...openings] : []),
    ...(freezes.length > 0 ? ['  section freezes', ...freezes] : []),
    ...moreLines(waves.length - shown.length),
  ];
  return lines as MermaidText[];
}

function barLine({ wave, changes, from, to, soak }: WaveBar): string {
  const name = wave === '' ? 'all' : `wave ${mermaid(wave)}`;
  const soaks = soak === undefined ? '' : `, soak ${mermaid(soak)}`;
  return `    ${name}, ${count(changes)}${soaks} :${minute(from)}, ${minute(to)}`;
}

/** The span in which a window is open, or opens next; a window that is always open is left out. */
function windowLine({ name, zone, changes, spans }: WindowRow, seen: TimeSpan): readonly string[] {
  const [next] = spans;
  if (!next || (next.open <= seen.open && next.close >= seen.close)) return [];
  const where = zone === undefined ? '' : `, ${mermaid(zone)}`;
  return [`    window ${mermaid(name)}${where}, ${count(changes)} :active, ${clipped(next, seen)}`];
}

/**
 * Each freeze once for each time span; the spans differ if the freeze follows the zone of a site.
 */
function freezeLines(windows: readonly WindowRow[], seen: TimeSpan): readonly string[] {
  const lines = windows.flatMap(({ freezes }) =>
    freezes.flatMap(({ name, spans }) =>
      spans
        .filter(({ open, close }) => open < seen.close && close > seen.open)
        .map((span) => `    freeze ${mermaid(name)} :crit, ${clipped(span, seen)}`),
    ),
  );
  return [...new Set(lines)];
}

function clipped({ open, close }: TimeSpan, seen: TimeSpan): string {
  return `${minute(Math.max(open, seen.open))}, ${minute(Math.min(close, seen.close))}`;
}

function moreLines(left: number): readonly string[] {
  return left > 0 ? [`  %% and ${grouped(left)} more waves`] : [];
}

/** A colon would end the name of a task. */
function minute(instant: Instant): string {
  return new Date(instant).toISOString().slice(0, 16);
}

function count(changes: number): string {
  return `${changes} ${changes === 1 ? 'change' : 'changes'}`;
}
