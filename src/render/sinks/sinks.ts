import { HIDDEN } from '../../lib/json-text.ts';
declare const format: unique symbol;

/** Text that went through the sink of one format; no other text may be written in that format. */
type Safe<Format extends string> = string & { readonly [format]: Format };

export type TerminalText = Safe<'terminal'>;

type CsvText = Safe<'csv'>;

export type CiText = Safe<'ci'>;

export type MarkdownText = Safe<'markdown'>;

export type HtmlText = Safe<'html'>;

export type SlackText = Safe<'slack'>;

/** Any sink: phrases pass their parameters through the sink that the caller gives them. */
export type Sink = (text: string) => string;

/** `\u{` in the data itself, so that original text differs from escaped text. */
const LITERAL_ESCAPE = /\\(?=u\{)/g;

/** Commands of CI runners: `::name` at the start of a word, `##[` and `##vso[` anywhere. */
const COMMAND_START = /(?<=^|\s)::/g;

const COMMAND_ANYWHERE = /#(?=#(?:\[|vso))/g;

/**
 * Escapes text for a terminal (T01): one line without control, bidi or invisible characters; each
 * appears as `\u{..}`. CI logs are terminals too, so no word of the data starts a workflow command.
 */
export function terminal(text: string): TerminalText {
  return escapeInvisible(text)
    .replace(COMMAND_START, ':\\u{3a}')
    .replace(COMMAND_ANYWHERE, '\\u{23}') as TerminalText;
}

/** Characters that start a formula at the beginning of a cell. */
const FORMULA = '[=+\\-@\uff1d\uff0b\uff0d\uff20|%]';

/**
 * The start of a cell, also in tools that split at semicolons or bars: quotes and blanks do not
 * protect there.
 */
const CALCULATED = new RegExp(`(^\\s*|[;\uff1b|][\\s"']*)(?=${FORMULA})`, 'gu');

/**
 * Escapes a cell of a CSV file (T04): text that a spreadsheet would evaluate gets an apostrophe,
 * also after a semicolon; quoted if necessary. A tab is escaped and separates nothing. A number is no text.
 */
export function csvCell(value: string | number): CsvText {
  if (typeof value === 'number') return String(value) as CsvText;
  const shown = escapeInvisible(value);
  const inert = shown.replace(CALCULATED, (start) =>
    start.trim() === '' ? `'${start}` : `${start}'`,
  );
  const quoted = /[",;']|^\s|\s$/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
  return quoted as CsvText;
}

/** A line of a CSV file. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Escapes text for a line that CI scans for commands (T03): no `::` and no `##[` from data. */
export function ciLine(text: string): CiText {
  return escapeInvisible(text)
    .replace(/:(?=:)/g, '\\u{3a}')
    .replace(COMMAND_ANYWHERE, '\\u{23}') as CiText;
}

/**
 * Escapes text for GitHub's markdown (T02): a code span without links, mentions, headings or tags,
 * with a fence that the text cannot close. A bar would end a table cell even there.
 */
export function markdown(text: string): MarkdownText {
  const shown = escapeInvisible(text).replaceAll('|', '\\u{7c}');
  if (shown.trim() === '') return (shown === '' ? '` `' : `\`${shown}\``) as MarkdownText;
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}` as MarkdownText;
}

/** Escapes text for a message of Slack, where `<` begins a mention or a link; it may also stand in a code span. */
export function slack(text: string): SlackText {
  const shown = escapeInvisible(text).replaceAll('`', '\\u{60}');
  return shown
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;') as SlackText;
}

/** A text of ours for Markdown: its characters mean themselves. */
export function markdownOwn(text: string): MarkdownText {
  return escapeInvisible(text).replace(/[\\`*_[\]<|]/g, '\\$&') as MarkdownText;
}

/** The same as `say`, for markdown. */
export function mark(
  literals: TemplateStringsArray,
  ...values: readonly (MarkdownText | number)[]
): MarkdownText {
  return String.raw({ raw: literals }, ...values) as MarkdownText;
}

/**
 * A template for terminal lines: its literal parts are ours, and its values went through the sink.
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

/**
 * A workflow command that annotates a line of a file (T03). Hidden characters are escaped first,
 * then every value the way the runner decodes it.
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

/** One line without control, bidi or invisible characters; each appears as `\\u{..}`. */
export function escapeInvisible(text: string): string {
  return text
    .replace(LITERAL_ESCAPE, '\\u{5c}')
    .replace(HIDDEN, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}
