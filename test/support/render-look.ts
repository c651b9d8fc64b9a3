import { stripVTControlCharacters } from 'node:util';
import { printTerminal } from '../../src/render/print/terminal.ts';
import { COLOURS, PLAIN, type Paint } from '../../src/render/sinks/paint.ts';
import type { Block } from '../../src/render/tree.ts';

/** What every text has to fit. */
export const LOOK = { paint: PLAIN, width: 80 } as const;

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Colours as a terminal gets them. */
export const COLOURED: Paint = Object.fromEntries(
  COLOURS.map((colour) => [colour, (text: string) => `\u001b[${CODES[colour]}m${text}\u001b[0m`]),
) as unknown as Paint;

/** Blocks in a terminal, each line with its end. */
export function shown(
  blocks: readonly Block[],
  style: Parameters<typeof printTerminal>[1] = LOOK,
): string {
  return [...printTerminal(blocks, style)].map((line) => `${line}\n`).join('');
}

/** Text without its colours; whatever escape is left came from data. */
export function uncoloured(text: string): string {
  return stripVTControlCharacters(text);
}
