import { appendFileSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isCi } from '../../lib/ci.ts';
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
  const { GITHUB_OUTPUT: github, FLEETFORM_OUTPUTS: gitlab } = env;
  for (const [name, value] of Object.entries(outputs)) {
    if (github) append(github, `${name}=${value}\n`);
    const variable = name.toUpperCase().replaceAll('-', '_');
    if (gitlab) append(resolve(cwd, gitlab), `FLEETFORM_${variable}=${value}\n`);
  }
}

/** Where the jobs of `init` put the files of other runs, in the working directory. */
export const INCOMING = 'incoming';

/** Removes what a commit may have there, so that no author of a request chooses what another run has left. */
export function clearIncoming({ cwd, env }: Pick<Shell, 'cwd' | 'env'>): void {
  if (isCi(env)) rmSync(resolve(cwd, INCOMING), { recursive: true, force: true });
}

/** Saves a file of another run there. */
export async function saveIncoming(
  { cwd }: Pick<Shell, 'cwd'>,
  path: string,
  content: string,
): Promise<void> {
  const { replaceFile } = await import('../../store/local-file.ts');
  await replaceFile(resolve(cwd, INCOMING, path), content);
}

/** GitHub's limit for the summary of a step, in bytes; one more fails the step. */
const LIMIT = 1024 ** 2;

const LEAST = 2_048;

/**
 * Adds a text to the summary of the step, if there is one. The text is made for the remaining
 * characters, and again for fewer if it takes more bytes. The summary never exceeds 1 MiB, whatever
 * it contains already.
 */
export function addToSummary(shell: Shell, textFor: (limit: number) => string): void {
  const path = shell.env['GITHUB_STEP_SUMMARY'];
  if (!path) return;
  const taken = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const space = LIMIT - taken - 2;
  for (let limit = space; limit >= LEAST; limit = Math.floor(limit / 2)) {
    const text = textFor(limit);
    if (Buffer.byteLength(text) <= space) return append(path, `${text}\n`);
  }
}

function append(path: string, text: string): void {
  try {
    appendFileSync(path, text);
  } catch (cause) {
    throw new WorldError('fileUnreadable', { file: path }, { cause });
  }
}
