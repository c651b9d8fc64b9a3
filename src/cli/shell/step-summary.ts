import { appendFileSync, statSync } from 'node:fs';
import { WorldError } from '../../model/error.ts';
import type { Shell } from './shell.ts';

/** What GitHub takes of a step, in bytes; the step fails with one more. */
const LIMIT = 1024 ** 2;

/** Below this there is no telling anything. */
const LEAST = 2_048;

/**
 * Adds a text to the summary of the step, where there is one. It is made for the characters that
 * are left, and again for fewer where it takes more bytes than that. Never beyond 1 MiB, whatever
 * stands there already.
 */
export function addToSummary(shell: Shell, textFor: (limit: number) => string): void {
  const path = shell.env['GITHUB_STEP_SUMMARY'];
  if (!path) return;
  const taken = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const room = LIMIT - taken - 2;
  for (let limit = room; limit >= LEAST; limit = Math.floor(limit / 2)) {
    const text = textFor(limit);
    if (Buffer.byteLength(text) <= room) return append(path, `${text}\n`);
  }
}

function append(path: string, text: string): void {
  try {
    appendFileSync(path, text);
  } catch (cause) {
    throw new WorldError('fileUnreadable', { file: path }, { cause });
  }
}
