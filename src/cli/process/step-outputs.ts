import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WorldError } from '../../model/error.ts';
import type { Shell } from '../../shell/shell.ts';

/**
 * Adds outputs of a step for those after it: lines `name=value` in the file of GITHUB_OUTPUT, and
 * variables such as FLEETFORM_RUN_ID in the file of FLEETFORM_OUTPUTS, which GitLab passes to later jobs
 * as a dotenv report. Nothing where neither is set. Throws `fileUnreadable`.
 */
export function addStepOutputs(
  { cwd, env }: Pick<Shell, 'cwd' | 'env'>,
  outputs: Readonly<Record<string, string>>,
): void {
  const entries = Object.entries(outputs);
  append(env['GITHUB_OUTPUT'], entries);
  const file = env['FLEETFORM_OUTPUTS'];
  const named = entries.map(
    ([name, value]) => [`FLEETFORM_${name.toUpperCase().replaceAll('-', '_')}`, value] as const,
  );
  append(file ? resolve(cwd, file) : undefined, named);
}

/** Saves a file of another run where the jobs of `init` put those. */
export async function saveIncoming(
  { cwd }: Pick<Shell, 'cwd'>,
  path: string,
  content: string,
): Promise<void> {
  const { replaceFile } = await import('../../store/local-file.ts');
  await replaceFile(resolve(cwd, 'incoming', path), content);
}

function append(file: string | undefined, entries: readonly (readonly [string, string])[]): void {
  if (!file) return;
  try {
    appendFileSync(file, entries.map(([name, value]) => `${name}=${value}\n`).join(''));
  } catch (cause) {
    throw new WorldError('fileUnreadable', { file }, { cause });
  }
}
