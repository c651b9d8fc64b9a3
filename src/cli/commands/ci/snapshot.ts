import { appendFileSync } from 'node:fs';
import { WorldError } from '../../../model/error.ts';
import { EXIT } from '../../../shell/exit.ts';
import { openJob, runsIn } from '../../../operations/job.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { hasCredentials } from './plan.ts';

/** The name of the artifact in fleet-drift.yml. */
const NAME = 'fleetform-snapshot';

/**
 * `fleetform ci snapshot`: outputs which run of the default branch has the newest snapshot. With
 * credentials the next step reads the service, so it looks for none. It writes only a number to the
 * outputs of the step.
 */
export async function ciSnapshotCommand(shell: Shell): Promise<number> {
  if (hasCredentials(shell.env)) return EXIT.done;
  const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
  const job = await openJob(shell);
  try {
    const run = await runsIn(job.forge).newestWith(NAME);
    if (!run) print(shell.out, [jobNotice(JOB_WORDS.noSnapshot)]);
    else writeOutputs(shell, run);
    return EXIT.done;
  } finally {
    await job.close();
  }
}

function writeOutputs({ env }: Shell, run: number): void {
  const file = env['GITHUB_OUTPUT'];
  if (!file) throw new WorldError('githubMissing', { missing: 'GITHUB_OUTPUT' });
  try {
    appendFileSync(file, `run-id=${run}\n`);
  } catch (cause) {
    throw new WorldError('fileUnreadable', { file }, { cause });
  }
}
