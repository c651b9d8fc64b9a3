import { endlessExceptions } from '../desired/exempt.ts';
import { sureConflicts } from '../desired/sure-conflicts.ts';
import { misspeltSites } from '../desired/unknown-names.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { LintInput } from './policy-proofs.ts';
import { lintWindows } from './windows.ts';

/**
 * The errors and warnings that the documents prove by themselves at one instant, without the live
 * fleet: those lints of docs/semantics.md that need no device. A plan reports the same, with
 * devices if it can.
 */
export function lintDocuments(input: LintInput): readonly Diagnostic[] {
  return [
    ...lintWindows(input),
    ...endlessExceptions(input.documents.exceptions, input.now),
    ...sureConflicts(input.documents),
    ...misspeltSites(input.documents),
  ];
}
