import { Option, type Command } from 'commander';
import type { Shell } from '../../shell/shell.ts';
import { addCommand, type OnExit } from './help.ts';
import {
  byOption,
  fleetOption,
  formatOption,
  ledgerOption,
  snapshotOption,
  withLockOptions,
} from './options.ts';

/** Adds the commands that read and correct the ledger. None contacts the service. */
export function addRecordCommands(program: Command, shell: Shell, onExit: OnExit): void {
  program.commandsGroup('Record:');
  addAudit(program, shell, onExit);
  addResolve(program, shell, onExit);
  addUnlock(program, shell, onExit);
  addLedger(program, shell, onExit);
}

function addLedger(program: Command, shell: Shell, onExit: OnExit): void {
  const ledger = addCommand(program, 'ledger', {
    summary: 'Record where the ledger and the service are',
    examples: [],
  });
  const move = addCommand(ledger, 'move', {
    summary: 'Record that the ledger or the service has moved',
    more: 'Without --reason, shows both grounds: service, ledger, kind of approval. Sends nothing.',
    examples: ['ledger move', 'ledger move --reason "repository renamed"'],
  })
    .option('--reason <REASON>', 'Reason for the move')
    .option('--adopt', 'Take the present ledger as it is, with its own records')
    .option('--yes', 'Skip the confirmation prompt')
    .addOption(byOption())
    .addOption(fleetOption())
    .addOption(ledgerOption());
  withLockOptions(move).action(async (options) => {
    const { moveCommand } = await import('../commands/ledger/move.ts');
    onExit(await moveCommand(options, shell));
  });
}

function addAudit(program: Command, shell: Shell, onExit: OnExit): void {
  const audit = addCommand(program, 'audit', {
    summary: 'Show what was done, by commit, device or policy',
    more: 'Reads the ledger alone.',
    examples: ['audit', 'audit --policy rotations.camera-passwords'],
  })
    .option('--commit <COMMIT>', 'Only runs of this commit')
    .option('--device <ID>', 'Only records about this device')
    .option('--policy <POLICY>', 'Only records about this policy: firmware.NAME')
    .addOption(fleetOption())
    .addOption(ledgerOption())
    .option('--offline', 'Read the copy of a shared ledger in this clone')
    .addOption(formatOption('text', 'json'))
    .action(async (options) => {
      const { auditCommand } = await import('../commands/audit.ts');
      onExit(await auditCommand(options, shell));
    });
  addCommand(audit, 'verify', {
    summary: 'Verify ledger, notes and documents offline',
    more: 'With --snapshot and --plan, computes the plan again and compares.',
    examples: ['audit verify', 'audit verify --snapshot fleet.snapshot --plan plan.json'],
  })
    .addOption(snapshotOption('Snapshot that the plan was based on'))
    .option('--plan <FILE>', 'Saved plan that was approved')
    .action(async (_, command: Command) => {
      const { verifyCommand } = await import('../commands/audit-verify.ts');
      onExit(await verifyCommand(command.optsWithGlobals(), shell));
    });
}

const AS = ['done', 'not-done'];

function addResolve(program: Command, shell: Shell, onExit: OnExit): void {
  const command = addCommand(program, 'resolve', {
    summary: 'Record the outcome of a task in doubt (sends nothing)',
    more: 'Check the device first. `status` prints INTENT.',
    examples: ['resolve INTENT --as done --reason "picture and time are right"'],
  })
    .argument('<INTENT>', 'Intent in doubt')
    .addOption(new Option('--as <OUTCOME>', 'Outcome').choices(AS).makeOptionMandatory())
    .requiredOption('--reason <REASON>', 'Evidence for the outcome')
    .addOption(byOption())
    .addOption(fleetOption())
    .addOption(ledgerOption());
  withLockOptions(command)
    .addOption(formatOption('text', 'json'))
    .action(async (intent, options) => {
      const { resolveCommand } = await import('../commands/resolve.ts');
      onExit(await resolveCommand({ ...options, intent }, shell));
    });
}

function addUnlock(program: Command, shell: Shell, onExit: OnExit): void {
  addCommand(program, 'unlock', {
    summary: "Release another run's lock (emergency stop)",
    more: 'That run starts no further task. `resume` finishes what it started.',
    examples: [
      'unlock --reason "runner lost"',
      'unlock --accept-loss --reason "disk lost, no copy"',
    ],
  })
    .requiredOption('--reason <REASON>', 'Reason to release the lock')
    .option('--accept-loss', 'Continue a ledger that lacks records seen before')
    .option('--reject-head', 'Record that a note or a kept head is false')
    .addOption(byOption())
    .addOption(fleetOption())
    .addOption(ledgerOption())
    .addOption(formatOption('text', 'json'))
    .action(async (options) => {
      const { unlockCommand } = await import('../commands/unlock.ts');
      onExit(await unlockCommand(options, shell));
    });
}
