import { WorldError, exitOfError } from '../model/error.ts';
import { EXIT, type ExitCode } from '../model/report/exit.ts';

export { EXIT, exitOfError, type ExitCode };

/** The exit code of a command that threw: a `WorldError` has its own, anything else is an error. */
export function exitOfThrown(error: unknown): ExitCode {
  return error instanceof WorldError ? exitOfError(error.code) : EXIT.error;
}
