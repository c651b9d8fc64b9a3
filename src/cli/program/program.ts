import { Command } from 'commander';
import { nearest } from '../../lib/nearest-name.ts';
import type { Shell } from '../../shell/shell.ts';
import { toolVersion } from '../../shell/version.ts';
import { HELP_LAYOUT, type OnExit } from './help.ts';
import { register } from './register.ts';
import { COMMANDS } from '../table.ts';

const ABOUT =
  'Infrastructure as code for camera fleets: plan, review, apply and verify changes ' +
  'to firmware, passwords, certificates and onboarding, from YAML in Git.';

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
