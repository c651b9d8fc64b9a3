import { stripVTControlCharacters } from 'node:util';
import { COLOURS, PLAIN, type Paint } from '../../src/render/sinks/paint.ts';

/** What every text has to fit. */
export const LOOK = { paint: PLAIN, width: 80 } as const;

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Colours as a terminal gets them. */
export const COLOURED: Paint = Object.fromEntries(
  COLOURS.map((colour) => [colour, (text: string) => `\u001b[${CODES[colour]}m${text}\u001b[0m`]),
) as unknown as Paint;

/** Text without its colours; whatever escape is left came from data. */
export function uncoloured(text: string): string {
  return stripVTControlCharacters(text);
}
