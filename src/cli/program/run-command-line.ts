import { CommanderError, type Command } from 'commander';
import { WorldError } from '../../model/error.ts';
import { netWords } from '../../render/words/last-words.ts';
import { EXIT } from '../../shell/exit.ts';
import { isGroup, typedName } from './help.ts';
import { findRenamed, type Renamed } from './old-names.ts';
import { createProgram } from './program.ts';
import { flagsOf, withLongFlags } from './single-dash.ts';
import { COMMANDS } from '../table.ts';
import { reportError, reportThrown } from '../../shell/failure.ts';
import type { Shell } from '../../shell/shell.ts';
import { quoted } from '../process/apply-line.ts';

/**
 * Runs one command line and returns its exit code. The only place that catches: invalid documents,
 * failures by code, and bugs. It never throws.
 */
export async function run(given: readonly string[], shell: Shell): Promise<number> {
  const renamed = findRenamed(given);
  const typed = renamed?.argv ?? given;
  if (renamed) await printRenamed(renamed, shell);
  const state = { exit: EXIT.done as number };
  const usage: string[] = [];
  const program = createProgram(
    withGlobalFlags(typed, shell),
    (code) => {
      state.exit = code;
    },
    (text) => usage.push(text),
  );
  const argv = withLongFlags(typed, flagsOf(commandIn(typed, program)));
  try {
    await program.parseAsync(withHelp(argv, program), { from: 'user' });
  } catch (error) {
    await printUsage(usage, shell);
    state.exit = await report(withCommand(error, argv, program), argv, shell, program).catch(
      (other: unknown) => {
        shell.err.write(`${netWords(isModuleMissing(other) ? other : error)}\n`);
        return EXIT.error;
      },
    );
  }
  return afterOutput(state.exit, argv, shell);
}

/** Says on stderr what takes the place of a name of an earlier version. */
async function printRenamed({ old, write }: Renamed, shell: Shell): Promise<void> {
  const { printMessages } = await import('../../shell/messages.ts');
  const { renamedWords } = await import('../../render/words/commands.ts');
  printMessages(shell, [renamedWords(old, write)]);
}

async function printUsage(usage: readonly string[], shell: Shell): Promise<void> {
  if (usage.length === 0) return;
  const { printMessages } = await import('../../shell/messages.ts');
  const { usageWords } = await import('../../render/words/commands.ts');
  const said = usage.map(usageWords).join('');
  // What stands in for a flag of another tool is the next step, and no help.
  printMessages(shell, [said.replace(/^(next: .*\n)next: [^]*$/m, '$1')]);
}

/** The command line; `--help` is added where it names only a command that holds others. */
function withHelp(argv: readonly string[], program: Command): string[] {
  const name = commandName(argv);
  const command = name === undefined ? program : program.commands.find((it) => it.name() === name);
  const isAlone = argv.every((text) => text === name || GLOBAL_FLAGS.includes(text));
  if (isAlone && name === 'version') return ['--version'];
  return isAlone && command && isGroup(command) ? [...argv, '--help'] : [...argv];
}

/** A usage error with the command that was typed, whose help comes next. */
function withCommand(error: unknown, argv: readonly string[], program: Command): unknown {
  if (!(error instanceof WorldError) || error.code !== 'usage') return error;
  const command = typedName(commandIn(argv, program));
  if (command === '') return error;
  return new WorldError(error.code, { ...error.params, command }, { cause: error });
}

function commandIn(argv: readonly string[], program: Command): Command {
  let command = program;
  for (const word of argv) {
    const below = command.commands.find((each) => each.name() === word);
    if (below) command = below;
    else if (!word.startsWith('-')) break;
  }
  return command;
}

/** The shell as `--quiet`, `--no-color` and the `--fleet` of one fleet set it; they may appear anywhere on the command line. */
function withGlobalFlags(argv: readonly string[], shell: Shell): Shell {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  const [folder = 'fleet', other] = flags.join('\n').match(/(?<=^--?fleet[=\n]).+$/gm) ?? [];
  const isOne = other === undefined && !/^fleet$|[*?]/.test(folder);
  return {
    ...shell,
    ...(isOne && { place: quoted(folder) }),
    ...(flags.includes('--no-color') && { env: { ...shell.env, NO_COLOR: '1' } }),
    ...((flags.includes('-q') || flags.includes('--quiet')) && { isQuiet: true }),
  };
}

const GLOBAL_FLAGS = ['-q', '--quiet', '--no-color'];

/** The name of the command: global flags may come before it, and take no value. */
function commandName(argv: readonly string[]): string | undefined {
  return argv.find((text) => !text.startsWith('-'));
}

/** The name of a command whose only result is what it prints or saves; undefined for any other. */
export function readingCommand(typed: readonly string[]): string | undefined {
  const command = commandName(findRenamed(typed)?.argv ?? typed) ?? 'help';
  const declared = COMMANDS.flatMap(([, all]) => all).find(({ name }) => name === command);
  return declared?.acts === true ? undefined : command;
}

/** The command that serves until it is stopped; `stays`: also when the process that started it has ended. */
export function servingCommand(typed: readonly string[]): 'twin' | 'stays' | undefined {
  const argv = findRenamed(typed)?.argv ?? typed;
  if (commandName(argv) !== 'twin' || argv.includes('--demo')) return undefined;
  return argv.includes('--keep-running') ? 'stays' : 'twin';
}

/** These commands report a lost report themselves. */
const SAYS_SO = ['apply', 'recover', 'unpause'];

/**
 * The exit code once all output has been written. Where it was lost, as on a full disk, that is
 * said; a command whose only result is its output has failed, and any other keeps its exit code.
 */
async function afterOutput(exit: number, argv: readonly string[], shell: Shell): Promise<number> {
  const lost = await Promise.race([shell.out.lost?.(), untilAborted(shell.stop.draining)]);
  if (!lost || SAYS_SO.includes(commandName(argv) ?? '')) return exit;
  const isReading = readingCommand(argv) !== undefined;
  const params = { cause: lost.message, ...(!isReading && { exit }) };
  await reportError(new WorldError('outputLost', params), false, shell);
  return isReading ? EXIT.error : exit;
}

function untilAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/**
 * Whether the files of the program were replaced during the run; that is then the message, not the
 * original error.
 */
function isModuleMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

async function report(
  error: unknown,
  argv: readonly string[],
  shell: Shell,
  program: Command,
): Promise<number> {
  const json = asksForJson(argv);
  if (error instanceof CommanderError)
    return reportUsage(error, { json, command: typedName(commandIn(argv, program)) }, shell);
  return reportThrown(error, { json, reading: readingCommand(argv) }, shell);
}

/** Commander has printed the usage error on stderr; JSON mode prints it as data, too. */
async function reportUsage(
  error: CommanderError,
  { json, command }: { readonly json: boolean; readonly command: string },
  shell: Shell,
): Promise<number> {
  if (error.exitCode === 0) return EXIT.done;
  const { usageWords } = await import('../../render/words/commands.ts');
  const message = usageWords(error.message).replace(/^error: /, '');
  const params = { message, ...(command !== '' && { command }) };
  if (json) await reportError(new WorldError('usage', params), json, shell);
  return EXIT.error;
}

/** Whether errors must be JSON, also if the command line itself is invalid. */
function asksForJson(argv: readonly string[]): boolean {
  const flags = commandName(argv) === 'get' ? ['-o', '--output', '--format'] : ['--format'];
  return argv.some(
    (text, index) =>
      flags.some((flag) => text === `${flag}=json`) ||
      (text === 'json' && flags.includes(argv[index - 1] ?? '')),
  );
}
