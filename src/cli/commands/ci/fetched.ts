import { resolve } from 'node:path';
import type { RunArtifact, ArtifactName } from '../../../forge/forge-port.ts';
import type { Shell } from '../../../shell/shell.ts';
import { addStepOutputs } from '../../process/step-outputs.ts';

/** Where the jobs put what another run has kept. */
const FOLDER = 'incoming';

/** The snapshot of the drift job, and the plan of a request, as the jobs of `init` name them. */
export const SNAPSHOT: ArtifactName = { artifact: 'fleetform-snapshot', file: 'fleet.snapshot' };
export const PLAN: ArtifactName = { artifact: 'fleetform-plan', file: 'fleetform-plan.json' };

/**
 * Hands a file of another run to the step after this one: saves it in `incoming`, or outputs the run from which
 * that step fetches it into there. Throws `storeFailed` and `fileUnreadable`.
 */
export async function handOver(
  shell: Shell,
  { file }: ArtifactName,
  artifact: RunArtifact,
): Promise<void> {
  if (artifact.is === 'run') {
    addStepOutputs(shell, { 'run-id': String(artifact.run) });
    return;
  }
  const { replaceFile } = await import('../../../store/local-file.ts');
  await replaceFile(resolve(shell.cwd, FOLDER, file), artifact.content);
}
