import { say, terminal, type TerminalText } from '../sinks/sinks.ts';

/**
 * What is said of a trace, a report or a program that fails beside the work. Loaded with the
 * program, since by then its files may be gone.
 */

/** The trace cannot be written any more; the run goes on. */
export function traceEndedWords(file: string, cause: string): TerminalText {
  const what = say`The trace ${terminal(file)} ends here (${terminal(cause)}).`;
  return say`${what} This changes nothing for the requests and what they do.`;
}

/** Other users may change a file that a secret is read from. */
export function exposedSecretWords(file: string): TerminalText {
  const name = terminal(file);
  return say`Other users may write to ${name}, which holds a credential. Run \`chmod go-w ${name}\`.`;
}

/** What a run did cannot be printed; the ledger has it. */
export function reportLostWords(cause: unknown, exit: number): TerminalText {
  const what = say`The report of this run could not be printed (${reasonOf(cause)}).`;
  return say`${what} What was done is in the ledger: \`fleetform status\`. Exit code ${exit}.`;
}

/** The one line of a program that cannot go on and cannot say more. */
export function netWords(cause: unknown): TerminalText {
  const what = say`fleetform cannot go on: ${reasonOf(cause)}.`;
  return say`${what} What was sent is in the ledger; run the same command again.`;
}

function reasonOf(cause: unknown): TerminalText {
  const isErrno = cause instanceof Error && 'syscall' in cause && 'code' in cause;
  if (isErrno && cause.syscall === 'uv_cwd') return terminal('the working folder is gone');
  if (isErrno && cause.code === 'EMFILE') return terminal('too many files are open (EMFILE)');
  const text = cause instanceof Error ? cause.message : String(cause);
  return terminal(text.split('\n', 1)[0] ?? '');
}
