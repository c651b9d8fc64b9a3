import type { Command } from 'commander';
import { fleet, format } from './options.ts';
import type { Shell } from './shell.ts';

/** Commands that set up a repository. */
export function addRepositoryCommands(
  program: Command,
  shell: Shell,
  onExit: (code: number) => void,
): void {
  program
    .command('init')
    .description('write a first fleet/ and workflows for pull requests, apply and drift')
    .addOption(fleet())
    .option('--service <url>', 'address of the service; FLEETFORM_BASE_URL otherwise')
    .option('--organization <name>', 'organization there; FLEETFORM_ORGANIZATION otherwise')
    .option('--branch <name>', 'branch that apply runs on; found out from git otherwise')
    .option('--force', 'replace what is there already')
    .addOption(format('text', 'json'))
    .action(async (options) => {
      const { initCommand } = await import('./commands/init.ts');
      onExit(await initCommand(options, shell));
    });
}
