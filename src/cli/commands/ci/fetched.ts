import { join, resolve } from 'node:path';
import type { ArtifactName, ReviewedPlan, RunArtifact } from '../../../forge/forge-port.ts';
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
  if (artifact.is === 'run') addStepOutputs(shell, { 'run-id': String(artifact.run) });
  else await saveIncoming(shell, file, artifact.content);
}

/**
 * The same for the plans of several requests, by their numbers: `incoming/7/fleetform-plan.json`, and one
 * output `7:4711 8:4713` for those that the step fetches. Throws as `handOver`.
 */
export async function handOverPlans(shell: Shell, plans: readonly ReviewedPlan[]): Promise<void> {
  const runs: string[] = [];
  for (const { name, plan } of plans) {
    const number = requestNumber(name);
    if (number === undefined || !plan) continue;
    if (plan.is === 'run') runs.push(`${number}:${plan.run}`);
    else await saveIncoming(shell, planPath(number), plan.content);
  }
  if (runs.length > 0) addStepOutputs(shell, { runs: runs.join(' ') });
}

/** The number in the name of a request, such as `#7` or `!7`. */
export function requestNumber(name: string): string | undefined {
  return /^[#!](\d+)$/.exec(name)?.[1];
}

/** Where the plan of a request is, in the folder of all of them. */
export function planPath(number: string): string {
  return join(number, PLAN.file);
}

async function saveIncoming(shell: Shell, path: string, content: string): Promise<void> {
  const { replaceFile } = await import('../../../store/local-file.ts');
  await replaceFile(resolve(shell.cwd, FOLDER, path), content);
}
