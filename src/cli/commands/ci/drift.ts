import { readArtifact } from '../../../operations/artifact.ts';
import { EXIT } from '../../../shell/exit.ts';
import { openJob } from '../../../operations/job.ts';
import { WorldError } from '../../../model/error.ts';
import { readPlanFile } from '../../../operations/plan-file.ts';
import type { Shell } from '../../../shell/shell.ts';
import { addToSummary } from '../../process/step-summary.ts';
import { driftCommand } from '../drift.ts';

export interface CiDriftFlags {
  readonly fleet: string;
  readonly out: string;
  readonly saveSnapshot?: string;
}

/**
 * `fleetform ci drift`: checks for drift, saves the snapshot and adds the result to the summary of
 * the step. Drift is no failure of the job, because the issue reports it.
 */
export async function ciDriftCommand(flags: CiDriftFlags, shell: Shell): Promise<number> {
  const exit = await driftCommand({ ...flags, format: 'text' }, shell);
  const [{ driftMarkdown }, { driftView }] = await Promise.all([
    import('../../../render/markdown/drift-markdown.ts'),
    import('../../../render/view/drift-view.ts'),
  ]);
  const view = driftView(await readPlanFile(shell, flags.out));
  addToSummary(shell, (limit) => driftMarkdown(view, { limit }));
  return exit === EXIT.changes ? EXIT.done : exit;
}

export interface CiIssueFlags {
  readonly plan: string;
}

/**
 * `fleetform ci issue`: keeps one issue open while there is drift, and closes it when there is
 * none.
 */
export async function ciIssueCommand(flags: CiIssueFlags, shell: Shell): Promise<number> {
  const plan = await readArtifact(shell, flags.plan);
  if (!plan) throw new WorldError('fileUnreadable', { file: flags.plan });
  const [{ keepIssue }, { driftMarker, driftMarkdown }, { driftView }, { COMMENT_LIMIT }, words] =
    await Promise.all([
      import('../../../forge/sticky-issue.ts'),
      import('../../../render/markdown/drift-markdown.ts'),
      import('../../../render/view/drift-view.ts'),
      import('../../../render/markdown/plan-markdown.ts'),
      import('../../../render/words/report-words.ts'),
    ]);
  const view = driftView(plan);
  const job = await openJob(shell);
  try {
    await keepIssue(job.forge, {
      marker: driftMarker(view.plan),
      title: words.driftTitle(view.drifted),
      body: driftMarkdown(view, { limit: COMMENT_LIMIT }),
      isOpen: view.drifted > 0,
    });
    return EXIT.done;
  } finally {
    await job.close();
  }
}
