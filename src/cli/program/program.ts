import { Command, Option } from 'commander';
import {
  collect,
  toDuration,
  toHorizon,
  toInstant,
  toMilliseconds,
  toChoice,
  toCount,
  splitNames,
} from './arguments.ts';
import {
  withAgeOption,
  withConnectionOptions,
  withReadingOptions,
  fleetOption,
  formatOption,
  snapshotOption,
  limitOption,
  withPartOptions,
  withWriteOptions,
} from './options.ts';
import { addRepositoryCommands } from './program-repository.ts';
import { PLAN_FORMATS } from '../commands/show-plan.ts';
import type { Shell } from '../shell/shell.ts';
import { toolVersion } from '../shell/version.ts';

/** Called with the exit code of the command. */
type OnExit = (code: number) => void;

/**
 * The command line: names, flags and help. The code of a command is loaded when it runs, so that
 * `--help` is fast.
 */
export function createProgram(shell: Shell, onExit: OnExit): Command {
  const program = new Command('fleetform')
    .description(
      'Desired state for fleets of physical security devices, in git: plan, review, apply, verify.',
    )
    .version(toolVersion())
    .exitOverride()
    .showHelpAfterError('(fleetform COMMAND --help lists what it takes)')
    .configureOutput({
      writeOut: (text) => shell.out.write(text),
      writeErr: (text) => shell.err.write(text),
      getOutHelpWidth: () => Math.min(shell.out.columns, 100),
      getErrHelpWidth: () => Math.min(shell.err.columns, 100),
    });
  addDocumentCommands(program, shell, onExit);
  addPlanCommands(program, shell, onExit);
  addWho(program, shell, onExit);
  addApplyCommands(program, shell, onExit);
  addStatus(program, shell, onExit);
  addAudit(program, shell, onExit);
  addGet(program, shell, onExit);
  addTwin(program, shell, onExit);
  addRepositoryCommands(program, shell, onExit);
  return program;
}

function addDocumentCommands(program: Command, shell: Shell, onExit: OnExit): void {
  program
    .command('validate')
    .description('check all documents, offline: every finding at once, with its place')
    .addOption(fleetOption())
    .addOption(formatOption('text', 'json'))
    .action(async (options) => {
      const { validateCommand } = await import('../commands/documents/validate.ts');
      onExit(await validateCommand(options, shell));
    });
  program
    .command('explain [field]')
    .description('Explain a field of the documents, such as firmware.version')
    .addOption(formatOption('text', 'json'))
    .action(async (field, options) => {
      const { explainCommand } = await import('../commands/documents/explain.ts');
      onExit(await explainCommand({ ...options, field }, shell));
    });
}

function addPlanCommands(program: Command, shell: Shell, onExit: OnExit): void {
  withPartOptions(withReadingOptions(withConnectionOptions(program.command('plan'))))
    .description('say what apply would do, with reasons; reads only')
    .option('-o, --out <file>', 'save the plan, for review and for apply FILE')
    .option('--expires <duration>', 'how long the saved plan may be applied', toDuration, '7d')
    .option('--base <ref>', 'say which changes the documents since this commit cause')
    .option(
      '--at <instant>',
      'plan for this instant instead of now: 2027-01-31T00:00:00Z',
      toInstant,
    )
    .option(
      '--save-snapshot <file>',
      'keep what was read, to plan on it and to prove the plan later',
    )
    .option('--snapshot <file>', 'plan on a kept snapshot, without the service')
    .option('--horizon <duration>', 'add what falls due, ends and opens until then: 90d', toHorizon)
    .option('--detailed-exitcode', 'exit 2 when the plan has changes, 0 when it has none')
    .option('--all', 'list every device instead of a few per class')
    .addOption(limitOption())
    .addOption(formatOption(...PLAN_FORMATS))
    .action(async (options) => {
      const { planCommand } = await import('../commands/plan.ts');
      onExit(await planCommand(options, shell));
    });
  addShowCommands(program, shell, onExit);
}

function addShowCommands(program: Command, shell: Shell, onExit: (code: number) => void): void {
  program
    .command('show <file>')
    .description('render a saved plan')
    .option('--all', 'list every device instead of a few per class')
    .option(
      '--policy <policy>',
      'show only this policy, by address or glob; repeatable',
      collect,
      [],
    )
    .option('--site <site>', 'show only this site, by name or glob; repeatable', collect, [])
    .option('--detailed-exitcode', 'exit 2 when the plan has changes, 0 when it has none')
    .addOption(limitOption())
    .addOption(formatOption(...PLAN_FORMATS))
    .action(async (file, options) => {
      const { showCommand } = await import('../commands/show.ts');
      onExit(await showCommand({ ...options, file }, shell));
    });
  withPartOptions(withAgeOption(withConnectionOptions(program.command('why <device>'))))
    .description('explain one device (by id or name): every policy, winners and losers, every step')
    .addOption(snapshotOption())
    .addOption(formatOption('text', 'json'))
    .action(async (device, options) => {
      const { whyCommand } = await import('../commands/why.ts');
      onExit(await whyCommand({ ...options, part: options, device }, shell));
    });
}

