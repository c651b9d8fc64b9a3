import type { JsonObject } from '../../lib/canonical.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { QuotedText } from '../../model/documents/quoted.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import { type Colour, tint } from '../sinks/paint.ts';
import { counted, grouped } from '../words/phrase.ts';
import { type TerminalText, say, terminal } from '../sinks/sinks.ts';
import { type TextStyle, placeText, snippet } from '../sinks/snippet.ts';
import { wrap } from '../sinks/wrap.ts';
import { diagnosticWords } from '../words/findings.ts';
import type { WorldError } from '../../model/error.ts';
import { BUG_NEXT, BUG_SAYS } from '../words/commands.ts';
import { errorWords } from '../words/errors.ts';
import { compareTexts } from '../../lib/text-order.ts';

/** How many related places of a problem are shown with their line. */
const RELATED_SHOWN = 3;

/**
 * All problems as text: message, place, the line with a caret, the next step; then the totals.
 * @param files texts by path, for the lines; a file that is not in it is named without its line
 */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  files: ReadonlyMap<string, QuotedText>,
  style: TextStyle,
): string {
  if (diagnostics.length === 0) return '';
  const { shown, rest } = chooseShown(diagnostics);
  const blocks = shown.map((each) => block(each, files, style).join('\n'));
  const more = rest.length > 0 ? `${restText(rest)}\n` : '';
  return `${blocks.join('\n\n')}\n\n${more}${countText(diagnostics)}\n`;
}

/** How many problems are shown in a terminal; the others are counted. */
const SHOWN = 100;

/** If not all fit, errors are chosen before warnings; the chosen ones are shown in compareTexts. */
function chooseShown(diagnostics: readonly Diagnostic[]) {
  const ordered = sortByPlace(diagnostics);
  if (ordered.length <= SHOWN) return { shown: ordered, rest: [] };
  const errors = ordered.filter(({ severity }) => severity === 'error');
  const warnings = ordered.filter(({ severity }) => severity !== 'error');
  const chosen = new Set([...errors, ...warnings].slice(0, SHOWN));
  return {
    shown: ordered.filter((each) => chosen.has(each)),
    rest: ordered.filter((each) => !chosen.has(each)),
  };
}

/** `And 23 more: 20 unknownKey, 3 badValue.` */
function restText(rest: readonly Diagnostic[]): string {
  const counts = new Map<string, number>();
  for (const { code } of rest) counts.set(code, (counts.get(code) ?? 0) + 1);
  const kinds = [...counts].sort(([a, one], [b, other]) => other - one || compareTexts(a, b));
  const said = kinds.map(([code, count]) => `${grouped(count)} ${code}`).join(', ');
  return `And ${grouped(rest.length)} more: ${said}.`;
}

/** All problems as plain JSON, in the compareTexts of the text. */
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

function comparePlaces(a: SourceLocation, b: SourceLocation): number {
  return compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column;
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

function block(
  diagnostic: Diagnostic,
  files: ReadonlyMap<string, QuotedText>,
  style: TextStyle,
): readonly TerminalText[] {
  const words = diagnosticWords(diagnostic);
  const colour = diagnostic.severity === 'error' ? 'red' : 'yellow';
  const title = say`${terminal(diagnostic.severity)}[${terminal(diagnostic.code)}]:`;
  return [
    ...titled(title, words.summary, style, colour),
    ...(diagnostic.at ? placeLines('-->', diagnostic.at, { files, style }) : []),
    ...(diagnostic.related ?? [])
      .slice(0, RELATED_SHOWN)
      .flatMap((place) => placeLines('and', place, { files, style })),
    ...(words.detail ? wrap(say`  ${words.detail}`, style.width, 2) : []),
    ...wrap(say`  next: ${words.next}`, style.width, 8).map((line) =>
      tint(style.paint, 'cyan', line),
    ),
  ];
}

function placeLines(
  lead: '-->' | 'and',
  place: SourceLocation & { readonly length?: number },
  { files, style }: { readonly files: ReadonlyMap<string, QuotedText>; readonly style: TextStyle },
): readonly TerminalText[] {
  const text = files.get(place.file);
  return [
    say`  ${terminal(lead)} ${tint(style.paint, 'bold', placeText(place))}`,
    ...(text === undefined ? [] : snippet(place, text, style)),
  ];
}

/** A failure as text: code, message, and next step. */
export function errorText(error: Pick<WorldError, 'code' | 'params'>, style: TextStyle): string {
  const words = errorWords(error.code, error.params);
  const title = say`error[${terminal(error.code)}]:`;
  return [
    ...titled(title, words.summary, style),
    ...(words.detail ? wrap(say`  ${words.detail}`, style.width, 2) : []),
    ...wrap(say`  next: ${words.next}`, style.width, 8).map((line) =>
      tint(style.paint, 'cyan', line),
    ),
  ].join('\n');
}

/** An internal error as text, with its trace and where to report it. */
export function bugText(trace: string, style: TextStyle): string {
  return [
    ...titled(say`bug:`, terminal(BUG_SAYS), style),
    ...trace.split('\n').map((line) => tint(style.paint, 'dim', say`  ${terminal(line)}`)),
    ...wrap(say`  next: ${terminal(BUG_NEXT)}`, style.width, 8),
  ].join('\n');
}

/** A colored title and a sentence after it, wrapped. */
function titled(
  title: TerminalText,
  sentence: TerminalText,
  style: TextStyle,
  colour: Colour = 'red',
): readonly TerminalText[] {
  const [first = title, ...more] = wrap(say`${title} ${sentence}`, style.width, 2);
  return [first.replace(title, () => tint(style.paint, colour, title)) as TerminalText, ...more];
}
