import { placed } from '../render/tree.ts';
import { wrapMessage } from '../render/sinks/wrap.ts';
import { print, textStyle } from './output.ts';
import type { Spoken } from './shell.ts';

/**
 * Writes messages for people on stderr, within its width. They are wrapped here and nowhere else; a
 * command in backticks stays whole, so that it can be copied. A file of its own, since a command that
 * has nothing to say does not load it.
 */
export function printMessages(shell: Spoken, texts: Iterable<string>): void {
  const { width } = textStyle(shell.err, shell.env);
  for (const text of texts) print(shell.err, [wrapMessage(placed(text, shell.place), width)]);
}
