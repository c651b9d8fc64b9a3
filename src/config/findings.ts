import { comparePlaces, placeOnly, type SourceLocation } from '../model/documents/source.ts';
import type { Diagnostic, DiagnosticCode } from '../model/documents/diagnostic.ts';
import type { Params } from '../model/error.ts';
import { compareTexts } from '../lib/text-order.ts';

/** A location and the length of its underline, in characters. */
export type Spot = SourceLocation & { readonly length: number };

/** An error of the documents as a whole, which no file has. */
export function errorOfAll(code: DiagnosticCode, params: Params): Diagnostic {
  return { code, severity: 'error', params };
}

/** An error with a second location: the first definition, or the other side of a contradiction. */
export function errorWith(
  code: DiagnosticCode,
  [at, ...related]: readonly [Spot, ...Spot[]],
  params: Params,
): Diagnostic {
  return { code, severity: 'error', at, params, related: related.map(placeOnly) };
}

/** The first character of a file, for findings about the whole file. */
export function wholeFile(path: string): Spot {
  return { file: path, line: 1, column: 1, length: 1 };
}

/**
 * Sorts by file, line, column and code, findings without a location first, and removes duplicates.
 */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const ordered = [...diagnostics].sort(
    (a, b) => byPlace(a, b) || compareTexts(sortText(a), sortText(b)),
  );
  return ordered.filter((one, index) => {
    const before = ordered[index - 1];
    return !before || JSON.stringify(before) !== JSON.stringify(one);
  });
}

function byPlace({ at: a }: Diagnostic, { at: b }: Diagnostic): number {
  if (!a || !b) return Number(a !== undefined) - Number(b !== undefined);
  return comparePlaces(a, b);
}

function sortText({ code, params }: Diagnostic): string {
  return `${code} ${JSON.stringify(params)}`;
}
