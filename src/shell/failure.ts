import type { Bug } from '../lib/bug.ts';
import type { JsonObject } from '../lib/canonical.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { WorldError } from '../model/error.ts';
import { quotedFiles, type InvalidDocuments } from '../model/documents/quoted.ts';
import { EXIT } from './exit.ts';
import { printJson, textStyle } from './output.ts';
import type { Shell } from './shell.ts';

/** Prints a failure on stderr with its place and the next step, or as JSON on stdout. */
export async function reportError(failure: WorldError, json: boolean, shell: Shell): Promise<void> {
  if (json) {
    const { errorJson } = await import('../render/data/output-json.ts');
    await printJson(shell.out, errorJson(failure));
    return;
  }
  const { errorText } = await import('../render/text/diagnostics.ts');
  await say(shell, [errorText(failure, textStyle(shell.err, shell.env))]);
}

export async function reportInvalid(
  error: InvalidDocuments,
  json: boolean,
  shell: Shell,
): Promise<number> {
  const { renderDiagnostics } = await import('../render/text/diagnostics.ts');
  const texts = quotedFiles(error.files);
  if (json) await printJson(shell.out, await invalidJson(error.diagnostics));
  else
    await say(shell, [
      renderDiagnostics(error.diagnostics, texts, textStyle(shell.err, shell.env)),
    ]);
  return EXIT.error;
}

/** All problems, each once; `error` gives their number, as it does for other failures. */
async function invalidJson(diagnostics: readonly Diagnostic[]): Promise<JsonObject> {
  const { countText, diagnosticsJson } = await import('../render/text/diagnostics.ts');
  const { INVALID_WORDS } = await import('../render/words/commands.ts');
  const error = { code: 'documentsInvalid', summary: countText(diagnostics), ...INVALID_WORDS };
  return { error, ...diagnosticsJson(diagnostics) };
}

/** Prints an internal error: on stderr with data for a bug report, and as JSON on stdout. */
export async function reportBug(
  bug: Bug,
  json: boolean,
  shell: Pick<Shell, 'out' | 'err' | 'env'>,
): Promise<void> {
  const [{ bugText }, { bugJson }] = await Promise.all([
    import('../render/text/diagnostics.ts'),
    import('../render/data/output-json.ts'),
  ]);
  if (json) await printJson(shell.out, bugJson(bug));
  const trace = bug.cause instanceof Error ? bug.cause.stack : bug.stack;
  await say(shell, [bugText(trace ?? String(bug), textStyle(shell.err, shell.env))]);
}

async function say(shell: Pick<Shell, 'err' | 'env'>, texts: readonly string[]): Promise<void> {
  const { printMessages } = await import('./messages.ts');
  printMessages(shell, texts);
}
