import {
  type CST,
  Composer,
  type Document,
  LineCounter,
  type Pair,
  Parser,
  isCollection,
  isScalar,
  visit,
} from 'yaml';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { DocumentFile } from '../model/documents/policy.ts';
import { HIDDEN, type QuotedText, quotable } from '../model/documents/quoted.ts';
import { error } from './findings.ts';
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

/** The first problem of the parser, at its key; an unclosed value is reported at its start. */
function syntaxFindings(text: SourceText, document: Document.Parsed): readonly Diagnostic[] {
  const first = document.errors.find(isAboutText);
  if (!first) return [];
  const { code, message, pos } = first;
  const pairs = pairsIn(document, quotable(text.file.text));
  const problem = refineCode(code, message);
  const open = OPEN[problem] && pairs.findLast((pair) => isOpen(pair, pos[0], problem));
  const near = open ?? pairs.findLast(({ from }) => from < pos[0]);
  const entry =
    problem === 'BAD_INDENT' && near ? entryAbove(text, pairs, near, pos[0]) : undefined;
  if (near && entry) {
    const params = { problem: 'besideEntry', key: near.key, ...entry };
    return [error('syntax', spotAt(text, near.from, near.from + near.key.length), params)];
  }
  const at = open ? spotAt(text, open.value, open.value + 1) : spotAt(text, ...pos);
  const where = near && { key: near.key, line: text.lines.linePos(near.from).line };
  return [error('syntax', at, { problem, ...where })];
}

/**
 * The entry that a key belongs to which stands beside it, where the lines before and after that key are indented alike:
 * the key alone has the column of the entry.
 */
function entryAbove(
  { file, lines }: SourceText,
  pairs: readonly Near[],
  key: Near,
  after: number,
): { readonly entry: string; readonly indent: number } | undefined {
  const rows = file.text.split('\n');
  const indentOf = (row: number): number => rows[row]?.search(/\S/) ?? -1;
  const lineOf = (offset: number): number => lines.linePos(offset).line - 1;
  const own = lineOf(key.from);
  const indent = indentOf(lineOf(after));
  if (own + 1 !== lineOf(after) || indentOf(own - 1) !== indent) return undefined;
  let row = own - 1;
  while (row > 0 && indentOf(row) >= indent) row -= 1;
  const entry = pairs.find(({ from }) => lineOf(from) === row);
  return entry && indentOf(row) === indentOf(own) ? { entry: entry.key, indent } : undefined;
}

/** Parser codes, refined where one code covers several mistakes. */
function refineCode(code: string, message: string): string {
  if (/Missing closing/.test(message)) return 'quoteOpen';
  if (/must end with a|and end with a/.test(message)) return 'bracketOpen';
  if (/Implicit map keys need/.test(message)) return 'colonMissing';
  if (code === 'UNEXPECTED_TOKEN' && /scalar at node end/.test(message)) return 'textAfterValue';
  if (code === 'UNEXPECTED_TOKEN' && /flow-(map|seq)-end/.test(message)) return 'bracketTooMany';
  return code;
}

/** An unclosed value is reported at its start. */
const OPEN: Readonly<Record<string, true>> = { quoteOpen: true, bracketOpen: true };

interface Near {
  readonly key: string;
  readonly from: number;
  /** Start of the value. */
  readonly value: number;
  readonly end: number;
  readonly form: 'quoted' | 'brackets' | 'other';
}

function isOpen({ value, end, form }: Near, at: number, problem: string): boolean {
  const fits = form === (problem === 'quoteOpen' ? 'quoted' : 'brackets');
  return fits && value < at && end <= at + 1;
}

/**
 * The keys of a document with the offsets of their values, in text order, without keys that may
 * hold secrets.
 */
function pairsIn(document: Document.Parsed, quoted: QuotedText): readonly Near[] {
  const found: Near[] = [];
  visit(document, {
    Pair: (_, pair) => {
      found.push(describePair(pair as Pair));
    },
  });
  return found
    .filter(({ key, from }) => /^[\w.-]+$/.test(key) && quoted[from] !== HIDDEN)
    .sort((a, b) => a.from - b.from);
}

function describePair({ key, value }: Pair): Near {
  const [from, to] = nodeRange(key);
  const [start, end] = value ? nodeRange(value) : [to, to];
  const isQuoted = isScalar(value) && value.type?.startsWith('QUOTE') === true;
  const isFlow = isCollection(value) && value.flow === true;
  const form = isQuoted ? 'quoted' : isFlow ? 'brackets' : 'other';
  return { key: isScalar(key) ? String(key.value) : '', from, value: start, end, form };
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
