import { EXIT } from '../../../shell/exit.ts';
import { findForge, openJob, runsIn } from '../../../operations/job.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { handOver, SNAPSHOT } from './fetched.ts';
import { hasCredentials } from './plan.ts';

/**
 * `fleetform ci snapshot`: hands the newest snapshot of the default branch to the next step. With
 * credentials that step reads the service, so it looks for none.
 */
export async function ciSnapshotCommand(shell: Shell): Promise<number> {
  if (hasCredentials(shell.env)) return EXIT.done;
  const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
  const job = await openJob(shell);
  try {
    const artifact = await runsIn(job.forge).newestWith(SNAPSHOT);
    if (artifact) await handOver(shell, SNAPSHOT, artifact);
    else print(shell.out, [jobNotice(JOB_WORDS.noSnapshot, findForge(shell.env))]);
    return EXIT.done;
  } finally {
    await job.close();
  }
}
