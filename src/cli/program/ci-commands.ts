import { Option, type Command } from 'commander';
import type { Shell } from '../../shell/shell.ts';
import { toFile, toMilliseconds } from './arguments.ts';
import { addCommand, SERVICE_VARIABLES, type OnExit } from './help.ts';
import {
  fleetOption,
  lockWaitOption,
  metricsOption,
  saveSnapshotOption,
  snapshotOption,
  withPartInputs,
  withPartOptions,
  withReadingOptions,
} from './options.ts';

/** What selects a forge and may write to it. */
const FORGE_VARIABLES: readonly string[] = [
  'GITHUB_TOKEN',
  'GITLAB_TOKEN',
  'FLEETFORM_AUTHOR',
  'FLEETFORM_FORGE',
];

/** Adds the commands of the workflow jobs that `init` writes. */
export function addCiCommands(program: Command, shell: Shell, onExit: OnExit): void {
  program.commandsGroup('Automate:');
  const ci = addCommand(program, 'ci', {
    summary: 'Run a step of the workflows that init writes',
    examples: [],
  });
  addPullRequestCommands(ci, shell, onExit);
  addFleetsCommand(ci, shell, onExit);
  addScheduleCommands(ci, shell, onExit);
}

/** The command before all others where a repository has several fleets. */
function addFleetsCommand(ci: Command, shell: Shell, onExit: OnExit): void {
  addCommand(ci, 'fleets', {
    summary: 'List the fleets of a repository of several organizations',
    more: 'Each folder below DIR that has documents is one fleet.',
    examples: ['ci fleets'],
  })
    .option('--fleet <DIR>', 'Folder whose folders are the fleets', 'fleet')
    .option('--changed', 'Only those that the pull request changes')
    .option('--name <NAME>', 'Only the one with this name')
    .action(async (options) => {
      const { ciFleetsCommand } = await import('../commands/ci/fleets.ts');
      onExit(await ciFleetsCommand(options, shell));
    });
}

function addPullRequestCommands(ci: Command, shell: Shell, onExit: OnExit): void {
  ci.commandsGroup('On a pull request or merge request:');
  const plan = addCommand(ci, 'plan', {
    summary: 'Plan a request, save the plan, annotate its lines',
    more: 'Without credentials, plans on a snapshot.',
    examples: ['ci plan --report plan.html'],
    environment: SERVICE_VARIABLES,
  });
  withPartOptions(withReadingOptions(plan, 30))
    .addOption(fleetOption())
    .option('-o, --out <FILE>', 'Where to save the plan', toFile, 'fleetform-plan.json')
    .option('--report <FILE>', 'Where to write the HTML report')
    .option('--code-quality <FILE>', 'Where to write the lines for GitLab (code quality)')
    .addOption(snapshotOption('Snapshot for forks (default: the fetched one)'))
    .addOption(
      new Option('--forecast-within <DURATION>', 'Time for a rehearsal where a snapshot is at hand')
        .argParser(toMilliseconds)
        .default(60_000, '60s'),
    )
    .action(async (options) => {
      const { ciPlanCommand } = await import('../commands/ci/plan.ts');
      onExit(await ciPlanCommand(options, shell));
    });
  addCommand(ci, 'snapshot', {
    summary: 'Find the newest snapshot of the default branch, for forks',
    examples: ['ci snapshot'],
  })
    .option('--artifact <NAME>', 'Name of its artifact', 'fleetform-snapshot')
    .action(async (options) => {
      const { ciSnapshotCommand } = await import('../commands/ci/snapshot.ts');
      onExit(await ciSnapshotCommand(options, shell));
    });
  addCommand(ci, 'comment', {
    summary: 'Write the plan into one comment on the request',
    environment: FORGE_VARIABLES,
    more: 'Plans of several services have a comment each.',
    examples: ['ci comment --plan fleetform-plan.json'],
  })
    .requiredOption('--plan <FILE...>', 'Plan that `ci plan` saved (checked before use)')
    .addOption(fleetOption())
    .action(async (options) => {
      const { ciCommentCommand } = await import('../commands/ci/comment.ts');
      onExit(await ciCommentCommand(options, shell));
    });
}

