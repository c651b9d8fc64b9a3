import type { Bug } from '../model/bug.ts';
import type { WorldError } from '../model/error.ts';
import type { InvalidDocuments } from './documents.ts';
import { EXIT } from './exit.ts';
import { lookOf, print } from './output.ts';
import type { Shell } from './shell.ts';

/** Says what the world did, where, and what to do next: on stderr, or as JSON on stdout. */
export async function reportError(error: WorldError, json: boolean, shell: Shell): Promise<void> {
  if (json) {
    const { errorJson } = await import('../render/json.ts');
    print(shell.out, [JSON.stringify(errorJson(error), undefined, 2)]);
    return;
  }
  const { errorText } = await import('../render/error-text.ts');
  print(shell.err, [errorText(error, lookOf(shell.err, shell.env))]);
}

/** Says what is wrong in the documents, every finding at once. */
export async function reportInvalid(
  error: InvalidDocuments,
  json: boolean,
  shell: Shell,
): Promise<number> {
  const { diagnosticsJson, renderDiagnostics } = await import('../render/diagnostics.ts');
  const texts = new Map(error.files.map((file) => [file.path, file.text]));
  if (json) print(shell.out, [JSON.stringify(diagnosticsJson(error.diagnostics), undefined, 2)]);
  else
    print(shell.err, [renderDiagnostics(error.diagnostics, texts, lookOf(shell.err, shell.env))]);
  return EXIT.error;
}

/** Says that we broke a promise of our own, with what helps to find it. */
export async function reportBug(bug: Bug, shell: Shell): Promise<void> {
  const { bugText } = await import('../render/error-text.ts');
  const trace = bug.cause instanceof Error ? bug.cause.stack : bug.stack;
  print(shell.err, [bugText(trace ?? String(bug), lookOf(shell.err, shell.env))]);
}
