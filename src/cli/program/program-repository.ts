import type { Command } from 'commander';
import { toChoice, toCount, toDuration, toInstant } from './arguments.ts';
import {
  withConnectionOptions,
  withPartOptions,
  withReadingOptions,
  fleetOption,
  formatOption,
  snapshotOption,
} from './options.ts';
import { DRIFT_FORMATS } from '../commands/show-drift.ts';
import type { Shell } from '../shell/shell.ts';

/** What an incident can rotate. */
const CREDENTIALS = ['password', 'certificate'];

/** Commands that set up a repository. */
export function addRepositoryCommands(
  program: Command,
  shell: Shell,
  onExit: (code: number) => void,
): void {
  const init = program
    .command('init')
    .description('write a first fleet/ and workflows for pull requests, apply and drift')
    .addOption(fleetOption())
    .option('--service <url>', 'address of the service; FLEETFORM_BASE_URL otherwise')
    .option('--organization <name>', 'organization there; FLEETFORM_ORGANIZATION otherwise')
    .option('--branch <name>', 'branch that apply runs on; found out from git otherwise')
    .option('--force', 'replace what is there already')
    .addOption(formatOption('text', 'json'))
    .action(async (options) => {
      const { initCommand } = await import('../commands/init.ts');
      onExit(await initCommand(options, shell));
    });
  init
    .command('incident')
    .description(
      'write one entry of incidents: change every password or certificate at a site, now',
    )
    .requiredOption('--rotate <credential>', 'password or certificate', toChoice(CREDENTIALS))
    .requiredOption('--site <name>', 'name or id of the site')
    .requiredOption('--ticket <id>', 'where it is handled')
    .option('--reason <text>', 'why', 'known outside')
    .option('--owner <name>', 'who answers for it; user.name of git otherwise')
    .option('--device-type <type>', 'only devices of this type')
    .option('--until <time>', 'when it ends; in 10 hours otherwise', toInstant)
    .option('--name <name>', 'name of the entry; made from the site otherwise')
    .option('--expect <n>', 'devices at most; counted at the service otherwise', toCount)
    .action(async (_, command) => {
      const { initIncidentCommand } = await import('../commands/init-incident.ts');
      onExit(await initIncidentCommand(command.optsWithGlobals(), shell));
    });
  withReadingOptions(withConnectionOptions(program.command('drift')))
    .description('say which devices have moved away from what was done to them; reads only')
    .option('-o, --out <file>', 'save the plan that shows it, as plan -o does')
    .option('--save-snapshot <file>', 'keep what was read, for plans without the service')
    .option('--all', 'list every device instead of a few per class')
    .addOption(snapshotOption())
    .addOption(formatOption(...DRIFT_FORMATS))
    .action(async (options) => {
      const { driftCommand } = await import('../commands/drift.ts');
      onExit(await driftCommand(options, shell));
    });
  addCi(program, shell, onExit);
}

/** The commands of the workflow jobs, which `init` writes. */
function addCi(program: Command, shell: Shell, onExit: (code: number) => void): void {
  const ci = program
    .command('ci')
    .description(
      'what the workflows of `init` run: snapshot, plan, comment, apply, drift and issue',
    );
  withPartOptions(withReadingOptions(ci.command('plan'), 30))
    .description('plan a pull request, save it, mark its lines; without credentials on a snapshot')
    .addOption(fleetOption())
    .option('-o, --out <file>', 'where to save the plan', 'fleetform-plan.json')
    .option('--report <file>', 'where to write the HTML report of the plan')
    .option('--snapshot <file>', 'the recorded snapshot, for forks; the fetched one otherwise')
    .action(async (options) => {
      const { ciPlanCommand } = await import('../commands/ci/plan.ts');
      onExit(await ciPlanCommand(options, shell));
    });
  ci.command('snapshot')
    .description('find the newest snapshot that a run of the default branch kept, for forks')
    .action(async () => {
      const { ciSnapshotCommand } = await import('../commands/ci/snapshot.ts');
      onExit(await ciSnapshotCommand(shell));
    });
  ci.command('comment')
    .description('keep one comment with a plan on the pull request of this event')
    .requiredOption('--plan <file>', 'the plan of the other job; data, checked before it is used')
    .action(async (options) => {
      const { ciCommentCommand } = await import('../commands/ci/comment.ts');
      onExit(await ciCommentCommand(options, shell));
    });
  addCiSchedule(ci, shell, onExit);
}

/** The commands that run after a merge and on a schedule. */
function addCiSchedule(ci: Command, shell: Shell, onExit: (code: number) => void): void {
  ci.command('apply')
    .description('apply the documents of this commit; work left for later is no failure')
    .argument('[file]', 'a saved plan: only what was approved there and still holds')
    .option('--approved <id:digest>', 'refuse any other plan and any other file')
    .addOption(fleetOption())
    .option('--lock-wait <duration>', 'how long to wait for another run to end', toDuration, '5m')
    .action(async (file, options) => {
      const { ciApplyCommand } = await import('../commands/ci/apply.ts');
      const plan = file === undefined ? {} : { file };
      onExit(await ciApplyCommand({ ...options, ...plan }, shell));
    });
  ci.command('drift')
    .description('look for drift and save what was seen; drift is no failure')
    .addOption(fleetOption())
    .option('-o, --out <file>', 'where to save it', 'fleetform-drift.json')
    .option('--save-snapshot <file>', 'keep what was read, for pull requests of forks')
    .action(async (options) => {
      const { ciDriftCommand } = await import('../commands/ci/drift.ts');
      onExit(await ciDriftCommand(options, shell));
    });
  ci.command('issue')
    .description('keep one open issue while there is drift')
    .requiredOption('--plan <file>', 'what ci drift has saved; data, checked before it is used')
    .action(async (options) => {
      const { ciIssueCommand } = await import('../commands/ci/drift.ts');
      onExit(await ciIssueCommand(options, shell));
    });
}
