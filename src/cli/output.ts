import picocolors from 'picocolors';
import type { Paint } from '../render/paint.ts';
import type { Output, Shell } from './shell.ts';

/** Width where a stream does not say: a terminal of 80 columns is what every text has to fit. */
const DEFAULT_WIDTH = 80;

/** How texts for one stream are drawn. */
export interface Look {
  readonly paint: Paint;
  readonly width: number;
}

/** Colour only on a terminal and only where `NO_COLOR` is not set; as wide as the terminal, within reason. */
export function lookOf(output: Output, env: Shell['env']): Look {
  const colours = output.isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const { bold, dim, red, green, yellow, cyan } = picocolors.createColors(colours);
  const width = output.isTerminal ? Math.min(Math.max(output.columns, 60), 160) : DEFAULT_WIDTH;
  return { paint: { bold, dim, red, green, yellow, cyan }, width };
}

/** Writes texts one after the other, each with its line end. */
export function print(output: Output, texts: Iterable<string>): void {
  for (const text of texts) output.write(text.endsWith('\n') ? text : `${text}\n`);
}
