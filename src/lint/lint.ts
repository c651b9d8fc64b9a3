import { endlessExceptions } from '../desired/exempt.ts';
import { sureConflicts } from '../desired/sure-conflicts.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { LintInput } from './policy-proofs.ts';
import { lintWindows } from './windows.ts';

/**
 * What documents that load show to be wrong or doubtful by themselves at one instant, without the
 * live fleet: the lints of docs/semantics.md that need none. A plan says the same, with devices
 * where it can.
 */
export function lintDocuments(input: LintInput): readonly Diagnostic[] {
  return [
    ...lintWindows(input),
    ...endlessExceptions(input.documents.exceptions, input.now),
    ...sureConflicts(input.documents),
  ];
}
