import type { Command } from 'commander';
import { DRIFT_FORMATS } from '../commands/show-drift.ts';
import type { Shell } from '../../shell/shell.ts';
import { addCommand, SERVICE_VARIABLES, type OnExit } from './help.ts';
import { addImport } from './import-command-line.ts';
import {
  allOption,
  FLAG_GROUPS,
  formatOption,
  outOption,
  saveSnapshotOption,
  snapshotOption,
  withAgeOption,
  withConnectionOptions,
  withPartOptions,
  withReadingOptions,
} from './options.ts';

/** Adds the commands that explain and change nothing. */
export function addUnderstandCommands(program: Command, shell: Shell, onExit: OnExit): void {
  program.commandsGroup('Understand:');
  addWhy(program, shell, onExit);
  addWho(program, shell, onExit);
  addStatus(program, shell, onExit);
  addDrift(program, shell, onExit);
  addExplain(program, shell, onExit);
}

/** Adds the commands that meet a service for the first time. */
export function addAdoptCommands(program: Command, shell: Shell, onExit: OnExit): void {
  program.commandsGroup('Adopt and foresee:');
  addImport(program, shell, onExit);
  addDoctor(program, shell, onExit);
}

function addDoctor(program: Command, shell: Shell, onExit: OnExit): void {
  const command = addCommand(program, 'doctor', {
    summary: "Check the service against fleetform's assumptions",
    more: 'Sends reads and the token request only. Exits with 2 if something differs.',
    examples: [
      'doctor',
      'doctor --all # every assumption, with what was observed',
      'doctor --task 42 --format json',
    ],
    environment: [...SERVICE_VARIABLES, 'FLEETFORM_ORGANIZATION'],
  });
  withConnectionOptions(command)
    .option('--task <ID>', 'ID of a finished task, to check its steps too')
    .option('--all', 'Show every assumption, confirmed ones too')
    .addOption(formatOption('text', 'json').helpGroup(FLAG_GROUPS.output))
    .action(async (options) => {
      const { doctorCommand } = await import('../commands/adopt/doctor.ts');
      onExit(await doctorCommand(options, shell));
    });
}

function addWhy(program: Command, shell: Shell, onExit: OnExit): void {
  const command = addCommand(program, 'why', {
    summary: 'Explain every decision about one device',
    more: 'Lists each policy that selects it, winners and losers, with their lines.',
    examples: ['why dev-441', 'why dev-441 --snapshot fleet.snapshot'],
    environment: SERVICE_VARIABLES,
  });
  withPartOptions(withAgeOption(withConnectionOptions(command)))
    .argument('<DEVICE>', 'ID or unique name of the device')
    .option('--all', 'List each step of the decisions, not only the last one')
    .addOption(snapshotOption())
    .addOption(formatOption('text', 'json'))
    .action(async (device, options) => {
      const { whyCommand } = await import('../commands/why.ts');
      onExit(await whyCommand({ ...options, part: options, device }, shell));
    });
}

function addWho(program: Command, shell: Shell, onExit: OnExit): void {
  withConnectionOptions(
    addCommand(program, 'who', {
      summary: 'List the devices that a line of YAML applies to',
      examples: ['who fleet/policies/firmware.yaml:5'],
      environment: SERVICE_VARIABLES,
    }),
  )
    .argument('<FILE:LINE>', 'Line of a document, as `plan` prints it')
    .addOption(allOption())
    .addOption(snapshotOption())
    .addOption(formatOption('text', 'json'))
    .action(async (line, options) => {
      const { whoCommand } = await import('../commands/who.ts');
      onExit(await whoCommand({ ...options, line }, shell));
    });
}

function addStatus(program: Command, shell: Shell, onExit: OnExit): void {
  const command = addCommand(program, 'status', {
    summary: 'Show rollouts, overdue work, pauses and tasks in doubt',
    examples: ['status', 'status --only firmware.*'],
    environment: SERVICE_VARIABLES,
  });
  withPartOptions(withReadingOptions(withConnectionOptions(command)))
    .option('--all', 'List policies with nothing to do, too')
    .addOption(snapshotOption())
    .addOption(formatOption('text', 'json'))
    .action(async (options) => {
      const { statusCommand } = await import('../commands/status.ts');
      onExit(await statusCommand(options, shell));
    });
}

function addDrift(program: Command, shell: Shell, onExit: OnExit): void {
  withReadingOptions(
    withConnectionOptions(
      addCommand(program, 'drift', {
        summary: 'Show devices that no longer match what fleetform applied',
        more: 'Changes nothing. Exits with 2 if there is drift.',
        examples: ['drift', 'drift -o drift.json --format md'],
        environment: SERVICE_VARIABLES,
      }),
    ),
  )
    .addOption(outOption())
    .addOption(saveSnapshotOption())
    .addOption(allOption())
    .addOption(snapshotOption())
    .addOption(formatOption(...DRIFT_FORMATS))
    .action(async (options) => {
      const { driftCommand } = await import('../commands/drift.ts');
      onExit(await driftCommand(options, shell));
    });
}

function addExplain(program: Command, shell: Shell, onExit: OnExit): void {
  addCommand(program, 'explain', {
    summary: 'Describe a field of the documents',
    more: 'Without FIELD, lists the sections.',
    examples: ['explain', 'explain firmware.version'],
  })
    .argument('[FIELD]', 'Section, or dotted path of a field')
    .addOption(formatOption('text', 'json'))
    .action(async (field, options) => {
      const { explainCommand } = await import('../commands/documents/explain.ts');
      onExit(await explainCommand({ ...options, field }, shell));
    });
}
