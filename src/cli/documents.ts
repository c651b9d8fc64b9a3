import { isAbsolute, resolve } from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { DocumentFile, Documents } from '../model/policy.ts';
import { quotable, type QuotedText } from '../model/quoted.ts';
import type { Shell } from './shell.ts';

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

/** The folder of the documents as a full path. */
export function fleetFolder(shell: Shell, fleet: string): string {
  return isAbsolute(fleet) ? fleet : resolve(shell.cwd, fleet);
}

/**
 * Loads and checks all documents; throws `InvalidDocuments` where there is an error among the
 * findings.
 */
export async function loadDocuments(shell: Shell, fleet: string): Promise<LoadedDocuments> {
  const { loadFleet } = await import('../config/load.ts');
  const { documents, files, diagnostics } = await loadFleet(fleetFolder(shell, fleet));
  if (!documents || hasError(diagnostics)) throw new InvalidDocuments(diagnostics, files);
  return { documents, warnings: diagnostics };
}

/** Whether the findings forbid going on. */
export function hasError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

/** The clone whose remotes are meant is the one that the documents are in. */
export function folderOf(shell: Pick<Shell, 'cwd'>, { folder }: Documents): string {
  return folder ?? shell.cwd;
}
