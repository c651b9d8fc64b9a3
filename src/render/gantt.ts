import { grouped } from './phrase.ts';
import { mermaid, type MermaidText } from './sinks.ts';
import type { Timeline, WaveBar, WindowMark } from './timeline.ts';

/** Bars and marks that a diagram draws; what is beyond is a number. */
const DRAWN = 40;

/**
 * The timeline as a Mermaid gantt: a section for each policy with its waves, and one with the next
 * openings of windows. Every name goes through the sink of its own.
 */
export function ganttLines({ waves, windows }: Timeline): readonly MermaidText[] {
  const shown = waves.slice(0, DRAWN);
  const policies = [...new Set(shown.map(({ policy }) => policy))];
  const lines = [
    'gantt',
    '  dateFormat YYYY-MM-DDTHH:mm',
    '  axisFormat %b %d',
    '  tickInterval 1day',
    ...policies.flatMap((policy) => [
      `  section ${mermaid(policy)}`,
      ...shown.filter((bar) => bar.policy === policy).map(barLine),
    ]),
    ...(windows.length > 0 ? ['  section windows', ...windows.slice(0, DRAWN).map(markLine)] : []),
    ...moreLines(waves.length - shown.length),
  ];
  return lines as MermaidText[];
}

function barLine({ wave, changes, from, to }: WaveBar): string {
  const name = wave === '' ? 'all' : wave;
  return `    ${mermaid(name)}, ${count(changes)} :${minute(from)}, ${minute(to)}`;
}

function markLine({ name, zone, opens, changes }: WindowMark): string {
  const where = zone === undefined ? '' : `, ${mermaid(zone)}`;
  const at = minute(opens);
  return `    ${mermaid(name)}${where}, ${count(changes)} :milestone, ${at}, 0d`;
}

function moreLines(left: number): readonly string[] {
  return left > 0 ? [`  %% and ${grouped(left)} more waves`] : [];
}

/** A colon would end the name of a task. */
function minute(instant: number): string {
  return new Date(instant).toISOString().slice(0, 16);
}

function count(changes: number): string {
  return `${changes} ${changes === 1 ? 'change' : 'changes'}`;
}
