import { harmless, type OnProgress } from '../model/progress.ts';
import { wrapMessage } from '../render/sinks/wrap.ts';
import { createProgress } from '../render/text/progress/progress.ts';
import { textStyle } from './output.ts';
import type { Shell } from './shell.ts';

/**
 * Shows the progress of a long command on stderr: bars on a terminal, plain lines elsewhere, nothing
 * with `--quiet`.
 */
export function showProgress(shell: Shell): OnProgress {
  if (shell.isQuiet) return () => undefined;
  const writes = (): number => (shell.err.writes ?? 0) + (shell.out.writes ?? 0);
  let ours = writes();
  const style = textStyle(shell.err, shell.env);
  const tty = shell.err.isTerminal;
  const draw = createProgress({ tty, isInterrupted: () => writes() !== ours, ...style });
  return harmless((event) => {
    const text = draw(event, shell.clock.now());
    if (text !== '') shell.err.write(tty ? text : wrapMessage(text, style.width));
    ours = writes();
  });
}
