import { readArtifact } from '../../../operations/artifact.ts';
import { EXIT } from '../../../shell/exit.ts';
import { openJob } from '../../../operations/job.ts';
import { WorldError } from '../../../model/error.ts';
import { readPlanFile } from '../../../operations/plan-file.ts';
import { printMessages } from '../../../shell/messages.ts';
import type { Shell } from '../../../shell/shell.ts';
import { addToSummary } from '../../process/step-summary.ts';
import { driftCommand } from '../drift.ts';

interface CiDriftFlags {
  readonly fleet: string;
  readonly out: string;
  readonly saveSnapshot?: string;
}

/**
 * `fleetform ci drift`: checks for drift, saves the snapshot and adds the result to the summary of
 * the step. Drift is no failure of the job, because the issue reports it; nor are values that a later
 * run reads.
 */
export async function ciDriftCommand(flags: CiDriftFlags, shell: Shell): Promise<number> {
  const exit = await driftCommand({ ...flags, format: 'text' }, shell);
  const [{ driftMarkdown }, { driftView }] = await Promise.all([
    import('../../../render/outputs/drift.ts'),
    import('../../../render/view/drift-view.ts'),
  ]);
  const view = driftView(await readPlanFile(shell, flags.out));
  addToSummary(shell, (limit) => driftMarkdown(view, { limit }));
  const isLater = exit === EXIT.workLeft && view.situation.isTorn !== true;
  return exit === EXIT.changes || isLater ? EXIT.done : exit;
}

interface CiIssueFlags {
  /** What `ci drift` saved. */
  readonly plan?: string;
  /** What `ci apply --outcome` saved. */
  readonly run?: string;
}

/**
 * `fleetform ci issue`: keeps one issue open while there is drift, or while runs fail, and closes it
 * when there is none. Throws `usage` without exactly one file.
 */
export async function ciIssueCommand({ plan, run }: CiIssueFlags, shell: Shell): Promise<number> {
  if ((plan === undefined) === (run === undefined)) throw new WorldError('usage', { message: ONE });
  if (plan !== undefined) return keepDriftIssue(plan, shell);
  const { keepRunIssue } = await import('./run-issue.ts');
  return keepRunIssue(run ?? '', shell);
}

const ONE = '`ci issue` takes --plan FILE of `ci drift`, or --run FILE of `ci apply`';

async function keepDriftIssue(file: string, shell: Shell): Promise<number> {
  const plan = await readArtifact(shell, file);
  if (!plan) throw new WorldError('fileUnreadable', { file });
  const [{ keepIssue }, { driftMarker, driftMarkdown }, { driftView }, words] = await Promise.all([
    import('../../../forge/sticky-issue.ts'),
    import('../../../render/outputs/drift.ts'),
    import('../../../render/view/drift-view.ts'),
    import('../../../render/words/review/all-clear.ts'),
  ]);
  const view = driftView(plan);
  // What was not read, or is gone, may have drifted: the issue stays as it is.
  if (view.drifted === 0 && view.clear.exit !== EXIT.done) {
    printMessages(shell, [words.driftTitle(view)]);
    return EXIT.done;
  }
  const job = await openJob(shell);
  try {
    await keepIssue(job.forge, {
      marker: driftMarker(view.plan),
      title: words.driftTitle(view),
      body: driftMarkdown(view, { limit: job.forge.maxLength }),
      isOpen: view.drifted > 0,
    });
    return EXIT.done;
  } finally {
    await job.close();
  }
}
