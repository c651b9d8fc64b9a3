import type { Command } from 'commander';
import type { Shell } from '../../shell/shell.ts';
import { toCount, toHorizon, toInstant } from './arguments.ts';
import { addCommand, SERVICE_VARIABLES, type OnExit } from './help.ts';
import {
  formatOption,
  saveSnapshotOption,
  snapshotOption,
  untilOption,
  withConnectionOptions,
  withReadingOptions,
} from './options.ts';

/**
 * Adds the command that tries documents on a copy of the fleet. It takes the flags of every command that reads the
 * fleet, and those of a simulation: its time, its seeds, and what goes wrong in it.
 */
export function addRehearse(program: Command, shell: Shell, onExit: OnExit): void {
  const command = addCommand(program, 'rehearse', {
    summary: 'Try the documents on a simulated copy of the fleet',
    more:
      'Runs apply in virtual time and shows when waves finish, which windows are too short, and ' +
      'how many devices are down at once. Only reads from the service.',
    examples: ['rehearse --horizon 2d --runs 1', 'rehearse --snapshot fleet.snapshot --runs 3'],
    environment: SERVICE_VARIABLES,
  });
  withReadingOptions(withConnectionOptions(command))
    .option('--from <TIME>', 'Start of the rehearsal (default: now)', toInstant)
    .addOption(untilOption('End of the rehearsal (default: 14 days after its start)'))
    .option('--horizon <DURATION>', 'Length of the rehearsal, in place of --until', toHorizon)
    .option('--runs <N>', 'Number of simulations (default: up to 5)', toCount)
    .option('--seed <N>', 'Seed of the first simulation', toCount, 1)
    .option('--faults <FILE>', 'Script of faults (JSON), compared with a run without')
    .addOption(snapshotOption())
    .addOption(saveSnapshotOption())
    .addOption(formatOption('text', 'json', 'html'))
    .action(async (options) => {
      const { rehearseCommand } = await import('../commands/adopt/rehearse.ts');
      onExit(await rehearseCommand(options, shell));
    });
}
