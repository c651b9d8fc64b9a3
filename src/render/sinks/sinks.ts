declare const format: unique symbol;

/** Text that went through the sink of one format; nothing else may be written in that format. */
export type Safe<Format extends string> = string & { readonly [format]: Format };
export type TerminalText = Safe<'terminal'>;
export type CsvText = Safe<'csv'>;
export type CiText = Safe<'ci'>;
export type MarkdownText = Safe<'markdown'>;
export type MermaidText = Safe<'mermaid'>;
export type HtmlText = Safe<'html'>;

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
  return escapeInvisible(text)
    .replace(COMMAND_START, ':\\u{3a}')
    .replace(COMMAND_ANYWHERE, '\\u{23}') as TerminalText;
}

/** What a spreadsheet calculates where a cell begins with it. */
const FORMULA = '[=+\\-@\uff1d\uff0b\uff0d\uff20|%]';

/** The start of a cell, also for who parts at semicolons or bars: quotes do not hold there, nor do blanks. */
const CALCULATED = new RegExp(`(^\\s*|[;\uff1b|][\\s"']*)(?=${FORMULA})`, 'gu');

/**
 * A cell of a CSV file (T04): a text that a spreadsheet would calculate gets an apostrophe, wherever one
 * that parts at semicolons would see a cell begin; quoted where need be. A tab is shown, and parts nothing.
 */
export function csvCell(text: string): CsvText {
  const shown = escapeInvisible(text);
  const inert = shown.replace(CALCULATED, (start) =>
    start.trim() === '' ? `'${start}` : `${start}'`,
  );
  const quoted = /[",;']|^\s|\s$/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
  return quoted as CsvText;
}

/**
 * Text for a line that CI reads for commands (T03): no `::` and no `##[` from data, wherever they
 * stand.
 */
export function ciLine(text: string): CiText {
  return escapeInvisible(text)
    .replace(/:(?=:)/g, '\\u{3a}')
    .replace(COMMAND_ANYWHERE, '\\u{23}') as CiText;
}

/**
 * Text in GitHub's markdown (T02): a code span, in which no link, mention, heading or tag is read,
 * with a fence that the text cannot close. A bar would end the cell of a table even there.
 */
export function markdown(text: string): MarkdownText {
  const shown = escapeInvisible(text).replaceAll('|', '\\u{7c}');
  if (shown.trim() === '') return (shown === '' ? '` `' : `\`${shown}\``) as MarkdownText;
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}` as MarkdownText;
}

/**
 * A name in a Mermaid diagram (T04): letters, digits and a few marks; anything else could end the
 * name or begin a directive.
 */
export function mermaid(text: string): MermaidText {
  return text.replace(/[^\p{L}\p{N} ._/-]/gu, '_') as MermaidText;
}

/** The same as `say`, for markdown. */
export function mark(
  literals: TemplateStringsArray,
  ...values: readonly (MarkdownText | number)[]
): MarkdownText {
  return String.raw({ raw: literals }, ...values) as MarkdownText;
}

/**
 * Text in HTML, between tags or as the value of an attribute in double quotes (T04): no character
 * of it begins or ends a tag, an entity or a quote.
 */
export function htmlText(text: string): HtmlText {
  return escapeInvisible(text).replace(/[<>&"'`]/g, asEntity) as HtmlText;
}

/**
 * Data in a script element of HTML: JSON in which no tag and no comment begins, so that nothing in
 * it ends the element. Texts in it are shown as they are read, hidden characters as `\u{..}`.
 */
export function htmlJson(value: unknown): HtmlText {
  return JSON.stringify(value, shownMember).replace(
    /[<>&]/g,
    (found) => `\\u00${found.charCodeAt(0).toString(16)}`,
  ) as HtmlText;
}

/** The same data as the value of an attribute in double quotes. */
export function htmlData(value: unknown): HtmlText {
  return JSON.stringify(value, shownMember).replace(/[<>&"'`]/g, asEntity) as HtmlText;
}

function shownMember(_: string, member: unknown): unknown {
  return typeof member === 'string' ? escapeInvisible(member) : member;
}

function asEntity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/**
 * A template whose literal parts are ours and whose values went through the sink: the way to
 * compose HTML.
 */
export function markup(
  literals: TemplateStringsArray,
  ...values: readonly (HtmlText | number | readonly HtmlText[])[]
): HtmlText {
  const pieces = values.map((value) => (Array.isArray(value) ? value.join('') : String(value)));
  return String.raw({ raw: literals }, ...pieces) as HtmlText;
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

/**
 * A workflow command that marks a line of a file (T03). Every value is escaped the way the runner
 * reads it back, after hidden characters were shown.
 */
export function annotation(
  kind: 'error' | 'warning' | 'notice',
  at: {
    readonly file?: string;
    readonly line?: number;
    readonly column?: number;
    readonly title: string;
  },
  text: string,
): CiText {
  const { file, line, column, title } = at;
  const said = { file, line, col: column, title };
  const properties = Object.entries(said).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`${name}=${escapedData(String(value)).replace(/[:,]/g, inPercent)}`],
  );
  return `::${kind} ${properties.join(',')}::${escapedData(text)}` as CiText;
}

function escapedData(text: string): string {
  return escapeInvisible(text).replace(/%/g, inPercent);
}

function inPercent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** One line without a control, bidi or invisible character; each is shown as `\\u{..}`. */
export function escapeInvisible(text: string): string {
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
