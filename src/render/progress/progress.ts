import { terminal } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import { wrapMessage } from '../sinks/wrap.ts';
import { drawBars, startBars } from './bars.ts';
import { createLines, lastingText, type Draw } from './lines.ts';
import { isPhase } from '../../model/progress.ts';
import { followReadingRate } from './reading-rate.ts';

/** Progress as text; `clear` takes away what a terminal shows of it. */
export interface Progress {
  readonly draw: Draw;
  readonly clear: () => string;
}

/**
 * Progress during a command: one block on a terminal, which is redrawn and gone before anything else is written;
 * elsewhere a few plain lines. It depends on the events alone: the same events give the same text.
 */
export function createProgress(options: TextStyle & { readonly tty: boolean }): Progress {
  if (!options.tty) return { draw: createLines(), clear: () => '' };
  const bars = startBars();
  const followReads = followReadingRate();
  let drawn = 0;
  const clear = (): string => {
    const text = drawn === 0 ? '' : `\u001b[${drawn}A\u001b[J`;
    drawn = 0;
    return text;
  };
  const draw: Draw = (event, now) => {
    const { ahead, left } = isPhase(event, 'details') ? followReads(event, now) : {};
    bars.take(event, now, left);
    const lasting = ahead ?? lastingText(event);
    if (lasting !== undefined)
      return `${clear()}${wrapMessage(terminal(lasting), options.width)}\n`;
    const lines = drawBars(bars.state(), now, options);
    const text = `${clear()}${lines.map((line) => `${line}\n`).join('')}`;
    drawn = lines.length;
    return text;
  };
  return { draw, clear };
}
