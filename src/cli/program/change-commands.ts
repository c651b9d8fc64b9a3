import { Option, type Command } from 'commander';
import { PLAN_FORMATS } from '../commands/show-plan.ts';
import type { Shell } from '../../shell/shell.ts';
import { collectNames, toDuration, toHorizon, toInstant, toValidity } from './arguments.ts';
import { addCommand, SERVICE_VARIABLES, type OnExit } from './help.ts';
import {
  allOption,
  byOption,
  exitCodeOption,
  formatOption,
  FLAG_GROUPS,
  limitOption,
  metricsOption,
  outOption,
  saveSnapshotOption,
  snapshotOption,
  untilOption,
  withConnectionOptions,
  withPartOptions,
  withReadingOptions,
  withWriteOptions,
} from './options.ts';

/** Adds the commands that change the fleet, and those that a change begins with. */
export function addChangeCommands(program: Command, shell: Shell, onExit: OnExit): void {
  program.commandsGroup('Change:');
  addPlan(program, shell, onExit);
  addShow(program, shell, onExit);
  addApply(program, shell, onExit);
  addResume(program, shell, onExit);
  addPause(program, shell, onExit);
  addWithdraw(program, shell, onExit);
}

function addPlan(program: Command, shell: Shell, onExit: OnExit): void {
  const command = addCommand(program, 'plan', {
    summary: 'Show what apply would change and why (read-only)',
    examples: [
      'plan --base main                   # what does this branch change?',
      'plan -o plan.json --save-snapshot fleet.snapshot',
      'plan --snapshot fleet.snapshot --horizon 90d',
      'plan --only rotations.* --site "HQ Berlin"',
    ],
    environment: SERVICE_VARIABLES,
  })
    .addOption(outOption())
    .addOption(saveSnapshotOption())
    .addOption(formatOption(...PLAN_FORMATS))
    .addOption(allOption())
    .addOption(limitOption())
    .addOption(exitCodeOption())
    .optionsGroup('What to plan:')
    .option('--base <REF>', 'Mark changes caused by commits since REF')
    .option('--at <TIME>', 'Plan as of TIME instead of now (RFC 3339)', toInstant)
    .option('--horizon <DURATION>', 'Add a calendar of due dates, expiries, windows', toHorizon)
    .option('--expires <DURATION>', 'How long the saved plan stays valid', toValidity, '7d');
  withReadingOptions(withConnectionOptions(withPartOptions(command)))
    .addOption(snapshotOption())
    .action(async (options) => {
      const { planCommand } = await import('../commands/plan.ts');
      onExit(await planCommand(options, shell));
    });
}

function addShow(program: Command, shell: Shell, onExit: OnExit): void {
  const policy = new Option('--policy <POLICY>', 'Only these policies, by address or glob');
  const site = new Option('--site <SITE>', 'Only these sites, by name or glob');
  addCommand(program, 'show', {
    summary: 'Render a saved plan as text, JSON, Markdown or HTML',
    more: 'Refuses a file that was edited or truncated.',
    examples: ['show plan.json', 'show plan.json --format html'],
  })
    .argument('<FILE>', 'Plan that `plan -o FILE` saved')
    .addOption(formatOption(...PLAN_FORMATS))
    .addOption(policy.argParser(collectNames).default([]).helpGroup(FLAG_GROUPS.output))
    .addOption(site.argParser(collectNames).default([]).helpGroup(FLAG_GROUPS.output))
    .addOption(allOption())
    .addOption(limitOption())
    .addOption(exitCodeOption())
    .action(async (file, options) => {
      const { showCommand } = await import('../commands/show.ts');
      onExit(await showCommand({ ...options, file }, shell));
    });
}

