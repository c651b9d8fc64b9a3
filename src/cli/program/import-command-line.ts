import type { Command } from 'commander';
import type { Shell } from '../../shell/shell.ts';
import { addCommand, SERVICE_VARIABLES, type OnExit } from './help.ts';
import {
  FLAG_GROUPS,
  formatOption,
  saveSnapshotOption,
  snapshotOption,
  withConnectionOptions,
} from './options.ts';

/**
 * Adds the command that writes documents from a fleet. It has flags of a first run, as `init` does:
 * a service that no document names yet.
 */
export function addImport(program: Command, shell: Shell, onExit: OnExit): void {
  const command = addCommand(program, 'import', {
    summary: 'Write documents that describe the live fleet',
    more:
      'A plan with them has no changes. Replaces no file: a second run shows how the fleet differs ' +
      'and exits with 2. Only reads from the service.',
    examples: [
      'import --time-zone Europe/Berlin',
      'import --snapshot fleet.snapshot --dry-run',
      'import --out fleet/imported --format json',
    ],
    environment: [...SERVICE_VARIABLES, 'FLEETFORM_ORGANIZATION'],
  });
  withConnectionOptions(command)
    .option('--organization <NAME>', 'Organization, if no document names it')
    .option('--time-zone <ZONE>', 'Time zone of every site that has none')
    .optionsGroup(FLAG_GROUPS.output)
    .option('--out <DIR>', 'Directory to write to (default: that of --fleet)')
    .option('--dry-run', 'Print the documents and write none')
    .option('--all', 'List every difference instead of the first ones')
    .addOption(snapshotOption())
    .addOption(saveSnapshotOption())
    .addOption(formatOption('text', 'json'))
    .action(async (options) => {
      const { importCommand } = await import('../commands/adopt/import.ts');
      onExit(await importCommand(options, shell));
    });
}
