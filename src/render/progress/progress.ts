import { terminal } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import { wrapMessage } from '../sinks/wrap.ts';
import { drawBars, startBars } from './bars.ts';
import { createLines, lastingText, type Draw } from './lines.ts';
import { followReadingRate } from './reading-rate.ts';

/**
 * Progress during a command: a block of bars on a terminal, which is redrawn; plain lines for
 * important events elsewhere. It depends on the events alone: the same events give the same text.
 * If other output was written meanwhile, the block starts again below it.
 */
export function createProgress(
  options: TextStyle & { readonly tty: boolean; readonly isInterrupted?: () => boolean },
): Draw {
  if (!options.tty) return createLines();
  const bars = startBars();
  const followReads = followReadingRate();
  let drawn = 0;
  return (event, now) => {
    const { ahead, left } = event.kind === 'facts' ? followReads(event, now) : {};
    bars.take(event, now, left);
    if (options.isInterrupted?.()) drawn = 0;
    const lines = drawBars(bars.state(), now, options);
    const back = drawn === 0 ? '' : `\u001b[${drawn}A`;
    const lasting = ahead ?? lastingText(event);
    if (lasting !== undefined) {
      drawn = 0;
      return `${back}\u001b[J${wrapMessage(terminal(lasting), options.width)}\n`;
    }
    const cleared = '\u001b[2K\n'.repeat(Math.max(0, drawn - lines.length));
    const up = cleared === '' ? '' : `\u001b[${drawn - lines.length}A`;
    drawn = lines.length;
    return `${back}${lines.map((line) => `\u001b[2K${line}\n`).join('')}${cleared}${up}`;
  };
}
