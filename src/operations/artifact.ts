import { WorldError } from '../model/error.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { Shell } from '../shell/shell.ts';
import { readPlan } from '../plan/saved/saved.ts';
import { isArtifact, readLines } from '../shell/plain-file.ts';

/** Larger than a plan of a million changes; fleetform writes no larger file. */
const MAX_BYTES = 1024 ** 3;

/** The first line contains everything except the changes; each further line is one change. */
const MAX_HEAD = 8 * 1024 ** 2;
const MAX_CHANGE = 64 * 1024;

/** Deeper than any plan, and well below what a parser handles. */
const MAX_DEPTH = 16;

/**
 * Reads a plan from another job, which may have run untrusted code (T07), strictly as data: a
 * regular file of limited size, each line within its limits, with the checks that every reader of a
 * plan makes. Throws `artifactRefused`, `planTampered` or `planUnreadable`;
 * returns undefined if there is no file.
 */
export async function readArtifact(shell: Shell, file: string): Promise<Plan | undefined> {
  if (!isArtifact(shell, file, MAX_BYTES)) return undefined;
  const read = async (lines: AsyncIterable<string>): Promise<Plan> => {
    const plan = await readPlan(checked(lines));
    if (!/^[0-9a-f]{64}$/.test(plan.inputs.service.fingerprint)) throw refused('shape');
    return plan;
  };
  return readLines(shell, file, read, capped);
}

/** Buffers at most one line: a file without line ends is refused while it is read. */
async function* capped(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let held = 0;
  let length = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf('\n');
    held = end < 0 ? held + chunk.length : chunk.length - end - 1;
    length += chunk.length;
    if (held > MAX_HEAD || length > MAX_BYTES) throw refused('tooLarge');
    yield chunk;
  }
}

async function* checked(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let line = 0;
  for await (const text of lines) {
    line++;
    if (text.length > (line === 1 ? MAX_HEAD : MAX_CHANGE)) throw refused('tooLarge', line);
    if (nestingDepth(text) > MAX_DEPTH) throw refused('shape', line);
    yield text;
  }
}

/**
 * The nesting depth of a text, counted before a parser sees it; brackets in strings do not count.
 */
function nestingDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (inText) {
      if (unit === 0x5c) index++;
      else if (unit === 0x22) inText = false;
    } else if (unit === 0x22) inText = true;
    else if (unit === 0x5b || unit === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return deepest;
}

function refused(why: 'tooLarge' | 'shape', line?: number): WorldError {
  return new WorldError('artifactRefused', { why, ...(line !== undefined && { line }) });
}
