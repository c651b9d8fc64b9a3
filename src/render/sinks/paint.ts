import type { TerminalText } from './sinks.ts';

export const COLOURS = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;
export type Colour = (typeof COLOURS)[number];

/** Colors from the shell; without colors, each function returns its text unchanged. */
export type Paint = Readonly<Record<Colour, (text: string) => string>>;

/** Paints without colors. */
export const PLAIN: Paint = {
  bold: (text) => text,
  dim: (text) => text,
  red: (text) => text,
  green: (text) => text,
  yellow: (text) => text,
  cyan: (text) => text,
};

/** Colors a safe text; the result is safe, since the color codes are ours. */
export function tint(paint: Paint, colour: Colour, text: TerminalText): TerminalText {
  return paint[colour](text) as TerminalText;
}
