import type { WorldError } from '../../model/error.ts';
import { tint, type Colour } from '../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import type { Look } from '../sinks/snippet.ts';
import { wrap } from '../sinks/width.ts';
import { BUG_NEXT, BUG_SAYS } from '../words/commands.ts';
import { errorWords } from '../words/errors.ts';

/** A failure of the world as text: code, what happened, and what to do next. */
export function errorText(error: Pick<WorldError, 'code' | 'params'>, look: Look): string {
  const words = errorWords(error.code, error.params);
  const title = say`error[${terminal(error.code)}]:`;
  return [
    ...titled(title, words.summary, look),
    ...(words.detail ? wrap(say`  ${words.detail}`, look.width, 2) : []),
    ...wrap(say`  next: ${words.next}`, look.width, 8).map((line) =>
      tint(look.paint, 'cyan', line),
    ),
  ].join('\n');
}

/** A broken promise of our own as text, with its trace, and whom to tell. */
export function bugText(trace: string, look: Look): string {
  return [
    ...titled(say`bug:`, terminal(BUG_SAYS), look),
    ...trace.split('\n').map((line) => tint(look.paint, 'dim', say`  ${terminal(line)}`)),
    ...wrap(say`  next: ${terminal(BUG_NEXT)}`, look.width, 8),
  ].join('\n');
}

/** A coloured title and a sentence behind it, wrapped. */
export function titled(
  title: TerminalText,
  sentence: TerminalText,
  look: Look,
  colour: Colour = 'red',
): readonly TerminalText[] {
  const [first = title, ...more] = wrap(say`${title} ${sentence}`, look.width, 2);
  return [first.replace(title, () => tint(look.paint, colour, title)) as TerminalText, ...more];
}
