import { Argument, Option, type Command as Registered } from 'commander';
import type { Shell } from '../../shell/shell.ts';
import { toChoice, toText } from './arguments.ts';
import type { AnyCommand, Flag } from './command.ts';
import { FLAGS, keepHelp, type OnExit } from './help.ts';

/** Adds a command below `program`, or below the one of its group, with the heading that the help lists it under. */
export function register(
  program: Registered,
  heading: string,
  declared: AnyCommand,
  { shell, onExit }: { readonly shell: Shell; readonly onExit: OnExit },
): void {
  const { name, summary, more, flags, shared, examples } = declared;
  const words = name.split(' ');
  const above = words.slice(0, -1).reduce(findBelow, program);
  const made = above
    .command(words.at(-1) ?? '')
    .summary(summary)
    .description(`${summary}.${more === undefined ? '' : ` ${more}`}`)
    .helpGroup(heading)
    .showHelpAfterError(`next: Run \`fleetform ${name} --help\`.`);
  if (above !== program) above.allowExcessArguments();
  keepHelp(made, declared);
  for (const [key, flag] of Object.entries(flags))
    if (flag.isArgument) made.addArgument(toArgument(flag));
    else made.addOption(toOption(key, flag, name));
  if (examples.length === 0) return;
  const names = Object.keys(flags).filter((key) => flags[key]?.isArgument);
  made.action(async () => {
    const given = names.map((key, at) => [key, made.processedArgs[at] as unknown] as const);
    const values = {
      ...(shared ? made.optsWithGlobals() : made.opts()),
      ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    };
    onExit(await declared.run(values as never, shell, made));
  });
}

function findBelow(command: Registered, name: string): Registered {
  return command.commands.find((each) => each.name() === name) ?? command;
}

function toArgument({ value = '', about, choices, parse, default: initial }: Flag): Argument {
  const argument = new Argument(value.startsWith('[') ? value : `<${value}>`, about);
  if (choices) argument.choices(choices).argParser(parse ?? toChoice(choices));
  return initial === undefined ? argument : argument.default(initial);
}

function toOption(key: string, flag: Flag, command: string): Option {
  const { value, about, parse, choices, short, shown, group = FLAGS } = flag;
  const long = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const form = value === undefined || value.startsWith('[') ? value : `<${value}>`;
  const term = [short === undefined ? long : `${short}, ${long}`, form].join(' ').trimEnd();
  const option = new Option(term, about).helpGroup(group);
  if (choices) option.choices(choices);
  const parser = parse ?? (choices ? toChoice(choices) : undefined);
  if (parser) option.argParser(parser as typeof toText);
  else if (option.required && !mayBeEmpty(key, command)) option.argParser(toText);
  if (flag.default !== undefined) option.default(flag.default, shown);
  if (flag.must) option.makeOptionMandatory();
  return flag.isHidden ? option.hideHelp() : option;
}

/** Whether a flag takes an input of a workflow that may be left out: of the `ci` commands, and the ticket of any. */
function mayBeEmpty(key: string, command: string): boolean {
  return key === 'ticket' || command.startsWith('ci ');
}
