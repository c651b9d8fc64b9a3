import { missingCredentials } from '../../../shell/credentials.ts';
import { print } from '../../../shell/output.ts';
import { addStepOutputs, saveIncoming } from '../../process/step.ts';
import type { Shell } from '../../../shell/shell.ts';

/** The snapshot of the drift job, as the jobs of `init` name it. */
const FILE = 'fleet.snapshot';

/**
 * Hands the newest snapshot of the default branch to the next step: saves it in `incoming`, or outputs
 * the run from which that step fetches it into there. With credentials that step reads the service, so it
 * looks for none.
 */
export async function findSnapshot(artifact: string, shell: Shell): Promise<void> {
  if (missingCredentials(shell.env).length === 0) return;
  const { runsIn, withJob } = await import('../../../operations/job.ts');
  const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
  await withJob(shell, async (forge) => {
    const found = await runsIn(forge).newestWith({ artifact, file: FILE });
    if (!found) print(shell.out, [jobNotice(JOB_WORDS.noSnapshot, forge.kind)]);
    else if (found.is === 'run') addStepOutputs(shell, { 'run-id': String(found.run) });
    else await saveIncoming(shell, FILE, found.content);
  });
}
