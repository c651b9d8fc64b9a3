import { EXIT } from '../../../shell/exit.ts';
import { findForge, openJob, type Job } from '../../../operations/job.ts';
import { readRunOutcome, type RunOutcome } from '../../../operations/outcome/run-outcome.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';

/** Neither says that anything failed. */
const WELL: readonly number[] = [EXIT.done, EXIT.workLeft];

/**
 * `fleetform ci issue --run FILE`: opens or edits one issue after a run that failed, and closes it
 * after one in which nothing failed and nothing needs a person. A run between the two, and one that
 * another run or newer documents ended, leaves the issue. Throws `artifactRefused` for a file of another shape.
 */
export async function keepRunIssue(file: string, shell: Shell): Promise<number> {
  const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
  const outcome = readRunOutcome(shell, file);
  const found = outcome && judge(outcome);
  if (!outcome || found === 'open question') {
    print(shell.out, [
      jobNotice(outcome ? JOB_WORDS.issueUnchanged : JOB_WORDS.noOutcome, findForge(shell.env)),
    ]);
    return EXIT.done;
  }
  const job = await openJob(shell);
  try {
    await keep(job, { outcome, isOpen: found === 'failed' });
    return EXIT.done;
  } finally {
    await job.close();
  }
}

function judge({ exit, isOvertaken, policies }: RunOutcome): 'failed' | 'well' | 'open question' {
  if (exit === EXIT.locked || (isOvertaken && WELL.includes(exit))) return 'open question';
  if (!WELL.includes(exit)) return 'failed';
  return policies.some(({ person }) => person > 0) ? 'open question' : 'well';
}

async function keep(
  { forge }: Job,
  { outcome, isOpen }: { readonly outcome: RunOutcome; readonly isOpen: boolean },
): Promise<void> {
  const [{ keepIssue }, { runIssueMarkdown, runIssueMarker }, { runIssueTitle }] =
    await Promise.all([
      import('../../../forge/sticky-issue.ts'),
      import('../../../render/outputs/outcome.ts'),
      import('../../../render/words/review/outcome.ts'),
    ]);
  await keepIssue(forge, {
    marker: runIssueMarker(outcome),
    title: runIssueTitle(outcome.exit),
    body: runIssueMarkdown({ ...outcome, run: forge.page }),
    isOpen,
  });
}
