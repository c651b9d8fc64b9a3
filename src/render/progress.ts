import { drawBars, startBars } from './bars.ts';
import { createLines, unrecordedText, type Draw } from './lines.ts';
import type { Look } from './snippet.ts';

/**
 * Progress as it happens: on a terminal a block of bars that is written over, elsewhere a plain
 * line for what is worth one. It keeps what it has seen and nothing else: the same events give the
 * same text.
 */
export function createProgress(options: Look & { readonly tty: boolean }): Draw {
  if (!options.tty) return createLines();
  const bars = startBars();
  let drawn = 0;
  return (event, now) => {
    bars.take(event);
    const lines = drawBars(bars.state(), now, options);
    const back = drawn === 0 ? '' : `\u001b[${drawn}A`;
    if (event.kind === 'unrecorded') {
      drawn = 0;
      return `${back}\u001b[J${unrecordedText(event)}\n`;
    }
    const gone = '\u001b[2K\n'.repeat(Math.max(0, drawn - lines.length));
    const up = gone === '' ? '' : `\u001b[${drawn - lines.length}A`;
    drawn = lines.length;
    return `${back}${lines.map((line) => `\u001b[2K${line}\n`).join('')}${gone}${up}`;
  };
}
