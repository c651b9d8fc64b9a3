import type { Forge } from '../../../forge/forge-port.ts';
import { WorldError } from '../../../model/error.ts';
import type { RunOutcome } from '../../../operations/outcome/run-outcome.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';

/** Keeps one issue open while there is drift, and closes it when there is none. */
export async function keepDriftIssue(file: string, shell: Shell): Promise<void> {
  const { readArtifact } = await import('../../../operations/artifact.ts');
  const { withJob } = await import('../../../operations/job.ts');
  const { keepIssue } = await import('../../../forge/sticky-issue.ts');
  const { driftMarker, driftMarkdown } = await import('../../../render/outputs/drift.ts');
  const { driftView } = await import('../../../render/view/drift-view.ts');
  const { driftTitle } = await import('../../../render/words/review/all-clear.ts');
  const plan = await readArtifact(shell, file);
  if (!plan) throw new WorldError('fileUnreadable', { file });
  const view = driftView(plan);
  // What was not read, or is gone, may have drifted: the issue stays as it is.
  if (view.drifted === 0 && view.clear.exit !== EXIT.done) {
    const { printMessages } = await import('../../../shell/messages.ts');
    return printMessages(shell, [driftTitle(view)]);
  }
  await withJob(shell, (forge) =>
    keepIssue(forge, {
      marker: driftMarker(view.plan),
      title: driftTitle(view),
      body: driftMarkdown(view, { limit: forge.maxLength }),
      isOpen: view.drifted > 0,
    }),
  );
}

/** Neither says that anything failed. */
const WELL: readonly number[] = [EXIT.done, EXIT.workLeft];

/**
 * Opens or edits one issue after a run that failed, and closes it after one in which nothing failed and
 * nothing needs a person. A run between the two, and one that another run or newer documents ended,
 * leaves the issue.
 */
export async function keepRunIssue(outcome: RunOutcome, shell: Shell): Promise<void> {
  const { forgeOfJob, withJob } = await import('../../../operations/job.ts');
  const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
  const found = judge(outcome);
  if (found === 'open question')
    return print(shell.out, [jobNotice(JOB_WORDS.issueUnchanged, forgeOfJob(shell.env))]);
  await withJob(shell, (forge) => keep(forge, outcome, found === 'failed'));
}

function judge({ exit, isOvertaken, policies }: RunOutcome): 'failed' | 'well' | 'open question' {
  if (exit === EXIT.locked || (isOvertaken && WELL.includes(exit))) return 'open question';
  if (!WELL.includes(exit)) return 'failed';
  return policies.some(({ person }) => person > 0) ? 'open question' : 'well';
}

async function keep(forge: Forge, outcome: RunOutcome, isOpen: boolean): Promise<void> {
  const { keepIssue } = await import('../../../forge/sticky-issue.ts');
  const texts = await import('../../../render/outputs/outcome.ts');
  const { runIssueTitle } = await import('../../../render/words/review/outcome.ts');
  await keepIssue(forge, {
    marker: texts.runIssueMarker(outcome),
    title: runIssueTitle(outcome.exit),
    body: texts.runIssueMarkdown({ ...outcome, run: forge.page }),
    isOpen,
  });
}
