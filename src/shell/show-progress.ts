import { harmless, type OnProgress } from '../model/progress.ts';
import { wrapMessage } from '../render/sinks/wrap.ts';
import { createProgress } from '../render/progress/progress.ts';
import { textStyle } from './output.ts';
import type { Shell } from './shell.ts';

/**
 * Shows the progress of a long command on stderr: bars on a terminal, plain lines elsewhere; with
 * `--quiet` only, and once, that the service does not answer: else that looks like a command that hangs.
 */
export function showProgress(shell: Shell): OnProgress {
  const writes = (): number => (shell.err.writes ?? 0) + (shell.out.writes ?? 0);
  let ours = writes();
  let isTold = false;
  const style = textStyle(shell.err, shell.env);
  const tty = shell.err.isTerminal && !shell.isQuiet;
  const draw = createProgress({ tty, isInterrupted: () => writes() !== ours, ...style });
  return harmless((event) => {
    const isUnanswered = event.kind === 'retrying' || event.kind === 'away';
    if (shell.isQuiet && (isTold || !isUnanswered)) return;
    isTold = true;
    const text = draw(event, shell.clock.now());
    if (text !== '') shell.err.write(tty ? text : wrapMessage(text, style.width));
    ours = writes();
  });
}
