import type { Diagnostic, DiagnosticCode } from '../model/documents/diagnostic.ts';
import type { Params } from '../model/error.ts';
import type { SourceLocation } from '../model/documents/source.ts';

/** A place and how much of its line a caret underlines, in characters. */
export type Spot = SourceLocation & { readonly length: number };

/** An error at a place. */
export function error(code: DiagnosticCode, at: Spot, params: Params = {}): Diagnostic {
  return { code, severity: 'error', at, params };
}

/** What looks like a mistake and is allowed. */
export function warning(code: DiagnosticCode, at: Spot, params: Params = {}): Diagnostic {
  return { code, severity: 'warning', at, params };
}

/** An error that has a second place: the first definition, the other side of a contradiction. */
export function errorWith(
  code: DiagnosticCode,
  [at, ...related]: readonly [Spot, ...Spot[]],
  params: Params,
): Diagnostic {
  return { code, severity: 'error', at, params, related: related.map(placeAlone) };
}

/** The first character of a file, for what concerns it as a whole. */
export function wholeFile(path: string): Spot {
  return { file: path, line: 1, column: 1, length: 1 };
}

/** By file, line and column, then by code; what has no place comes first. Equal findings are said once. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const ordered = [...diagnostics].sort(
    (a, b) => byPlace(a, b) || compareText(wordsOf(a), wordsOf(b)),
  );
  return ordered.filter((one, index) => {
    const before = ordered[index - 1];
    return !before || JSON.stringify(before) !== JSON.stringify(one);
  });
}

function byPlace({ at: a }: Diagnostic, { at: b }: Diagnostic): number {
  if (!a || !b) return Number(a !== undefined) - Number(b !== undefined);
  return compareText(a.file, b.file) || a.line - b.line || a.column - b.column;
}

function wordsOf({ code, params }: Diagnostic): string {
  return `${code} ${JSON.stringify(params)}`;
}

function placeAlone({ file, line, column }: Spot): SourceLocation {
  return { file, line, column };
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
