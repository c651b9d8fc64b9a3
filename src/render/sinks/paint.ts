import type { TerminalText } from './sinks.ts';

export const COLOURS = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;
export type Colour = (typeof COLOURS)[number];

/** Colours as the shell hands them in; where there is no colour each returns its text as it is. */
export type Paint = Readonly<Record<Colour, (text: string) => string>>;

/** Draws without colour. */
export const PLAIN: Paint = {
  bold: (text) => text,
  dim: (text) => text,
  red: (text) => text,
  green: (text) => text,
  yellow: (text) => text,
  cyan: (text) => text,
};

/** Colours a safe text, which stays safe: the colour is ours. */
export function tint(paint: Paint, colour: Colour, text: TerminalText): TerminalText {
  return paint[colour](text) as TerminalText;
}
