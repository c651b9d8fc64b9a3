import type { Loaded } from '../config/load.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { DocumentFile, Documents } from '../model/documents/policy.ts';
import type { Clock } from '../model/ports.ts';
import { quotable, type QuotedText } from '../model/documents/quoted.ts';
import { fleetFolder, type Shell } from '../cli/shell/shell.ts';

/**
 * Documents that cannot be used: every finding at once, and the texts that the findings point
 * into.
 */
export class InvalidDocuments extends Error {
  override readonly name = 'InvalidDocuments';
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly DocumentFile[];

  constructor(diagnostics: readonly Diagnostic[], files: readonly DocumentFile[]) {
    super(`${diagnostics.length} findings`);
    this.diagnostics = diagnostics;
    this.files = files;
  }
}

/** Texts as frames may show them, by path. */
export function quotedFiles(files: readonly DocumentFile[]): ReadonlyMap<string, QuotedText> {
  return new Map(files.map(({ path, text }) => [path, quotable(text)]));
}

export interface LoadedDocuments {
  readonly documents: Documents;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Loads and checks all documents; throws `InvalidDocuments` where there is an error among the
 * findings.
 */
export async function loadDocuments(shell: Shell, fleet: string): Promise<LoadedDocuments> {
  const { loadFleet } = await import('../config/load.ts');
  const loaded = await loadFleet(fleetFolder(shell, fleet));
  const { documents, files, diagnostics } = loaded;
  if (documents && !hasError(diagnostics)) {
    const { withCommits } = await import('./origins.ts');
    return { documents: await withCommits(shell, fleet, documents), warnings: diagnostics };
  }
  throw new InvalidDocuments(await withProofs(loaded, shell), files);
}

/**
 * What was found, and what the documents show to be wrong by themselves: where some are not in order,
 * those that are.
 */
export async function withProofs(
  { documents, provable, diagnostics }: Loaded,
  { clock }: { readonly clock: Pick<Clock, 'now'> },
): Promise<readonly Diagnostic[]> {
  const { lintDocuments } = await import('../lint/lint.ts');
  const sound = documents ?? provable;
  if (!sound) return diagnostics;
  return [...diagnostics, ...lintDocuments({ documents: sound, now: clock.now() })];
}

/** Whether the findings forbid going on. */
export function hasError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

/** The clone whose remotes are meant is the one that the documents are in. */
export function folderOf(shell: Pick<Shell, 'cwd'>, { folder }: Documents): string {
  return folder ?? shell.cwd;
}
