import { harmless, type OnProgress } from '../model/progress.ts';
import { wrapMessage } from '../render/sinks/wrap.ts';
import { createProgress } from '../render/progress/progress.ts';
import { textStyle } from './output.ts';
import type { Shell } from './shell.ts';

/**
 * Shows the progress of a long command on stderr: a block on a terminal, which goes away before anything else is
 * written; a few plain lines elsewhere; with `--quiet` only, and once, that the service does not answer: else that
 * looks like a command that hangs.
 */
export function showProgress(shell: Shell): OnProgress {
  const { err, out, env, isQuiet = false, clock } = shell;
  let isTold = false;
  const style = textStyle(err, env);
  const tty = err.isTerminal && !isQuiet;
  const { draw, clear } = createProgress({ tty, ...style });
  let isOurs = false;
  const write = (text: string): void => {
    isOurs = true;
    if (text !== '') err.write(text);
    isOurs = false;
  };
  for (const output of [err, out]) output.before?.(() => isOurs || write(clear()));
  return harmless((event) => {
    shell.events?.take(event);
    const isUnanswered =
      event.type === 'waiting' && (event.reason === 'retrying' || event.reason === 'away');
    if (isQuiet && (isTold || !isUnanswered)) return;
    isTold = true;
    const text = draw(event, clock.now());
    write(tty ? text : wrapMessage(text, style.width));
  });
}
