import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import { cut, pad, textWidth } from '../sinks/width.ts';
import type { PlotBlock } from '../tree.ts';
import { counted, grouped } from '../words/phrase.ts';
import { stepWords } from '../words/review/rehearsal-words.ts';

/** How many lanes a terminal has. */
const DRAWN = 12;

const MARKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** The counts of a plot as lines of a terminal: a mark for each few steps, as high as the most in them beside the most of all. */
export function* plotLines(
  { groups, step = 0 }: PlotBlock,
  width: number,
): Generator<TerminalText> {
  const plots = groups
    .flatMap(({ lanes }) => lanes)
    .flatMap(({ name, counts }) =>
      counts ? [{ name: terminal(name), counts, most: Math.max(0, ...counts) }] : [],
    );
  const drawn = plots.slice(0, DRAWN);
  if (drawn.length === 0) return;
  const names = Math.min(20, Math.max(...drawn.map(({ name }) => textWidth(name))));
  const columns = Math.max(10, width - names - 10);
  const perMark = Math.max(1, Math.ceil((plots[0]?.counts.length ?? 1) / columns));
  yield terminal(`  ${stepWords(step * perMark)}`);
  const top = Math.max(...plots.map(({ most }) => most));
  for (const { name, counts, most } of drawn) {
    const bar = terminal(`${grouped(most).padStart(5)} ${drawBar(counts, perMark, top)}`);
    yield say`  ${pad(cut(name, names), names)}  ${bar}`;
  }
  if (plots.length > DRAWN) yield terminal(`  and ${counted(plots.length - DRAWN, 'more site')}`);
}

function drawBar(counts: readonly number[], perMark: number, top: number): string {
  let bar = '';
  for (let from = 0; from < counts.length; from += perMark) {
    const most = counts.slice(from, from + perMark).reduce((max, each) => Math.max(max, each), 0);
    bar += MARKS[Math.ceil((most / Math.max(1, top)) * (MARKS.length - 1))] ?? '';
  }
  return bar.trimEnd();
}
