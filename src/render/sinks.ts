declare const format: unique symbol;

/** Text that went through the sink of one format; nothing else may be written in that format. */
export type Safe<Format extends string> = string & { readonly [format]: Format };
export type TerminalText = Safe<'terminal'>;
export type CsvText = Safe<'csv'>;
export type CiText = Safe<'ci'>;

/**
 * What a sink is before it is known which: words interpolate parameters through the one they are
 * given.
 */
export type Sink = (text: string) => string;

/**
 * Controls, formats (bidi, zero width, tags), lone surrogates, private use, line and paragraph
 * separators, and everything else that a terminal draws as nothing or obeys.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** `\u{` in the data itself, so that what is shown can always be told from what was escaped. */
const LITERAL_ESCAPE = /\\(?=u\{)/g;

/** What a CI runner obeys: `::name` where a word starts, `##[` and `##vso[` anywhere. */
const COMMAND_START = /(?<=^|\s)::/g;
const COMMAND_ANYWHERE = /#(?=#(?:\[|vso))/g;

/**
 * Text for a terminal (T01): one line, no control, bidi or invisible character; each is shown as
 * `\u{..}`. As logs of CI are terminals too, a word of the data never starts a workflow command.
 */
export function terminal(text: string): TerminalText {
  return visible(text)
    .replace(COMMAND_START, ':\\u{3a}')
    .replace(COMMAND_ANYWHERE, '\\u{23}') as TerminalText;
}

/**
 * A cell of a CSV file (T04): a text that a spreadsheet would calculate gets an apostrophe; quoted
 * where need be.
 */
export function csvCell(text: string): CsvText {
  const shown = visible(text);
  const inert = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20|%]/u.test(shown) ? `'${shown}` : shown;
  const quoted = /[",;']|^\s|\s$/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
  return quoted as CsvText;
}

/**
 * Text for a line that CI reads for commands (T03): no `::` and no `##[` from data, wherever they
 * stand.
 */
export function ciLine(text: string): CiText {
  return visible(text)
    .replace(/:(?=:)/g, '\\u{3a}')
    .replace(COMMAND_ANYWHERE, '\\u{23}') as CiText;
}

/**
 * A template whose literal parts are ours and whose values went through the sink: the way to
 * compose lines.
 */
export function say(
  literals: TemplateStringsArray,
  ...values: readonly (TerminalText | number)[]
): TerminalText {
  return String.raw({ raw: literals }, ...values) as TerminalText;
}

/** Joins safe pieces with a separator of ours. */
export function join(pieces: readonly TerminalText[], separator: string): TerminalText {
  return pieces.join(separator) as TerminalText;
}

/** JSON text of plain data: a parser gets every character back, a terminal obeys none of them. */
export function jsonText(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(HIDDEN, (found) =>
    found === '\n' ? found : escapedUnits(found),
  );
}

function visible(text: string): string {
  return text
    .replace(LITERAL_ESCAPE, '\\u{5c}')
    .replace(HIDDEN, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

function escapedUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
