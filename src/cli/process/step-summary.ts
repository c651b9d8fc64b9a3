import { appendFileSync, statSync } from 'node:fs';
import { WorldError } from '../../model/error.ts';
import type { Shell } from '../../shell/shell.ts';

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
