import { Bug } from '../lib/bug.ts';
import type { JsonObject } from '../lib/canonical.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { WorldError } from '../model/error.ts';
import { quotedFiles, InvalidDocuments } from '../model/documents/quoted.ts';
import { EXIT, exitOfError } from './exit.ts';
import { printJson, sayBlocks } from './output.ts';
import type { Shell } from './shell.ts';

/**
 * Prints whatever ended a command, and returns its exit code: invalid documents, a failure by its code, or a bug. A
 * request to stop that ended a read is no failure of the service.
 * @param reading the name of a command that only reads
 */
export async function reportThrown(
  error: unknown,
  { json, reading }: { readonly json: boolean; readonly reading: string | undefined },
  shell: Shell,
): Promise<number> {
  const isCut = error instanceof WorldError && error.params['cause'] === 'cancelled';
  const { requested } = shell.stop;
  if (requested === 'now' || (isCut && requested !== 'no')) {
    const params = reading === undefined ? {} : { command: reading };
    await reportError(new WorldError('stopped', params), json, shell);
    return EXIT.workLeft;
  }
  if (error instanceof InvalidDocuments) return reportInvalid(error, json, shell);
  if (error instanceof WorldError) {
    await reportError(error, json, shell);
    return exitOfError(error.code);
  }
  const bug = error instanceof Bug ? error : new Bug(String(error), { cause: error });
  await reportBug(bug, json, shell);
  return EXIT.error;
}

/** Prints a failure on stderr with its place and the next step, or as JSON on stdout. */
export async function reportError(failure: WorldError, json: boolean, shell: Shell): Promise<void> {
  if (json) {
    const { errorJson } = await import('../render/data/output-json.ts');
    await printJson(shell.out, errorJson(failure));
    return;
  }
  const { errorBlocks } = await import('../render/outputs/findings.ts');
  await sayBlocks(shell, errorBlocks(failure));
}

export async function reportInvalid(
  error: InvalidDocuments,
  json: boolean,
  shell: Shell,
): Promise<number> {
  const { findingBlocks } = await import('../render/outputs/findings.ts');
  const blocks = findingBlocks(error.diagnostics, quotedFiles(error.files));
  if (json) await printJson(shell.out, await invalidJson(error.diagnostics));
  else await sayBlocks(shell, blocks);
  return EXIT.error;
}

/** All problems, each once; `error` gives their number, as it does for other failures. */
async function invalidJson(diagnostics: readonly Diagnostic[]): Promise<JsonObject> {
  const { countText, diagnosticsJson } = await import('../render/outputs/findings.ts');
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
  const [{ bugBlocks }, { bugJson }] = await Promise.all([
    import('../render/outputs/findings.ts'),
    import('../render/data/output-json.ts'),
  ]);
  if (json) await printJson(shell.out, bugJson(bug));
  const trace = bug.cause instanceof Error ? bug.cause.stack : bug.stack;
  await sayBlocks(shell, bugBlocks(trace ?? String(bug)));
}
