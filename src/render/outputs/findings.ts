import type { JsonObject } from '../../lib/canonical.ts';
import { groupBy } from '../../lib/group-by.ts';
import { compareTexts } from '../../lib/text-order.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { QuotedText } from '../../model/documents/quoted.ts';
import { comparePlaces, type SourceLocation } from '../../model/documents/source.ts';
import type { WorldError } from '../../model/error.ts';
import {
  own,
  say,
  sentence,
  strong,
  told,
  type Block,
  type Inlines,
  type Section,
  type Tone,
} from '../tree.ts';
import { BUG_NEXT, BUG_SAYS } from '../words/commands.ts';
import { errorWords } from '../words/errors.ts';
import { diagnosticWords } from '../words/findings.ts';
import { counted, grouped, type Words } from '../words/phrase.ts';
import type { Sink } from '../sinks/sinks.ts';

/** How many related places of a problem are shown with their line. */
const RELATED_SHOWN = 3;

/** How many problems are shown; the others are counted. */
const SHOWN = 100;

/**
 * All problems: message, place, the line with a mark, the next step; then the totals. If not all fit, errors are
 * chosen before warnings.
 * @param files texts by path, for the lines; a file that is not in it is named without its line
 */
export function findingBlocks(
  diagnostics: readonly Diagnostic[],
  files: ReadonlyMap<string, QuotedText>,
): readonly Block[] {
  if (diagnostics.length === 0) return [];
  const ordered = sortByPlace(diagnostics);
  const errors = ordered.filter(({ severity }) => severity === 'error');
  const warnings = ordered.filter(({ severity }) => severity !== 'error');
  const chosen = new Set([...errors, ...warnings].slice(0, SHOWN));
  const rest = ordered.filter((each) => !chosen.has(each));
  return [
    ...ordered.filter((each) => chosen.has(each)).map((each) => findingSection(each, files)),
    ...(rest.length > 0 ? [sentence(own(restText(rest)))] : []),
    sentence(own(countText(diagnostics))),
  ];
}

/** `And 23 more: 20 unknownKey, 3 badValue.` */
function restText(rest: readonly Diagnostic[]): string {
  const kinds = [...groupBy(rest, ({ code }) => code)].sort(
    ([a, one], [b, other]) => other.length - one.length || compareTexts(a, b),
  );
  const said = kinds.map(([code, each]) => `${grouped(each.length)} ${code}`).join(', ');
  return `And ${grouped(rest.length)} more: ${said}.`;
}

/** All problems as plain JSON, in the same order. */
export function diagnosticsJson(diagnostics: readonly Diagnostic[]): JsonObject {
  return {
    diagnostics: sortByPlace(diagnostics).map(diagnosticJson),
    count: diagnostics.length,
  };
}

function diagnosticJson(diagnostic: Diagnostic): JsonObject {
  const { code, severity, at, params, related } = diagnostic;
  const words = diagnosticWords(diagnostic, (text) => text);
  return {
    code,
    severity,
    ...(at && { file: at.file, line: at.line, column: at.column }),
    ...words,
    params,
    ...(related && { related: related.map(({ file, line, column }) => ({ file, line, column })) }),
  };
}

const NOWHERE: SourceLocation = { file: '', line: 0, column: 0 };

/** By file, line, column and code, so that equal problems always print alike. */
export function sortByPlace(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) => comparePlaces(a.at ?? NOWHERE, b.at ?? NOWHERE) || compareTexts(a.code, b.code),
  );
}

/** `2 errors and 1 warning in 3 files.` */
export function countText(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter((each) => each.severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const files = new Set(diagnostics.flatMap((each) => each.at?.file ?? [])).size;
  const parts = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  return `${parts.join(' and ')}${files > 0 ? ` in ${counted(files, 'file')}` : ''}.`;
}

function findingSection(diagnostic: Diagnostic, files: ReadonlyMap<string, QuotedText>): Section {
  const { severity, code, at, related = [] } = diagnostic;
  const places = [
    ...(at ? [{ lead: '-->', at }] : []),
    ...related.slice(0, RELATED_SHOWN).map((each) => ({ lead: 'and', at: each })),
  ];
  return problemSection(`${severity}[${code}]:`, severity === 'error' ? 'bad' : 'wait', {
    words: (sink) => diagnosticWords(diagnostic, sink),
    blocks: places.map((each) => ({ is: 'snippet', ...each, text: files.get(each.at.file) })),
  });
}

/** A failure: code, message, and next step. */
export function errorBlocks({
  code,
  params,
}: Pick<WorldError, 'code' | 'params'>): readonly Block[] {
  const words = (sink: Sink) => errorWords(code, params, sink);
  return [problemSection(`error[${code}]:`, 'bad', { words, blocks: [] })];
}

/** An internal error, with its trace and where to report it. */
export function bugBlocks(trace: string): readonly Block[] {
  const lines = trace.split('\n').map((text) => ({ text }));
  const words = () => ({ summary: BUG_SAYS, next: BUG_NEXT });
  return [problemSection('bug:', 'bad', { words, blocks: [{ is: 'code', lines }] })];
}

/** A title and a sentence; its places, what more there is to say, and the next step. */
function problemSection(
  title: string,
  tone: Tone,
  {
    words,
    blocks,
  }: { readonly words: (sink: Sink) => Words<string>; readonly blocks: readonly Block[] },
): Section {
  const part = (name: 'summary' | 'detail' | 'next'): Inlines =>
    told((sink) => words(sink)[name] ?? '');
  const detail = part('detail');
  return {
    is: 'section',
    id: 'problem',
    isPlain: true,
    title: say`${strong(own(title), tone)} ${part('summary')}`,
    blocks: [
      ...blocks,
      ...(detail.length > 0 ? [sentence(detail)] : []),
      { is: 'next', text: part('next') },
    ],
  };
}
