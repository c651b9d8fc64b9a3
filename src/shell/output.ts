import picocolors from 'picocolors';
import type { TextStyle } from '../render/sinks/snippet.ts';
import type { Output, Shell, Spoken } from './shell.ts';
import type { Block } from '../render/tree.ts';

/** The width of a stream that reports none: every text must fit a terminal of 80 columns. */
const DEFAULT_WIDTH = 80;

/** Colors on a terminal, or with `FORCE_COLOR`, but not with `NO_COLOR`; the width of the terminal, within limits. */
export function textStyle(output: Output, env: Shell['env']): TextStyle {
  const { NO_COLOR: off, FORCE_COLOR: force, TERM } = env;
  const isForced = force !== undefined && !['', '0', 'false'].includes(force);
  const colours = !off && (isForced || (output.isTerminal && TERM !== 'dumb' && force !== '0'));
  const { bold, dim, red, green, yellow, cyan } = picocolors.createColors(colours);
  const width = givenWidth(output, env) ?? DEFAULT_WIDTH;
  return { paint: { bold, dim, red, green, yellow, cyan }, width };
}

/** The width that cells of a table are cut to: only a terminal, or `COLUMNS`, gives one. */
export function cellWidth(output: Output, env: Shell['env']): number {
  return givenWidth(output, env) ?? Infinity;
}

function givenWidth({ isTerminal, columns }: Output, env: Shell['env']): number | undefined {
  const given = isTerminal ? columns : Number(env['COLUMNS']);
  return given > 0 ? Math.min(Math.max(given, 60), 160) : undefined;
}

/** The version of the JSON output; it changes when readers have to adapt. */
export const OUTPUT_VERSION = 1;

/**
 * Writes one JSON document in the form of every command: its version first. Who makes the value writes its instants
 * as RFC 3339: a number alone does not say whether it is one.
 */
export async function printJson(output: Output, value: object): Promise<void> {
  const { jsonText } = await import('../lib/json-text.ts');
  print(output, [jsonText({ version: OUTPUT_VERSION, ...value })]);
}

/** Writes sentences, each wrapped at the width of the output; a `next:` hangs below its colon. */
export async function printWrapped(
  { out, env }: Pick<Shell, 'out' | 'env'>,
  sentences: Iterable<string>,
): Promise<void> {
  const [{ terminal }, { wrap }] = await Promise.all([
    import('../render/sinks/sinks.ts'),
    import('../render/sinks/wrap.ts'),
  ]);
  const { width } = textStyle(out, env);
  for (const sentence of sentences) {
    const hang = /^ *next: /.exec(sentence)?.[0].length ?? 2;
    print(out, wrap(terminal(sentence), width, hang, 'whole'));
  }
}

/**
 * Writes blocks as text.
 * @param all of a command with `--all`: whether it is given
 * @param how the width of tables, where it is another, and what a reader does to see all
 */
export async function printBlocks(
  { out, env, place }: Pick<Shell, 'out' | 'env' | 'place'>,
  blocks: readonly Block[],
  all?: boolean,
  how: { readonly cells?: number; readonly allBy?: string } = {},
): Promise<void> {
  if (out.take) return out.take(blocks);
  const { printTerminal } = await import('../render/print/terminal.ts');
  const style = all === undefined ? {} : { all };
  print(out, printTerminal(blocks, { ...textStyle(out, env), ...how, ...style, place }));
}

/** Writes blocks as a message for people, on stderr. */
export async function sayBlocks(shell: Spoken, blocks: readonly Block[]): Promise<void> {
  await printBlocks({ ...shell, out: shell.err }, blocks);
}

/** Writes texts one after the other, each with a line end. */
export function print(output: Output, texts: Iterable<string>): void {
  for (const text of texts) output.write(text.endsWith('\n') ? text : `${text}\n`);
}
