import { CommanderError } from 'commander';
import { Bug } from '../../lib/bug.ts';
import { WorldError } from '../../model/error.ts';
import { netWords } from '../../render/words/last-words.ts';
import { EXIT, exitOfError } from '../shell/exit.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import { createProgram } from './program.ts';
import { reportBug, reportError, reportInvalid } from '../shell/failure.ts';
import type { Shell } from '../shell/shell.ts';

/**
 * Runs one command line and returns its exit code. The one place that catches: the user's mistakes as findings, the
 * world's failures by their code, our own as bugs. Nothing is thrown out of it.
 */
export async function run(argv: readonly string[], shell: Shell): Promise<number> {
  const state = { exit: EXIT.done as number };
  const program = createProgram(shell, (code) => {
    state.exit = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return state.exit;
  } catch (error) {
    return await report(error, argv, shell).catch((other: unknown) => {
      shell.err.write(`${netWords(isModuleGone(other) ? other : error)}\n`);
      return EXIT.error;
    });
  }
}

/** The files of the program were replaced under it: that is what to tell, and not what it had to say. */
function isModuleGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

async function report(error: unknown, argv: readonly string[], shell: Shell): Promise<number> {
  const json = asksForJson(argv);
  if (error instanceof CommanderError) return reportUsage(error, json, shell);
  if (shell.stop.requested === 'now' || isCutByStop(error, shell)) return EXIT.workLeft;
  if (error instanceof InvalidDocuments) return reportInvalid(error, json, shell);
  if (error instanceof WorldError) {
    await reportError(error, json, shell);
    return exitOfError(error.code);
  }
  const bug = error instanceof Bug ? error : new Bug(String(error), { cause: error });
  await reportBug(bug, json, shell);
  return EXIT.error;
}

/** A read that a request to stop has ended is no failure of the service. */
function isCutByStop(error: unknown, { stop }: Shell): boolean {
  const isCut = error instanceof WorldError && error.params['cause'] === 'cancelled';
  return isCut && stop.requested !== 'no';
}

/** Commander has said on stderr what it did not understand; JSON mode says it as data, too. */
async function reportUsage(error: CommanderError, json: boolean, shell: Shell): Promise<number> {
  if (error.exitCode === 0) return EXIT.done;
  const message = error.message.replace(/^error: /, '');
  if (json) await reportError(new WorldError('usage', { message }), json, shell);
  return EXIT.error;
}

/**
 * Errors follow the format of the command, also where the command line itself could not be read.
 */
function asksForJson(argv: readonly string[]): boolean {
  const flags = argv[0] === 'get' ? ['-o', '--output', '--format'] : ['--format'];
  return argv.some(
    (text, index) =>
      flags.some((flag) => text === `${flag}=json`) ||
      (text === 'json' && flags.includes(argv[index - 1] ?? '')),
  );
}
