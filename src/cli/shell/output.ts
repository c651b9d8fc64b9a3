import picocolors from 'picocolors';
import { formatInstant, SMALLEST_INSTANT } from '../../lib/time.ts';
import type { TextStyle } from '../../render/sinks/snippet.ts';
import type { Output, Shell } from './shell.ts';

/** Width where a stream does not say: a terminal of 80 columns is what every text has to fit. */
const DEFAULT_WIDTH = 80;

/** Colour only on a terminal and only where `NO_COLOR` is not set; as wide as the terminal, within reason. */
export function styleOf(output: Output, env: Shell['env']): TextStyle {
  const colours = output.isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const { bold, dim, red, green, yellow, cyan } = picocolors.createColors(colours);
  const width = output.isTerminal ? Math.min(Math.max(output.columns, 60), 160) : DEFAULT_WIDTH;
  return { paint: { bold, dim, red, green, yellow, cyan }, width };
}

/** The form of what commands print as JSON; another number means that readers have to look again. */
export const OUTPUT_VERSION = 1;

/** Writes one JSON document, as every command does that prints JSON: its version first, instants as RFC 3339. */
export async function printJson(output: Output, value: object): Promise<void> {
  const { jsonText } = await import('../../render/sinks/sinks.ts');
  print(output, [jsonText({ version: OUTPUT_VERSION, ...(timed(value) as object) })]);
}

/** Every instant as RFC 3339; what the service answers is printed by `get`, as it is. */
function timed(value: unknown): unknown {
  if (typeof value === 'number') return value >= SMALLEST_INSTANT ? formatInstant(value) : value;
  if (Array.isArray(value)) return value.map(timed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, timed(member)]));
}

/** Writes texts one after the other, each with its line end. */
export function print(output: Output, texts: Iterable<string>): void {
  for (const text of texts) output.write(text.endsWith('\n') ? text : `${text}\n`);
}
