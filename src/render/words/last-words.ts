import { WorldError } from '../../model/error.ts';
import { annotation, escapeInvisible, say, terminal, type TerminalText } from '../sinks/sinks.ts';

/**
 * Messages about a trace, a report or a program that fails. They are loaded at the start, because
 * the files of the program may be missing later.
 */

const NO_EFFECT = terminal('This does not affect the run or its exit code.');

/** The trace can no longer be written; the run continues. */
export function traceEndedWords(file: string, cause: string): TerminalText {
  const what = say`The trace ${terminal(file)} ends here (${terminal(cause)}).`;
  return say`${what} The run continues without it.`;
}

/** Other users may change a file that contains a secret. */
export function exposedSecretWords(file: string): TerminalText {
  const name = terminal(file);
  return say`Other users may write to ${name}, which holds a credential. Run \`chmod go-w ${name}\`.`;
}

/** The report of a run cannot be printed; the ledger has it. */
export function reportLostWords(cause: unknown, exit: number): TerminalText {
  const what = say`Cannot print the report of this run (${causeText(cause)}).`;
  return say`${what} Run \`fleetform status\` for what the ledger has. Exit code ${exit}.`;
}

/** The events of a run could not be written to their end; the ledger has what they tell. */
export function eventsLostWords(cause: unknown, exit: number): TerminalText {
  const what = say`Cannot write the last events of this run (${causeText(cause)}).`;
  return say`${what} Run \`fleetform status\` for what the ledger has. Exit code ${exit}.`;
}

/** The file with the outcome of a run, for the comment on a pull request, cannot be written. */
export function outcomeLostWords(file: string, cause: unknown): TerminalText {
  return say`Cannot write the outcome of this run to ${terminal(file)} (${causeText(cause)}). ${NO_EFFECT}`;
}

/** Only the messages show that a run could not start. */
export function untoldWords(cause: unknown, exit: number): TerminalText {
  return say`Cannot report that the run did not start (${causeText(cause)}). Exit code ${exit}.`;
}

/** The metrics of a run could not be written, or pushed; nothing else is wrong. */
export function metricsLostWords(place: string, failure: unknown): TerminalText {
  const isPush = typeof failure === 'object' && failure !== null && 'why' in failure;
  const cause = isPush ? terminal(whyNot(failure as NotDelivered)) : causeText(failure);
  return say`Cannot write the metrics to ${terminal(place)} (${cause}). ${NO_EFFECT}`;
}

export type NotDelivered =
  | { readonly why: 'status' | 'redirect'; readonly status: number }
  | { readonly why: 'unreachable'; readonly cause: string }
  | { readonly why: 'late' | 'stopped' | 'nameless' | 'url' }
  | { readonly why: 'secret'; readonly name: string };

/** A notification was not delivered; nothing else is wrong. A job of GitHub Actions shows it as a warning. */
export function notifyWords(host: string, failure: NotDelivered, env: Environment): string {
  return notDelivered(host, whyNot(failure), env);
}

export function notifierFailedWords(host: string, cause: unknown, env: Environment): string {
  return notDelivered(host, causeText(cause), env);
}

type Environment = Readonly<Record<string, string | undefined>>;

function notDelivered(host: string, why: string, env: Environment): string {
  const what = say`Cannot notify ${terminal(host)}: ${terminal(why)}.`;
  const text = say`${what} ${NO_EFFECT}`;
  if (env['GITHUB_ACTIONS'] !== 'true') return text;
  return annotation('warning', { title: 'fleetform' }, escapeInvisible(text));
}

function whyNot(failure: NotDelivered): string {
  switch (failure.why) {
    case 'status':
      return `it answered with status ${failure.status}`;
    case 'redirect':
      return `it answered with a redirect (status ${failure.status}), which fleetform does not follow`;
    case 'unreachable':
      return `it cannot be reached (${failure.cause})`;
    case 'late':
      return 'it did not answer within 10 s';
    case 'stopped':
      return 'a signal stopped the delivery';
    case 'nameless':
      return 'the documents do not say which organization they are of';
    case 'url':
      return 'the variable holds no URL: https, or plain http on loopback';
    case 'secret':
      return `the variable ${failure.name} is not set`;
  }
}

/** The only line of a program that cannot continue or print more. */
export function netWords(cause: unknown): TerminalText {
  const what = say`fleetform cannot continue: ${causeText(cause)}.`;
  return say`${what} Sent tasks are in the ledger. Run the same command again.`;
}

/** The only line on a version of Node.js that is too old. */
export function oldNodeWords(version: string, oldest: string): TerminalText {
  return say`error: fleetform needs Node.js ${terminal(oldest)} or later; this is Node.js ${terminal(version)}.`;
}

/** A command that only reads was still running after a signal. */
export function stoppedWords(command: string): TerminalText {
  return say`Stopped by a signal. ${terminal(command)} is read-only: nothing has changed.`;
}

/** A failure in a few words: of a file, the code of the system. */
function causeText(cause: unknown): TerminalText {
  if (cause instanceof WorldError && typeof cause.params['cause'] === 'string')
    return terminal(cause.params['cause']);
  if (cause instanceof WorldError && cause.code === 'baseUrlUnsafe')
    return terminal('it requires https, or http on loopback, and has no user, query or fragment');
  const isErrno = cause instanceof Error && 'syscall' in cause && 'code' in cause;
  if (isErrno && cause.syscall === 'uv_cwd')
    return terminal('the working directory no longer exists');
  if (isErrno && cause.code === 'EMFILE') return terminal('too many files are open (EMFILE)');
  const text = cause instanceof Error ? cause.message : String(cause);
  return terminal(text.split('\n', 1)[0] ?? '');
}

/** The line of a twin that stops because the process that started it has ended or was killed. */
export function orphanedWords(): TerminalText {
  return say`The twin stops with the process that started it; --keep-running keeps it.`;
}