function addApply(program: Command, shell: Shell, onExit: OnExit): void {
  const command = addCommand(program, 'apply', {
    summary: 'Apply the documents or a saved plan and verify every device',
    more: 'With FILE, only changes that were approved there and are still due.',
    examples: ['apply --yes', 'apply plan.json --yes', 'apply --yes --wait 2h'],
    environment: SERVICE_VARIABLES,
  })
    .argument('[FILE]', 'Saved plan')
    .option('--approved <ID[:DIGEST]>', 'Apply only the plan with this ID and file digest')
    .option('--yes', 'Skip the confirmation prompt')
    .option('--unmerged', 'Start documents that are not the newest ones')
    .option('--reason <REASON>', 'Reason to start them, on record')
    .addOption(byOption())
    .option(
      '--wait <DURATION>',
      'Keep running for work that starts within DURATION',
      toDuration,
      '0s',
    )
    .addOption(saveSnapshotOption())
    .addOption(metricsOption())
    .addOption(formatOption('text', 'json'));
  withReadingOptions(withWriteOptions(withPartOptions(command)), 10).action(
    async (file, options) => {
      const { applyCommand } = await import('../commands/apply.ts');
      onExit(await applyCommand({ ...options, file }, shell));
    },
  );
}

function addResume(program: Command, shell: Shell, onExit: OnExit): void {
  withWriteOptions(
    addCommand(program, 'resume', {
      summary: 'Finish what earlier runs started, or lift a pause',
      more: 'Starts no new task. With --reason and no SCOPE, lists the pauses.',
      examples: ['resume --watch 45m', 'resume firmware.axis --reason "fixed" --ticket OPS-7'],
      environment: SERVICE_VARIABLES,
    }),
  )
    .argument('[SCOPE]', 'Paused policy (firmware.NAME), incident or fleet')
    .option('--watch <DURATION>', 'How long to check tasks in doubt', toDuration, '0s')
    .addOption(new Option('--wait [duration]').hideHelp())
    .option('--reason <REASON>', 'Reason to lift the pause')
    .addOption(byOption())
    .option('--ticket <TICKET>', 'Lift a pause under this ticket')
    .addOption(new Option('--rollout <name>').hideHelp())
    .addOption(formatOption('text', 'json'))
    .action(async (scope, options) => {
      const { resumeCommand } = await import('../commands/resume.ts');
      onExit(await resumeCommand({ ...options, scope }, shell));
    });
}

function addWithdraw(program: Command, shell: Shell, onExit: OnExit): void {
  withConnectionOptions(
    addCommand(program, 'withdraw', {
      summary: 'Withdraw an approval and record the reason',
      more: 'A run in progress starts nothing more of it; tasks in flight finish.',
      examples: ['withdraw firmware.axis --reason "wrong version"'],
      environment: SERVICE_VARIABLES,
    }),
  )
    .argument('<PLAN>', 'ID of an approved plan, or a policy (firmware.NAME)')
    .requiredOption('--reason <REASON>', 'Reason for the withdrawal')
    .addOption(byOption())
    .addOption(formatOption('text', 'json'))
    .action(async (scope, options) => {
      const { withdrawCommand } = await import('../commands/ledger/withdraw.ts');
      onExit(await withdrawCommand({ ...options, scope }, shell));
    });
}

function addPause(program: Command, shell: Shell, onExit: OnExit): void {
  withConnectionOptions(
    addCommand(program, 'pause', {
      summary: 'Pause a rollout and record the reason',
      more: 'A run in progress starts nothing more in SCOPE; tasks in flight finish.',
      examples: ['pause firmware.axis --reason "black picture" --ticket OPS-7'],
      environment: SERVICE_VARIABLES,
    }),
  )
    .argument('<SCOPE>', 'Policy (firmware.NAME), incident (incidents.NAME) or fleet')
    .requiredOption('--reason <REASON>', 'Reason for the pause')
    .addOption(byOption())
    .option('--site <SITE>', 'Only at this site, by name, glob or ID')
    .option('--ticket <TICKET>', 'Ticket, which lifting the pause then requires')
    .addOption(untilOption('Time at which the pause ends automatically (RFC 3339)'))
    .addOption(formatOption('text', 'json'))
    .action(async (scope, options) => {
      const { pauseCommand } = await import('../commands/pause.ts');
      onExit(await pauseCommand({ ...options, scope }, shell));
    });
}
