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
import { type Source, type SourceText, spotAt } from './locate.ts';
import { MAX_FINDINGS } from './scan.ts';
import { walk } from './walk.ts';

/** A text as it was parsed. */
export interface ParsedDocument {
  /** Absent where a part of the value had to be left out. */
  readonly source?: Source;
  readonly findings: readonly Diagnostic[];
  /** Where the text is no YAML: the entry around such a place says nothing that can be relied on. */
  readonly doubts: readonly number[];
}

/** Reads one scanned text, also past what is wrong in it, so that the rest of it can be checked in the same round. */
export function parse(file: DocumentFile): ParsedDocument {
  const lines = new LineCounter();
  const text = { file, lines };
  const [document, second] = compose(file.text, lines);
  const errors = syntaxErrors(document);
  const unreadable = [
    ...syntaxFindings(text, document, errors),
    ...directiveFindings(text, document),
    ...(second ? [error('severalDocuments', spotAt(text, second.range[0], second.range[0]))] : []),
  ];
  const { value, findings, usable } = walk({ ...text, document });
  const doubts = [
    ...errors.map(({ pos }) => pos[0]),
    ...(second ? [second.range[0]] : []),
    ...(unreadable.length > errors.length + (second ? 1 : 0) ? [0] : []),
  ];
  return {
    ...(usable && { source: { ...text, document, value } }),
    findings: [...unreadable, ...findings],
    doubts,
  };
}

type SyntaxError = Document.Parsed['errors'][number];

/** Unknown tags, and `*` where a pattern was meant, are the walk's to say: it says them better. */
function syntaxErrors({ errors }: Document.Parsed): readonly SyntaxError[] {
  return errors
    .filter(({ code, message }) => code !== 'TAG_RESOLVE_FAILED' && !isAboutAlias(code, message))
    .slice(0, MAX_FINDINGS);
}

function isAboutAlias(code: string, message: string): boolean {
  return code === 'BAD_ALIAS' && !message.startsWith('Anchor');
}

/**
 * The parser stumbles several times over one mistake: the first of a line is said, at the key that it is about, and
 * nothing after what never ends but in the next section.
 */
function syntaxFindings(
  text: SourceText,
  document: Document.Parsed,
  errors: readonly SyntaxError[],
): readonly Diagnostic[] {
  const pairs = errors.length > 0 ? pairsIn(document, quotable(text.file.text)) : [];
  const seen = new Set<number>();
  let quiet = 0;
  return errors.flatMap(({ code, message, pos }) => {
    const { line } = text.lines.linePos(pos[0]);
    if (seen.has(line) || pos[0] < quiet) return [];
    seen.add(line);
    const problem = problemOf(code, message);
    const open = OPEN[problem] && pairs.findLast((pair) => isOpen(pair, pos[0], problem));
    if (open) quiet = nextSection(text.file.text, pos[0]);
    const near = open ?? pairs.findLast(({ from }) => from < pos[0]);
    const at = open ? spotAt(text, open.value, open.value + 1) : spotAt(text, ...pos);
    return [error('syntax', at, { problem, ...(near && { key: near.key }) })];
  });
}

function nextSection(text: string, from: number): number {
  const next = text.slice(from).search(/\n[^\s#]/);
  return next < 0 ? text.length + 1 : from + next;
}

/** The codes of the parser, finer where one code stands for several mistakes. */
function problemOf(code: string, message: string): string {
  if (/Missing closing/.test(message)) return 'quoteOpen';
  if (/must end with a|and end with a/.test(message)) return 'bracketOpen';
  if (/Implicit map keys need/.test(message)) return 'colonMissing';
  if (code === 'UNEXPECTED_TOKEN' && /scalar at node end/.test(message)) return 'textAfterValue';
  if (code === 'UNEXPECTED_TOKEN' && /flow-(map|seq)-end/.test(message)) return 'bracketTooMany';
  return code;
}

/** What never ends is shown where it begins. */
const OPEN: Readonly<Record<string, true>> = { quoteOpen: true, bracketOpen: true };

interface Near {
  readonly key: string;
  readonly from: number;
  /** Where its value begins and ends. */
  readonly value: number;
  readonly end: number;
  readonly form: 'quoted' | 'brackets' | 'other';
}

function isOpen({ value, end, form }: Near, at: number, problem: string): boolean {
  const fits = form === (problem === 'quoteOpen' ? 'quoted' : 'brackets');
  return fits && value < at && end <= at + 1;
}

/** Every key of a document with the place of its value, in the order of the text; none that may be a secret. */
function pairsIn(document: Document.Parsed, quoted: QuotedText): readonly Near[] {
  const found: Near[] = [];
  visit(document, {
    Pair: (_, pair) => {
      found.push(nearOf(pair as Pair));
    },
  });
  return found
    .filter(({ key, from }) => /^[\w.-]+$/.test(key) && quoted[from] !== HIDDEN)
    .sort((a, b) => a.from - b.from);
}

function nearOf({ key, value }: Pair): Near {
  const [from = 0, to = 0] = rangeOf(key);
  const [start = to, end = start] = rangeOf(value);
  const isQuoted = isScalar(value) && value.type?.startsWith('QUOTE') === true;
  const isFlow = isCollection(value) && value.flow === true;
  const form = isQuoted ? 'quoted' : isFlow ? 'brackets' : 'other';
  return { key: isScalar(key) ? String(key.value) : '', from, value: start, end, form };
}

function rangeOf(node: unknown): readonly number[] {
  return (node as { readonly range?: readonly number[] } | null | undefined)?.range ?? [];
}

/** `%YAML 1.1` would give other meanings to the same text. */
function directiveFindings(text: SourceText, document: Document.Parsed): readonly Diagnostic[] {
  const { explicit, version } = document.directives.yaml;
  if (explicit !== true || version === '1.2') return [];
  const offset = Math.max(0, text.file.text.indexOf('%YAML'));
  const at = spotAt(text, offset, offset + `%YAML ${version}`.length);
  return [error('syntax', at, { problem: 'YAML_VERSION' })];
}

/**
 * YAML 1.2 core and nothing else. Duplicate keys are found by our own walk, which knows both places and takes linear
 * time; keys are always text, so that a site id may be written without quotes.
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
 * The first document of a scanned text, empty where there is none, and the second if there is one. What is wrong with
 * a hostile text is not counted to its end, and its errors carry no stack: a mebibyte of brackets would take half a
 * minute otherwise.
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
