import type { Bug } from '../model/bug.ts';
import type { JsonObject } from '../model/canonical.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { WorldError } from '../model/error.ts';
import { quotedFiles, type InvalidDocuments } from './documents.ts';
import { EXIT } from './exit.ts';
import { lookOf, print } from './output.ts';
import type { Shell } from './shell.ts';

/** Says what the world did, where, and what to do next: on stderr, or as JSON on stdout. */
export async function reportError(failure: WorldError, json: boolean, shell: Shell): Promise<void> {
  if (json) {
    const [{ errorJson }, { jsonText }] = await Promise.all([
      import('../render/json.ts'),
      import('../render/sinks.ts'),
    ]);
    print(shell.out, [jsonText(errorJson(failure))]);
    return;
  }
  const { errorText } = await import('../render/error-text.ts');
  print(shell.err, [errorText(failure, lookOf(shell.err, shell.env))]);
}

/** Says what is wrong in the documents, every finding at once. */
export async function reportInvalid(
  error: InvalidDocuments,
  json: boolean,
  shell: Shell,
): Promise<number> {
  const { renderDiagnostics } = await import('../render/diagnostics.ts');
  const texts = quotedFiles(error.files);
  const { jsonText } = await import('../render/sinks.ts');
  if (json) print(shell.out, [jsonText(await invalidJson(error.diagnostics))]);
  else
    print(shell.err, [renderDiagnostics(error.diagnostics, texts, lookOf(shell.err, shell.env))]);
  return EXIT.error;
}

/** The first error under `error`, where every other failure has its own, and all findings beside it. */
async function invalidJson(diagnostics: readonly Diagnostic[]): Promise<JsonObject> {
  const [{ diagnosticsJson, inOrder }, { diagnosticWords }] = await Promise.all([
    import('../render/diagnostics.ts'),
    import('../render/words.ts'),
  ]);
  const all = diagnosticsJson(diagnostics);
  const first = inOrder(diagnostics).find(({ severity }) => severity === 'error');
  if (!first) return all;
  const { code, at, params } = first;
  const place = at && { file: at.file, line: at.line, column: at.column };
  const words = diagnosticWords(first, (text) => text);
  return { error: { code, ...place, ...words, params }, ...all };
}

/** Says that we broke a promise of our own: on stderr with what helps to find it, and as JSON on stdout. */
export async function reportBug(
  bug: Bug,
  json: boolean,
  shell: Pick<Shell, 'out' | 'err' | 'env'>,
): Promise<void> {
  const [{ bugText }, { bugJson }, { jsonText }] = await Promise.all([
    import('../render/error-text.ts'),
    import('../render/json.ts'),
    import('../render/sinks.ts'),
  ]);
  if (json) print(shell.out, [jsonText(bugJson(bug))]);
  const trace = bug.cause instanceof Error ? bug.cause.stack : bug.stack;
  print(shell.err, [bugText(trace ?? String(bug), lookOf(shell.err, shell.env))]);
}
