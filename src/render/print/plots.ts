import { htmlText, markup } from '../sinks/html-sink.ts';
import { say, terminal, type HtmlText, type TerminalText } from '../sinks/sinks.ts';
import { cut, pad, textWidth } from '../sinks/width.ts';
import type { Plot, PlotsBlock } from '../tree.ts';
import { counted, grouped } from '../words/phrase.ts';
import { stepWords } from '../words/review/rehearsal-words.ts';

/** How many plots a terminal has. */
const DRAWN = 12;

const MARKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Plots as lines of a terminal: a mark for each few steps, as high as the most in them beside the most of all. */
export function* plotLines(
  { plots, step }: PlotsBlock,
  nameOf: (plot: Plot) => TerminalText,
  width: number,
): Generator<TerminalText> {
  const drawn = plots.slice(0, DRAWN);
  const names = Math.min(20, Math.max(...drawn.map((plot) => textWidth(nameOf(plot)))));
  const columns = Math.max(10, width - names - 10);
  const perMark = Math.max(1, Math.ceil((plots[0]?.counts.length ?? 1) / columns));
  yield terminal(`  ${stepWords(step * perMark)}`);
  const top = plots[0]?.most ?? 1;
  for (const plot of drawn) {
    const name = pad(cut(nameOf(plot), names), names);
    const most = grouped(plot.most).padStart(5);
    yield say`  ${name}  ${terminal(`${most} ${drawBar(plot, perMark, top)}`)}`;
  }
  if (plots.length > DRAWN) yield terminal(`  and ${counted(plots.length - DRAWN, 'more site')}`);
}

function drawBar({ counts }: Plot, perMark: number, top: number): string {
  let bar = '';
  for (let from = 0; from < counts.length; from += perMark) {
    const most = counts.slice(from, from + perMark).reduce((max, each) => Math.max(max, each), 0);
    bar += MARKS[Math.ceil((most / Math.max(1, top)) * (MARKS.length - 1))] ?? '';
  }
  return bar.trimEnd();
}

const BOX = { width: 600, height: 48 };

/** Plots of a page: one bar for each step. */
export function plotsHtml({ plots, step }: PlotsBlock, nameOf: (plot: Plot) => HtmlText): HtmlText {
  const top = plots[0]?.most ?? 1;
  const figures = plots.map(
    (
      plot,
    ) => markup`<figure><figcaption>${nameOf(plot)} <span class="number">${htmlText(grouped(plot.most))}</span></figcaption>
<svg viewBox="0 0 ${BOX.width} ${BOX.height}" preserveAspectRatio="none" aria-hidden="true"><path class="fill wait" d="${htmlText(barPath(plot, top))}"/></svg></figure>
`,
  );
  return markup`<p class="about">${htmlText(stepWords(step))}</p><div class="plots">${figures}</div>`;
}

function barPath({ counts }: Plot, top: number): string {
  const width = BOX.width / counts.length;
  const bars = counts.map((count, step) => {
    if (count === 0) return '';
    const height = (count / Math.max(1, top)) * BOX.height;
    const at = { x: (step * width).toFixed(2), y: (BOX.height - height).toFixed(2) };
    return `M${at.x} ${BOX.height}V${at.y}h${Math.max(1, width).toFixed(2)}V${BOX.height}z`;
  });
  return bars.join('');
}