function addWho(program: Command, shell: Shell, onExit: OnExit): void {
  withConnectionOptions(program.command('who <file:line>'))
    .description('list every device that a line of the documents governs, and how')
    .option('--all', 'list every device instead of the first few')
    .addOption(snapshotOption())
    .addOption(formatOption('text', 'json'))
    .action(async (line, options) => {
      const { whoCommand } = await import('../commands/who.ts');
      onExit(await whoCommand({ ...options, line }, shell));
    });
}

function addApplyCommands(program: Command, shell: Shell, onExit: OnExit): void {
  withPartOptions(withReadingOptions(withWriteOptions(program.command('apply [file]')), 10))
    .description(
      'do what the plan says and verify it; with FILE only what was approved there and still holds',
    )
    .option(
      '--approved <id[:digest]>',
      'refuse any other plan than the one with this id; with its digest, any other file',
    )
    .option('--yes', 'do not ask; needed where there is no terminal')
    .option('--wait <duration>', 'stay for what may start within this time', toDuration, '0s')
    .option('--save-snapshot <file>', 'keep what the run read first, to prove its plan later')
    .addOption(formatOption('text', 'json'))
    .action(async (file, options) => {
      const { applyCommand } = await import('../commands/apply.ts');
      onExit(await applyCommand({ ...options, file }, shell));
    });
  withWriteOptions(program.command('resume [scope]'))
    .description(
      'finish what earlier runs started; with SCOPE let go on what is paused there; starts nothing new',
    )
    .option(
      '--watch <duration>',
      'how long to look for evidence on what is in doubt',
      toDuration,
      '0s',
    )
    .addOption(new Option('--wait [duration]').hideHelp())
    .option('--reason <reason>', 'why SCOPE may go on; without SCOPE, lists what is paused')
    .option(
      '--ticket <ticket>',
      'under which ticket; needed for what a rule has stopped, or what was paused under one',
    )
    .addOption(new Option('--rollout <name>').hideHelp())
    .addOption(formatOption('text', 'json'))
    .action(async (scope, options) => {
      const { resumeCommand } = await import('../commands/resume.ts');
      onExit(await resumeCommand({ ...options, scope }, shell));
    });
  addPause(program, shell, onExit);
  addResolve(program, shell, onExit);
  addUnlock(program, shell, onExit);
}

function addPause(program: Command, shell: Shell, onExit: OnExit): void {
  withConnectionOptions(program.command('pause <scope>'))
    .description(
      'hold a policy (firmware.NAME) or the fleet, also while a run is at work; recorded',
    )
    .requiredOption('--reason <reason>', 'why it is paused')
    .option('--site <site>', 'only at this site: its name, a glob, or its id')
    .option('--ticket <ticket>', 'lifting it needs a ticket then')
    .option('--until <instant>', 'when it ends by itself: 2027-01-31T00:00:00Z', toInstant)
    .addOption(formatOption('text', 'json'))
    .action(async (scope, options) => {
      const { pauseCommand } = await import('../commands/pause.ts');
      onExit(await pauseCommand({ ...options, scope }, shell));
    });
}

function addResolve(program: Command, shell: Shell, onExit: OnExit): void {
  program
    .command('resolve <intent>')
    .description('say what came of an attempt that nobody can judge; recorded, nothing is sent')
    .addOption(new Option('--as <verdict>', 'what came of it').choices(AS).makeOptionMandatory())
    .requiredOption('--reason <reason>', 'how you know')
    .option('--by <name>', 'who says so, where git does not know your name')
    .addOption(fleetOption())
    .option('--service <url>', 'the address that the ledger is of, instead of service.baseUrl')
    .option('--lock-wait <duration>', 'how long to wait for another run to end', toDuration, '0s')
    .option('--take-over', 'take the lock from another run at once')
    .addOption(formatOption('text', 'json'))
    .action(async (intent, options) => {
      const { resolveCommand } = await import('../commands/resolve.ts');
      onExit(await resolveCommand({ ...options, intent }, shell));
    });
}

