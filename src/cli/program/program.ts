import { Command } from 'commander';
import type { Shell } from '../../shell/shell.ts';
import { toolVersion } from '../../shell/version.ts';
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
export function createProgram(shell: Shell, onExit: OnExit): Command {
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
      writeErr: (text) => shell.err.write(text),
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
  return program;
}
