import { appendFileSync } from 'node:fs';
import { WorldError } from '../../model/error.ts';
import type { Shell } from '../../shell/shell.ts';

/**
 * Adds outputs of the workflow step, for the steps and jobs after it; nothing outside a job. Throws
 * `fileUnreadable`.
 */
export function addStepOutputs(
  { env }: Pick<Shell, 'env'>,
  outputs: Readonly<Record<string, string>>,
): void {
  const file = env['GITHUB_OUTPUT'];
  if (!file) return;
  const text = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  try {
    appendFileSync(file, text.join(''));
  } catch (cause) {
    throw new WorldError('fileUnreadable', { file }, { cause });
  }
}
