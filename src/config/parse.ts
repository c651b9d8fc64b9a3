import { type CST, Composer, type Document, LineCounter, Parser, isScalar, visit } from 'yaml';
import { type Diagnostic, error } from '../model/documents/diagnostic.ts';
import type { DocumentFile } from '../model/documents/policy.ts';
import { HIDDEN, type QuotedText, quotable } from '../model/documents/quoted.ts';
import { type BracketMistake, bracketMistake } from './brackets.ts';
import { nodeRange, type Source, type SourceText, spotAt } from './locate.ts';
import { MAX_FINDINGS } from './scan.ts';
import { walk } from './walk.ts';

/** A parsed text. */
export interface ParsedDocument {
  /** Absent if it is invalid YAML, or a part of the value had to be omitted. */
  readonly source?: Source;
  readonly findings: readonly Diagnostic[];
}

/** Parses a scanned text. Of invalid YAML only the first problem is reported: the parser may have misplaced all else. */
export function parse(file: DocumentFile): ParsedDocument {
  const lines = new LineCounter();
  const text = { file, lines };
  const [document, second] = compose(file.text, lines);
  const { value, findings, usable } = walk({ ...text, document });
  const [first] = [
    ...syntaxFindings(text, document),
    ...directiveFindings(text, document),
    ...(second ? [error('severalDocuments', spotAt(text, second.range[0], second.range[0]))] : []),
    ...findings.filter(({ code }) => code === 'syntax' || code === 'mergeKey'),
  ];
  if (first) return { findings: [first] };
  return { ...(usable && { source: { ...text, document, value } }), findings };
}

type SyntaxError = Document.Parsed['errors'][number];

/** The walk reports unknown tags and an unquoted `*` with better messages. */
function isAboutText({ code, message }: SyntaxError): boolean {
  return code !== 'TAG_RESOLVE_FAILED' && (code !== 'BAD_ALIAS' || message.startsWith('Anchor'));
}

/** What a syntax finding may quote: the keys of a document and its lines, without what may be a secret. */
interface Shown extends SourceText {
  readonly keys: readonly Key[];
  readonly rows: readonly string[];
  readonly quoted: QuotedText;
}

interface Key {
  readonly key: string;
  readonly from: number;
}

/** The first problem of the parser, by its cause: what is wrong in brackets or quotes, else in the lines around it. */
function syntaxFindings(text: SourceText, document: Document.Parsed): readonly Diagnostic[] {
  const first = document.errors.find(isAboutText);
  if (!first) return [];
  const quoted = quotable(text.file.text);
  const shown = {
    ...text,
    quoted,
    keys: keysIn(document, quoted),
    rows: text.file.text.split('\n'),
  };
  const found = bracketMistake(text.file.text);
  if (found && found.since <= first.pos[0]) return [bracketFinding(shown, found)];
  return [lineFinding(shown, first)];
}

