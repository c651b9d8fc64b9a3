import { Command, Argument, Option, type Command as Registered } from 'commander';
import { basename } from 'node:path';
import { nearest } from '../../lib/nearest-name.ts';
import { usage } from '../../model/error.ts';
import { toolVersion } from '../../shell/version.ts';
import { HELP_LAYOUT, type OnExit, FLAGS, HELP } from './help.ts';
import { COMMANDS } from '../table.ts';
import { hasOwnCredentials } from '../../shell/credentials.ts';
import type { Shell } from '../../shell/shell.ts';
import { toChoice, toText } from './flags.ts';
import { longName, type AnyCommand, type Flag } from './command.ts';

const ABOUT = 'Infrastructure as code for camera fleets: plan, review, apply and verify.';

/** The command line: names, flags and help of all commands. Without a command it prints the help. */
export function createProgram(
  shell: Shell,
  onExit: OnExit,
  onUsage: (text: string) => void = () => undefined,
): Command {
  const program = new Command('fleetform')
    .description(ABOUT)
    .version(toolVersion(), '-V, --version', 'Show the version')
    .helpOption('-h, --help', 'Show help for fleetform or a command')
    .option('-q, --quiet', 'Show no progress')
    .option('--no-color', 'Disable colors')
    .exitOverride()
    .showHelpAfterError('next: Run `fleetform --help`.')
    .configureHelp(HELP_LAYOUT)
    .configureOutput({
      writeOut: (text) => shell.out.write(text),
      writeErr: onUsage,
      getOutHelpWidth: () => Math.min(shell.out.columns, 100),
      getErrHelpWidth: () => Math.min(shell.err.columns, 100),
    });
  for (const [heading, commands] of COMMANDS)
    for (const declared of commands) register(program, heading, declared, { shell, onExit });
  program.hook('preAction', (_, command) => refuseExcess(command));
  return program;
}

/**
 * Fails for an argument that can only be a misspelt subcommand of a command that also runs alone, such as `audit`:
 * with the nearest word, as commander does elsewhere.
 */
function refuseExcess(command: Command): void {
  const name = command.args[command.registeredArguments.length];
  if (command.commands.length === 0 || name === undefined) return;
  const names = command.commands.map((each) => each.name()).filter((each) => each !== 'help');
  const found = nearest(name, names);
  const hint = found === undefined ? '' : `\n(Did you mean ${found}?)`;
  command.error(`error: unknown command '${name}'${hint}`, { code: 'commander.unknownCommand' });
}

/** Adds a command below `program`, or below the one of its group, with the heading that the help lists it under. */
export function register(
  program: Registered,
  heading: string,
  declared: AnyCommand,
  { shell, onExit }: { readonly shell: Shell; readonly onExit: OnExit },
): void {
  const { name, summary, more, flags, shared, examples } = declared;
  const words = name.split(' ');
  const above = words
    .slice(0, -1)
    .reduce((from, word) => from.commands.find((each) => each.name() === word) ?? from, program);
  const made = above
    .command(words.at(-1) ?? '')
    .summary(summary)
    .description(`${summary}.${more === undefined ? '' : ` ${more}`}`)
    .helpGroup(heading)
    .showHelpAfterError(`next: Run \`fleetform ${name} --help\`.`);
  if (above !== program) above.allowExcessArguments();
  HELP.set(made, declared);
  for (const [key, flag] of Object.entries(flags))
    if (flag.isArgument) made.addArgument(toArgument(flag));
    else addOnce(made, toOption(key, key === 'format' ? withPage(flag, flags) : flag, name));
  if (examples.length === 0) return;
  const names = Object.keys(flags).filter((key) => flags[key]?.isArgument);
  made.action(async () => {
    const given = names.map((key, at) => [key, made.processedArgs[at] as unknown] as const);
    const values = {
      ...(shared ? made.optsWithGlobals() : made.opts()),
      ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    };
    onExit(await runFor(declared, values, shell, made));
  });
}

