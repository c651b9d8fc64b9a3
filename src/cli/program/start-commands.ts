import { Argument, Option, type Command } from 'commander';
import type { Shell } from '../../shell/shell.ts';
import {
  collect,
  collectNames,
  splitNames,
  toChoice,
  toCount,
  toFormat,
  toOutput,
} from './arguments.ts';
import { addCommand, SERVICE_VARIABLES, type OnExit } from './help.ts';
import {
  fleetOption,
  formatOption,
  FLAG_GROUPS,
  serviceOption,
  snapshotOption,
  untilOption,
  withConnectionOptions,
} from './options.ts';

/** Adds the commands of the first hour: `init`, `validate`, `get`. */
export function addStartCommands(program: Command, shell: Shell, onExit: OnExit): void {
  program.commandsGroup('Start:');
  addInit(program, shell, onExit);
  addValidate(program, shell, onExit);
  addGet(program, shell, onExit);
}

function addInit(program: Command, shell: Shell, onExit: OnExit): void {
  const init = addCommand(program, 'init', {
    summary: 'Create a first fleet/ directory and CI workflows',
    more: 'Keeps existing files unless --force is given. Reads the names of sites if credentials are set.',
    examples: [
      'init --service https://api.example.com --organization acme',
      'init --organization acme --time-zone Europe/Berlin',
      'init --ci gitlab --approval plan',
    ],
    environment: [...SERVICE_VARIABLES, 'FLEETFORM_ORGANIZATION'],
  })
    .addOption(fleetOption())
    .addOption(serviceOption('Service URL (default: FLEETFORM_BASE_URL)'))
    .option('--organization <NAME>', 'Organization (default: FLEETFORM_ORGANIZATION)')
    .option('--time-zone <ZONE>', 'Time zone of every site of the service')
    .addOption(
      new Option('--ci <FORGE>', 'CI to write jobs for (default: from the remote)').choices([
        'github',
        'gitlab',
      ] as const),
    )
    .option('--branch <NAME>', 'Branch that apply runs on (default: from Git)')
    .addOption(
      new Option('--approval <KIND>', 'Approval of changes')
        .choices(['commit', 'plan'] as const)
        .default('commit' as const),
    )
    .option('--force', 'Replace existing files')
    .addOption(formatOption('text', 'json'))
    .action(async (options) => {
      const { initCommand } = await import('../commands/init.ts');
      onExit(await initCommand(options, shell));
    });
  addIncident(init, shell, onExit);
}

const CREDENTIALS = ['password', 'certificate'];

function addIncident(init: Command, shell: Shell, onExit: OnExit): void {
  addCommand(init, 'incident', {
    summary: 'Write one incident: rotate all credentials at a site now',
    examples: ['init incident --rotate password --site "Campus Munich" --ticket SEC-9'],
    environment: SERVICE_VARIABLES,
  })
    .requiredOption('--rotate <CREDENTIAL>', 'password or certificate', toChoice(CREDENTIALS))
    .requiredOption('--site <SITE>', 'These sites, by name, ID or glob', collectNames)
    .requiredOption('--ticket <TICKET>', 'Ticket of the incident')
    .option('--reason <REASON>', 'Reason on record', 'known outside')
    .option('--owner <NAME>', 'Owner of the incident (default: git user.name)')
    .option('--device-type <TYPE>', 'Only devices of this type (default: all types)')
    .addOption(untilOption('End of the incident (default: in 10 hours)'))
    .option('--name <NAME>', 'Name of the entry (default: from the site)')
    .option('--expect <N>', 'Maximum number of devices (default: as counted now)', toCount)
    .action(async (_, command) => {
      const { initIncidentCommand } = await import('../commands/init-incident.ts');
      onExit(await initIncidentCommand(command.optsWithGlobals(), shell));
    });
}

function addValidate(program: Command, shell: Shell, onExit: OnExit): void {
  addCommand(program, 'validate', {
    summary: 'Check all documents offline and report every problem',
    examples: ['validate', 'validate --format json'],
  })
    .addOption(fleetOption())
    .addOption(formatOption('text', 'json'))
    .action(async (options) => {
      const { validateCommand } = await import('../commands/documents/validate.ts');
      onExit(await validateCommand(options, shell));
    });
}

const RESOURCES = [
  'devices',
  'device',
  'sites',
  'sources',
  'discovered',
  'task',
  'vulnerabilities',
  'passwords',
  'certificates',
  'target-firmware',
  'firmware-paths',
];

const GET_FORMATS = ['table', 'json', 'ndjson', 'csv'];

function addGet(program: Command, shell: Shell, onExit: OnExit): void {
  const rows = 'Rows:';
  const resource = new Argument('<RESOURCE>', RESOURCES.join(', '));
  const output = new Option('-o, --output <FORMAT>', 'Format').choices(GET_FORMATS);
  output.argParser(toOutput(GET_FORMATS));
  const format = new Option('--format <FORMAT>', 'Same as --output').choices(GET_FORMATS);
  format.argParser(toFormat(GET_FORMATS));
  withConnectionOptions(
    addCommand(program, 'get', {
      summary: 'Read devices, sites, a task and more from the service',
      more: 'Reads all pages at the pace of the service. Works without documents.',
      examples: [
        'get devices --filter status=offline',
        "get devices --select 'vendor: Axis' --count-by model,firmware",
        'get task 42 --steps',
      ],
      environment: SERVICE_VARIABLES,
    }),
  )
    .addArgument(resource.choices(RESOURCES).argParser(toChoice(RESOURCES)))
    .argument('[ID]', 'ID to read; for passwords and the like, the ID of the device')
    .optionsGroup(rows)
    .option('--filter <KEY=VALUE>', 'Filter that the service applies (repeatable)', collect, [])
    .option('--select <SELECTOR>', 'Only rows that this selector matches')
    .option('--columns <NAMES>', 'Columns to print: headings or dotted fields', splitNames)
    .option('--count-by <NAMES>', 'Count rows by these columns', splitNames)
    .addOption(snapshotOption())
    .option('--steps', 'With task: print the steps of each device task')
    .option('--status <STATUS>', 'With task: only device tasks with this status')
    .option('--result <RESULT>', 'With task: only device tasks with this result')
    .addOption(output.default('table').helpGroup(FLAG_GROUPS.output))
    .addOption(format.helpGroup(FLAG_GROUPS.output))
    .action(async (kind, id, options) => {
      const { getCommand } = await import('../commands/get/get-command.ts');
      const chosen = options.format ?? options.output;
      onExit(await getCommand({ ...options, output: chosen, resource: kind, id }, shell));
    });
}