function bracketFinding(
  shown: Shown,
  { problem, at, open, after, closer }: BracketMistake,
): Diagnostic {
  const to = at.at + at.text.length;
  const line = after === undefined ? 0 : lineOf(shown, after);
  const isBelow = line > 0 && line < lineOf(shown, at.at);
  const opened = open === undefined ? 0 : lineOf(shown, open);
  const near = keyBefore(shown, open ?? at.at);
  const params = {
    ...(near && { key: near.key }),
    ...wordOf(shown, [at.at, to]),
    ...(closer !== undefined && { closer, found: at.text }),
    ...(isBelow && { line }),
    ...(isBelow && /[{[]\s*$/.test(shown.rows[opened - 1] ?? '') && { opened }),
  };
  return error('syntax', spotAt(shown, at.at, to), { problem, ...params });
}

function lineFinding(shown: Shown, { code, message, pos }: SyntaxError): Diagnostic {
  const own = lineOf(shown, pos[0]);
  const row = shown.rows[own - 1] ?? '';
  const start = shown.lines.lineStarts[own - 1] ?? 0;
  const rest = row.slice(pos[0] - start);
  const [problem = code] =
    LINE_MISTAKES.find(
      ([, says, line, after]) =>
        says.test(`${code} ${message}`) && line.test(row) && after.test(rest),
    ) ?? [];
  const near = keyBefore(shown, pos[0]);
  const indented = near && indentFinding(shown, near, { problem, own });
  if (indented) return indented;
  const word = /\w[\w.-]*/.exec(row);
  const params = {
    ...(near && { key: near.key }),
    ...(word && wordOf(shown, [start + word.index, start + word.index + word[0].length])),
    ...(problem === 'BAD_INDENT' && { line: columnAbove(shown, own) }),
  };
  return error('syntax', spotAt(shown, ...pos), { problem, ...params });
}

/** A key in the column of its entry, or one line alone that is indented below a key with a value. */
function indentFinding(
  shown: Shown,
  near: Key,
  { problem, own }: { readonly problem: string; readonly own: number },
): Diagnostic | undefined {
  const isBelow = problem === 'valueAbove';
  if (!isBelow && problem !== 'BAD_INDENT') return undefined;
  const entry = entryAbove(shown, near, isBelow ? own + 1 : own);
  const { key, from } = near;
  if (entry)
    return error('syntax', spotAt(shown, from, from + key.length), {
      problem: 'besideEntry',
      key,
      ...entry,
    });
  const indent = indentOf(shown, own);
  if (!isBelow || indentOf(shown, own + 2) !== indent) return undefined;
  const start = (shown.lines.lineStarts[own] ?? 0) + indentOf(shown, own + 1);
  return error('syntax', spotAt(shown, start, start + 1), { problem: 'tooDeep', key, indent });
}

const ANY = /(?:)/;

/** What a line has that the parser refuses: what the parser says, the line, and the line from the place of the error on. */
const LINE_MISTAKES: readonly (readonly [string, RegExp, RegExp, RegExp])[] = [
  ['slashes', ANY, ANY, /^\s*\/\//],
  ['blankBefore', /^MISSING_CHAR Comments/, ANY, ANY],
  ['dashBlank', /IMPLICIT_KEY|BAD_INDENT/, /^\s*-[^\s-]/, ANY],
  ['colonBlank', /MULTILINE_IMPLICIT_KEY|Implicit map keys need/, /^\s*(?:- +)?[\w.-]+:\S/, ANY],
  ['BAD_INDENT', /block sequence may not/, ANY, ANY],
  ['colonMissing', /MULTILINE_IMPLICIT_KEY|Implicit map keys need/, ANY, /^\s*[^"'\s]/],
  ['colonMissing', /IMPLICIT_KEY/, /^\s*(?:- +)?[\w.-]+ +[{[]/, ANY],
  ['valueAbove', /^BLOCK_AS_IMPLICIT_KEY/, ANY, /^(?!.*:\s)/],
  ['commaOutside', /scalar at node end/, ANY, /^,/],
  ['textAfterValue', /scalar at node end/, ANY, ANY],
];

/**
 * The entry that a key belongs to which stands beside it, where the lines before and after that key are indented alike:
 * the key alone has the column of the entry.
 */
function entryAbove(
  shown: Shown,
  { from }: Key,
  below: number,
): { readonly entry: string; readonly indent: number } | undefined {
  const own = lineOf(shown, from);
  const indent = indentOf(shown, below);
  if (own + 1 !== below || indentOf(shown, own - 1) !== indent) return undefined;
  let line = own - 1;
  while (line > 1 && indentOf(shown, line) >= indent) line -= 1;
  const entry = shown.keys.find((key) => lineOf(shown, key.from) === line);
  return entry && indentOf(shown, line) === indentOf(shown, own)
    ? { entry: entry.key, indent }
    : undefined;
}

/** The line above whose column is nearest to that of this line: its entry or list probably has this line, too. */
function columnAbove(shown: Shown, own: number): number {
  let nearest = own - 1;
  let least = Infinity;
  const distance = (line: number): number => Math.abs(indentOf(shown, line) - indentOf(shown, own));
  for (let line = own - 1; line > 0 && least > 0; line -= 1) {
    const indent = indentOf(shown, line);
    if (indent < 0 || indent >= least) continue;
    least = indent;
    if (distance(line) < distance(nearest)) nearest = line;
  }
  return nearest;
}

/** -1 for an empty line. */
function indentOf({ rows }: Shown, line: number): number {
  return rows[line - 1]?.search(/\S/) ?? -1;
}

function lineOf({ lines }: Shown, offset: number): number {
  return lines.linePos(offset).line;
}

function keyBefore({ keys }: Shown, offset: number): Key | undefined {
  return keys.findLast(({ from }) => from < offset);
}

function wordOf(
  { quoted }: Shown,
  [from, to]: readonly [number, number],
): { readonly word?: string } {
  const word = quoted.slice(from, to);
  return /^[\w.-]+$/.test(word) ? { word } : {};
}

/** The keys of a document in text order, without keys that may hold secrets. */
function keysIn(document: Document.Parsed, quoted: QuotedText): readonly Key[] {
  const found: Key[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key)) found.push({ key: String(key.value), from: nodeRange(key)[0] });
    },
  });
  return found
    .filter(({ key, from }) => /^\w[\w. -]*$/.test(key) && quoted[from] !== HIDDEN)
    .sort((a, b) => a.from - b.from);
}

/** `%YAML 1.1` would change the meaning of the text. */
function directiveFindings(text: SourceText, document: Document.Parsed): readonly Diagnostic[] {
  const { explicit, version } = document.directives.yaml;
  if (explicit !== true || version === '1.2') return [];
  const offset = Math.max(0, text.file.text.indexOf('%YAML'));
  const at = spotAt(text, offset, offset + `%YAML ${version}`.length);
  return [error('syntax', at, { problem: 'YAML_VERSION' })];
}

/**
 * Only YAML 1.2 core. The walk finds duplicate keys, in linear time and with both locations. Keys
 * are always strings, so that a site ID needs no quotes.
 */
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  uniqueKeys: false,
  stringKeys: true,
  logLevel: 'silent',
} as const;

/**
 * The first document of a text, empty if there is none, and the second if any. Errors of a hostile
 * text are not all collected, and carry no stack; otherwise a mebibyte of brackets takes half a
 * minute.
 */
function compose(text: string, lines: LineCounter): readonly [Document.Parsed, Document.Parsed?] {
  const stackLimit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    const tokens = untilHopeless(new Parser(lines.addNewLine).parse(text));
    const documents = new Composer(OPTIONS).compose(tokens, true, text.length);
    return [documents.next().value, documents.next().value] as [Document.Parsed, Document.Parsed?];
  } finally {
    Error.stackTraceLimit = stackLimit;
  }
}

function* untilHopeless(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  let errors = 0;
  for (const token of tokens) {
    yield token;
    if (token.type === 'error') errors += 1;
    if (errors > MAX_FINDINGS) return;
  }
}