function addScheduleCommands(ci: Command, shell: Shell, onExit: OnExit): void {
  ci.commandsGroup('After a merge and on a schedule:');
  addGateCommands(ci, shell, onExit);
  addCommand(ci, 'apply', {
    summary: 'Apply the documents of this commit',
    more: 'Work that remains for a later run is no failure.',
    examples: ['ci apply'],
    environment: SERVICE_VARIABLES,
  })
    .argument('[FILE]', 'Saved plan: only changes approved there that are still due')
    .option('--approved <ID:DIGEST>', 'Apply only the plan with this ID and file digest')
    .addOption(fleetOption())
    // A run that was lost never gives its lease back: the next one takes over what it has watched for twice the lease.
    .addOption(lockWaitOption('25m'))
    .option('--outcome <FILE>', 'Where to save the outcome for `ci outcome`')
    .addOption(metricsOption())
    .action(async (file, options) => {
      const { ciApplyCommand } = await import('../commands/ci/apply.ts');
      const plan = file === undefined ? {} : { file };
      onExit(await ciApplyCommand({ ...options, ...plan }, shell));
    });
  addCommand(ci, 'outcome', {
    summary: 'Write the outcome into the comment on the merged request',
    examples: ['ci outcome --run fleetform-outcome.json'],
    environment: FORGE_VARIABLES,
  })
    .addOption(
      new Option(
        '--run <FILE>',
        'Outcome that `ci apply` saved (checked before use)',
      ).makeOptionMandatory(),
    )
    .action(async ({ run }) => {
      const { ciOutcomeCommand } = await import('../commands/ci/outcome.ts');
      onExit(await ciOutcomeCommand({ outcome: run }, shell));
    });
  addDriftCommands(ci, shell, onExit);
}

/** The commands before and after the gate where a plan is the approval. */
function addGateCommands(ci: Command, shell: Shell, onExit: OnExit): void {
  const proposal = addCommand(ci, 'look', {
    summary: 'Show what awaits approval and save it for the gate',
    examples: ['ci look', 'ci look --work', 'ci look --site "HQ Berlin"'],
    environment: SERVICE_VARIABLES,
  });
  withPartInputs(proposal)
    .addOption(fleetOption())
    .option('-o, --out <FILE>', 'Output file for the gate', toFile, 'fleetform-shown.json')
    .option('--reviewed <FOLDER>', 'Saved plans of the merged requests, by number')
    .option('--find-reviewed', 'Print the workflow runs that planned those requests')
    .option('--artifact <NAME>', 'Name of the artifact with such a plan', 'fleetform-plan')
    .option('--work', 'Print only whether a scheduled run has work')
    .action(async (options) => {
      const { ciProposalCommand } = await import('../commands/ci/look.ts');
      onExit(await ciProposalCommand(options, shell));
    });
  addCommand(ci, 'approve', {
    summary: 'Record the approval of what was shown, after its gate',
    more: 'Starts nothing.',
    examples: ['ci approve --shown fleetform-shown.json --digest DIGEST'],
    environment: SERVICE_VARIABLES,
  })
    .addOption(fleetOption())
    .requiredOption('--shown <FILE>', 'What `ci look` saved (checked before use)')
    .requiredOption('--digest <DIGEST>', 'Digest that `ci look` printed')
    .option('--approver <NAME>', 'Who approves, where no forge records the gate')
    .action(async (options) => {
      const { ciApproveCommand } = await import('../commands/ci/approve.ts');
      onExit(await ciApproveCommand(options, shell));
    });
}

function addDriftCommands(ci: Command, shell: Shell, onExit: OnExit): void {
  addCommand(ci, 'drift', {
    summary: 'Look for drift and save the result',
    more: 'Drift is no failure.',
    examples: ['ci drift'],
    environment: SERVICE_VARIABLES,
  })
    .addOption(fleetOption())
    .option('-o, --out <FILE>', 'Where to save the result', toFile, 'fleetform-drift.json')
    .addOption(saveSnapshotOption())
    .action(async (options) => {
      const { ciDriftCommand } = await import('../commands/ci/drift.ts');
      onExit(await ciDriftCommand(options, shell));
    });
  addCommand(ci, 'issue', {
    summary: 'Keep one issue open while there is drift or runs fail',
    examples: ['ci issue --plan fleetform-drift.json', 'ci issue --run fleetform-outcome.json'],
    environment: FORGE_VARIABLES,
  })
    .option('--plan <FILE>', 'Result that `ci drift` saved (checked before use)')
    .option('--run <FILE>', 'Outcome that `ci apply` saved (checked before use)')
    .action(async (options) => {
      const { ciIssueCommand } = await import('../commands/ci/drift.ts');
      onExit(await ciIssueCommand(options, shell));
    });
}
