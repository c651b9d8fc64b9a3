import { Option, type Command } from 'commander';
import type { Shell } from '../../shell/shell.ts';
import { toCount, toMilliseconds } from './arguments.ts';
import { addCommand, type OnExit } from './help.ts';
import { formatOption } from './options.ts';

/** Adds the commands that need no service. */
export function addTryCommands(program: Command, shell: Shell, onExit: OnExit): void {
  program.commandsGroup('Try:');
  addTwin(program, shell, onExit);
  addDemo(program, shell, onExit);
}

function addTwin(program: Command, shell: Shell, onExit: OnExit): void {
  const unknown = new Option('--unknown-filters <BEHAVIOR>', 'How to answer an unknown filter');
  addCommand(program, 'twin', {
    summary: 'Serve a local simulator of the service',
    more: 'Listens on loopback only. Prints its URL and the credentials of its users, and keeps them and its world below .fleetform for the commands of this directory, unless --world names a file.',
    examples: ['twin', 'twin --port 0 --devices 4000 --seed 1 --world world.json --write-env .env'],
  })
    .option('--port <PORT>', 'Port, 0 for any free one (default: the first from 8080 on)', toCount)
    .addOption(formatOption('text', 'json'))
    .optionsGroup('Fleet:')
    .option('--devices <N>', 'Number of devices (default: 1000)', toCount)
    .option('--sites <N>', 'Number of sites (default: 12)', toCount)
    .option('--seed <N>', 'Seed of the fleet and its credentials', toCount)
    .option('--world <FILE>', 'Load the world from FILE and save it on exit')
    .optionsGroup('Behavior:')
    .option('--faults <FILE>', 'Script of faults (JSON)')
    .option('--dialect <FILE>', 'Dialect of the service (JSON, keys of docs/dialect.md)')
    .addOption(unknown.choices(['ignore', 'refuse', 'empty']))
    .option('--latency <DURATION>', 'Delay of every response', toMilliseconds)
    .option('--rate-limit <N>', 'Requests per second and endpoint before 429', Number)
    .option('--max-devices-per-task <N>', 'Maximum devices per task (default: 100)', toCount)
    .option('--time-scale <N>', 'Divide durations of tasks and reboots by N', Number, 1)
    .option('--keep-running', 'Do not stop when the shell that started it ends')
    .option('--write-env <FILE>', 'Write URL and admin credentials to FILE')
    .addOption(new Option('--env-file <file>', 'Same as --write-env').hideHelp())
    .action(async (options) => {
      const { twinCommand } = await import('../commands/try/twin-command.ts');
      onExit(await twinCommand(options, shell));
    });
}

function addDemo(program: Command, shell: Shell, onExit: OnExit): void {
  addCommand(program, 'demo', {
    summary: 'Run the whole workflow against a simulator',
    more: 'Needs no account and no service, and takes less than a minute.',
    examples: ['demo'],
  })
    .option('--keep <DIR>', 'Keep documents, plan and ledger in DIR')
    .action(async (options) => {
      const { demoCommand } = await import('../commands/try/demo.ts');
      onExit(await demoCommand(options, shell));
    });
}
