import { EXIT } from '../../../shell/exit.ts';
import { findForge, openJob, runsIn } from '../../../operations/job.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { handOver, SNAPSHOT } from './fetched.ts';
import { hasCredentials } from './plan.ts';

interface CiSnapshotFlags {
  /** The name of the artifact in fleet-drift.yml. */
  readonly artifact: string;
}

/**
 * `fleetform ci snapshot`: hands the newest snapshot of the default branch to the next step. With
 * credentials that step reads the service, so it looks for none.
 */
export async function ciSnapshotCommand(flags: CiSnapshotFlags, shell: Shell): Promise<number> {
  if (hasCredentials(shell.env)) return EXIT.done;
  const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
  const job = await openJob(shell);
  try {
    const wanted = { ...SNAPSHOT, artifact: flags.artifact };
    const artifact = await runsIn(job.forge).newestWith(wanted);
    if (artifact) await handOver(shell, wanted, artifact);
    else print(shell.out, [jobNotice(JOB_WORDS.noSnapshot, findForge(shell.env))]);
    return EXIT.done;
  } finally {
    await job.close();
  }
}
