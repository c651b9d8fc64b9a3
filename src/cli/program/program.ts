import { Command, type Option } from 'commander';
import type { Shell } from '../../shell/shell.ts';
import { nearest } from '../../lib/nearest-name.ts';
import { toolVersion } from '../../shell/version.ts';
import { toChoice, toText } from './arguments.ts';
import { addChangeCommands } from './change-commands.ts';
import { addCiCommands } from './ci-commands.ts';
import { addCompletion } from './completion.ts';
import { HELP_LAYOUT, type OnExit } from './help.ts';
import { addRecordCommands } from './record-commands.ts';
import { addRehearse } from './rehearse-command-line.ts';
import { addReport } from './report-command-line.ts';
import { addStartCommands } from './start-commands.ts';
import { addTryCommands } from './try-commands.ts';
import { addAdoptCommands, addUnderstandCommands } from './understand-commands.ts';

const ABOUT =
  'Infrastructure as code for camera fleets: plan, review, apply and verify changes ' +
  'to firmware, passwords, certificates and onboarding, from YAML in Git.';

/**
 * The command line: names, flags and help, a file for each group of commands. The code of a command
 * is loaded when it runs, so that `--help` is fast. Without a command it prints the help.
 */
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
  addStartCommands(program, shell, onExit);
  addChangeCommands(program, shell, onExit);
  addUnderstandCommands(program, shell, onExit);
  addAdoptCommands(program, shell, onExit);
  addReport(program, shell, onExit);
  addRehearse(program, shell, onExit);
  addRecordCommands(program, shell, onExit);
  addTryCommands(program, shell, onExit);
  addCiCommands(program, shell, onExit);
  addCompletion(program, shell, onExit);
  checkValues(program);
  for (const command of allBelow(program))
    command.showHelpAfterError(`next: Run \`fleetform ${commandPath(command)} --help\`.`);
  return program;
}

/**
 * Answers a typo by the nearest word wherever a command line takes one of a closed list: the value of
 * a flag, an argument, and the subcommand of a command that also runs alone, such as `audit`.
 * Commander does so for flags and commands only. An empty value is refused, too.
 */
function checkValues(program: Command): void {
  for (const command of allBelow(program)) {
    for (const option of command.options)
      if (option.argChoices && !option.variadic) option.argParser(toChoice(option.argChoices));
      else if (option.required && !option.parseArg && !mayBeEmpty(option, command))
        option.argParser(toText);
    for (const argument of command.registeredArguments)
      if (argument.argChoices) argument.argParser(toChoice(argument.argChoices));
    if (command.commands.length > 0) command.allowExcessArguments();
  }
  program.hook('preAction', (_, command) => refuseExcess(command));
}

/** Whether a flag takes an input of a workflow that may be left out: of the `ci` commands, and the ticket of any. */
function mayBeEmpty({ long }: Option, command: Command): boolean {
  return long === '--ticket' || commandPath(command).startsWith('ci ');
}

/** A command as it is typed, without the name of the program: `ci look`. */
export function commandPath(command: Command): string {
  const above = command.parent?.parent ? `${commandPath(command.parent)} ` : '';
  return `${above}${command.name()}`;
}

function allBelow(command: Command): readonly Command[] {
  return command.commands.flatMap((each) => [each, ...allBelow(each)]);
}

/** Fails for an argument that can only be a misspelt subcommand. */
function refuseExcess(command: Command): void {
  const name = command.args[command.registeredArguments.length];
  if (command.commands.length === 0 || name === undefined) return;
  const names = command.commands.map((each) => each.name()).filter((each) => each !== 'help');
  const found = nearest(name, names);
  const hint = found === undefined ? '' : `\n(Did you mean ${found}?)`;
  command.error(`error: unknown command '${name}'${hint}`, { code: 'commander.unknownCommand' });
}
