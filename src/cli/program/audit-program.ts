import type { Command } from 'commander';
import { fleet, format } from './options.ts';
import type { Shell } from '../shell/shell.ts';

/** `audit` and `audit verify`: what was done, and the proof of it. Neither speaks to the service. */
export function addAudit(program: Command, shell: Shell, onExit: (code: number) => void): void {
  const audit = program
    .command('audit')
    .description('say what was done to the fleet: by commit, by device, by policy; from the ledger')
    .option('--commit <commit>', 'only runs of this commit')
    .option('--device <id>', 'only what concerns this device')
    .option('--policy <address>', 'only what concerns this policy: firmware.NAME')
    .addOption(fleet())
    .option('--service <url>', 'the address that the ledger is of, instead of service.baseUrl')
    .option('--offline', 'ask no remote: take what this clone has of a shared ledger')
    .addOption(format('text', 'json'))
    .action(async (options) => {
      const { auditCommand } = await import('../commands/audit.ts');
      onExit(await auditCommand(options, shell));
    });
  audit
    .command('verify')
    .description('prove the record offline: chain, protocol, notes, documents; with files the plan')
    .option('--snapshot <file>', 'the snapshot that was kept: the plan is made again from it')
    .option('--plan <file>', 'the saved plan that was approved')
    .action(async (_, command: Command) => {
      const { verifyCommand } = await import('../commands/audit-verify.ts');
      onExit(await verifyCommand(command.optsWithGlobals(), shell));
    });
}