/** Adds a flag. One that takes a single value fails where it is given again, so that no value is dropped unsaid. */
function addOnce(made: Registered, option: Option): void {
  const isSwitch = !option.required && !option.optional;
  let isGiven = false;
  made.addOption(option).on(`option:${option.name()}`, () => {
    const value: unknown = made.getOptionValue(option.attributeName());
    if (isGiven && !isSwitch && !Array.isArray(value))
      made.error(`error: option '${option.flags}' is given twice, and takes one value`);
    // An empty input of a workflow is none.
    isGiven = value !== undefined;
  });
}

/** Runs a command for its one fleet; for each of several where `--fleet` is repeated or a pattern. Throws `usage`. */
async function runFor(
  declared: AnyCommand,
  { allFleets, ...values }: Readonly<Record<string, unknown>>,
  shell: Shell,
  made: Registered,
): Promise<number> {
  const { name, flags, shared } = declared;
  const given = Array.isArray(values['fleet']) ? (values['fleet'] as readonly string[]) : [];
  const paths = allFleets === true ? [...given, 'fleet/*'] : given;
  if (paths.length > 1 || paths.some((path) => /[*?]/.test(path))) {
    if (!flags['allFleets'])
      throw usage(`${name} takes one fleet: run it for each, with --fleet fleet/NAME`);
    const { runSeveral } = await import('../process/several-fleets.ts');
    return runSeveral(declared, paths, values, shell);
  }
  const { choices } = { ...shared, ...flags }['format'] ?? {};
  if (values['format'] === 'html' && !choices?.includes('html'))
    throw usage(`${name} has a page of several fleets only: add --all-fleets`);
  const [only] = paths;
  if (only === undefined) return declared.run(values as never, shell, made);
  const runHere = (own: Shell): Promise<number> =>
    declared.run({ ...values, fleet: only } as never, own, made);
  if (name === 'init' || !hasOwnCredentials(basename(only), shell.env)) return runHere(shell);
  const { runNamed } = await import('../process/several-fleets.ts');
  return runNamed(runHere, only, shell);
}

/** A command of several fleets has a page of them, whatever it prints of one. */
function withPage(flag: Flag, { allFleets }: AnyCommand['flags']): Flag {
  const { choices = [] } = flag;
  return allFleets ? { ...flag, choices: [...new Set([...choices, 'html'])] } : flag;
}

function toArgument({ value = '', about, choices, parse, default: initial }: Flag): Argument {
  const argument = new Argument(value.startsWith('[') ? value : `<${value}>`, about);
  if (choices) argument.choices(choices).argParser(parse ?? toChoice(choices));
  return initial === undefined ? argument : argument.default(initial);
}

function toOption(key: string, flag: Flag, command: string): Option {
  const { value, about, parse, choices, short, shown, group = FLAGS } = flag;
  const long = longName(key);
  const form = value === undefined || value.startsWith('[') ? value : `<${value}>`;
  const term = [short === undefined ? long : `${short}, ${long}`, form].join(' ').trimEnd();
  const option = new Option(term, about).helpGroup(group);
  if (choices) option.choices(choices);
  const parser = parse ?? (choices ? toChoice(choices) : undefined);
  if (parser) option.argParser(parser as typeof toText);
  else if (option.required && !mayBeEmpty(key, command)) option.argParser(toText);
  const { parseArg: read } = option;
  if (key === 'fleet')
    option.argParser((text, all: unknown) => [
      ...(Array.isArray(all) ? (all as unknown[]) : []),
      read ? read(text, undefined) : text,
    ]);
  if (flag.default !== undefined) option.default(flag.default, shown);
  if (flag.must) option.makeOptionMandatory();
  return flag.isHidden ? option.hideHelp() : option;
}

/** Whether a flag takes an input of a workflow that may be left out: of the `ci` commands, and the ticket of any. */
function mayBeEmpty(key: string, command: string): boolean {
  return key === 'ticket' || command.startsWith('ci ');
}