function addUnlock(program: Command, shell: Shell, onExit: OnExit): void {
  program
    .command('unlock')
    .description('end the lock of a run, dead or not: it makes no further attempt; recorded')
    .requiredOption('--reason <reason>', 'why it may end')
    .option('--by <name>', 'who says so, where git does not know your name')
    .addOption(fleetOption())
    .option('--service <url>', 'the address that the ledger is of, instead of service.baseUrl')
    .addOption(formatOption('text', 'json'))
    .action(async (options) => {
      const { unlockCommand } = await import('../commands/unlock.ts');
      onExit(await unlockCommand(options, shell));
    });
}

const AS = ['done', 'not-done'];

function addStatus(program: Command, shell: Shell, onExit: OnExit): void {
  withPartOptions(withReadingOptions(withConnectionOptions(program.command('status'))))
    .description('say where each rollout stands: waves, debt, what is paused, in doubt, in flight')
    .addOption(snapshotOption())
    .addOption(formatOption('text', 'json'))
    .action(async (options) => {
      const { statusCommand } = await import('../commands/status.ts');
      onExit(await statusCommand(options, shell));
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
  withConnectionOptions(program.command('get'))
    .argument('<resource>', `one of ${RESOURCES.join(', ')}`, toChoice(RESOURCES))
    .argument('[id]', 'the id, where one thing is read; one of the sites or sources, too')
    .description('read anything the service shows, all pages, paced')
    .option(
      '--filter <key=value>',
      'a filter of the service; may be given several times',
      collect,
      [],
    )
    .option('--select <selector>', 'only rows that a selector of the documents selects')
    .option('--columns <names>', 'columns to print: headings or dotted fields', splitNames)
    .option('--count-by <names>', 'count rows by these columns', splitNames)
    .option('--snapshot <file>', 'read a saved snapshot instead of the service')
    .option('--steps', 'with task: the steps of each device task')
    .option('--status <status>', 'with task: only device tasks with this status')
    .option('--result <result>', 'with task: only device tasks with this result')
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices(GET_FORMATS).default('table'),
    )
    .addOption(new Option('--format <format>', 'the same as --output').choices(GET_FORMATS))
    .action(async (resource, id, options) => {
      const { getCommand } = await import('../commands/get/command.ts');
      const output = options.format ?? options.output;
      onExit(await getCommand({ ...options, output, resource, id }, shell));
    });
}

function addTwin(program: Command, shell: Shell, onExit: OnExit): void {
  program
    .command('twin')
    .description('serve a simulated service on this machine, for trying, testing and rehearsing')
    .option('--port <port>', 'port on loopback; 0 takes a free one', toCount, 8080)
    .option('--devices <n>', 'devices in the fleet', toCount, 1000)
    .option('--sites <n>', 'sites in the fleet', toCount, 12)
    .option('--seed <n>', 'the same number builds the same fleet and credentials', toCount)
    .option('--world <file>', 'load the world from FILE on start, save it there on exit')
    .option('--faults <file>', 'a script of faults (JSON)')
    .option('--dialect <file>', 'speak this dialect (JSON, keys of docs/dialect.md)')
    .addOption(
      new Option('--unknown-filters <what>', 'what a filter that does not exist does').choices([
        'ignore',
        'refuse',
        'empty',
      ]),
    )
    .option('--latency <duration>', 'added to every answer', toMilliseconds)
    .option('--rate-limit <n>', 'requests a second per endpoint family before 429', Number)
    .option(
      '--max-devices-per-task <n>',
      'most devices in one task; 100, or as the dialect says',
      toCount,
    )
    .option('--write-env <file>', 'write its address and the credentials of its admin there')
    .addOption(new Option('--env-file <file>', 'the same').hideHelp())
    .option('--time-scale <n>', 'divide the durations of tasks and reboots by N', Number, 1)
    .addOption(formatOption('text', 'json'))
    .action(async (options) => {
      const { twinCommand } = await import('../commands/twin-command.ts');
      onExit(await twinCommand(options, shell));
    });
}

/** `audit` and `audit verify`: the history, and its verification. Neither contacts the service. */
function addAudit(program: Command, shell: Shell, onExit: (code: number) => void): void {
  const audit = program
    .command('audit')
    .description('say what was done to the fleet: by commit, by device, by policy; from the ledger')
    .option('--commit <commit>', 'only runs of this commit')
    .option('--device <id>', 'only what concerns this device')
    .option('--policy <address>', 'only what concerns this policy: firmware.NAME')
    .addOption(fleetOption())
    .option('--service <url>', 'the address that the ledger is of, instead of service.baseUrl')
    .option('--offline', 'ask no remote: take what this clone has of a shared ledger')
    .addOption(formatOption('text', 'json'))
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
