import { createReadStream, lstatSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import type { PlanSchema } from '../config/plan-schema.ts';
import { WorldError } from '../model/error.ts';
import type { Plan } from '../model/plan/plan.ts';
import { linesOf } from '../cli/shell/lines.ts';
import type { Shell } from '../cli/shell/shell.ts';

/** A plan of a million changes is smaller; what is larger was not made by us. */
const MAX_BYTES = 1024 ** 3;

/** The first line holds all but the changes; every other line one change. */
const MAX_HEAD = 8 * 1024 ** 2;
const MAX_CHANGE = 64 * 1024;

/** Far beyond what any plan nests, far below what a parser can bear. */
const MAX_DEPTH = 16;

/**
 * Reads a plan that another job made, perhaps with code of a stranger (T07): as data. A regular
 * file of a sane size, each line of it within its limits and its schema, and all that every reader
 * of a plan holds against its changes. Throws `artifactRefused`, `planTampered` or
 * `planUnreadable`; undefined where there is no file.
 */
export async function readArtifact(shell: Shell, file: string): Promise<Plan | undefined> {
  const path = resolve(shell.cwd, file);
  const about = statOf(path);
  if (!about) return undefined;
  if (!about.isFile()) throw refused(file, 'notAFile');
  if (about.size > MAX_BYTES) throw refused(file, 'tooLarge');
  const [{ planSchema }, { readPlan }] = await Promise.all([
    import('../config/plan-schema.ts'),
    import('../plan/saved/saved.ts'),
  ]);
  const input = createReadStream(path, 'utf8');
  try {
    const plan = await readPlan(checked(linesOf(capped(input)), planSchema()));
    if (!/^[0-9a-f]{64}$/.test(plan.inputs.service.fingerprint)) throw refused(undefined, 'shape');
    return plan;
  } catch (cause) {
    if (cause instanceof WorldError)
      throw new WorldError(cause.code, { ...cause.params, file }, { cause });
    throw new WorldError('fileUnreadable', { file }, { cause });
  } finally {
    input.destroy();
  }
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** No more than one line may be held back: a file without line ends is refused while it is read. */
async function* capped(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let held = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf('\n');
    held = end < 0 ? held + chunk.length : chunk.length - end - 1;
    if (held > MAX_HEAD) throw refused(undefined, 'tooLarge');
    yield chunk;
  }
}

async function* checked(lines: AsyncIterable<string>, schema: PlanSchema): AsyncGenerator<string> {
  let line = 0;
  for await (const text of lines) {
    line++;
    if (text.length > (line === 1 ? MAX_HEAD : MAX_CHANGE))
      throw refused(undefined, 'tooLarge', line);
    if (depthOf(text) > MAX_DEPTH) throw refused(undefined, 'shape', line);
    if (line === 1 ? !fits(`${text}]}`, schema.fitsHead) : isOdd(text, schema))
      throw refused(undefined, 'shape', line);
    yield text;
  }
}

/** A line after the first is a change, or the end of the file. */
function isOdd(text: string, { fitsChange }: PlanSchema): boolean {
  if (text.startsWith('],')) return false;
  return !fits(text.endsWith(',') ? text.slice(0, -1) : text, fitsChange);
}

function fits(text: string, check: (value: unknown) => boolean): boolean {
  try {
    return check(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Brackets open at once, counted before a parser sees them; those in texts do not count. */
function depthOf(text: string): number {
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

function refused(
  file: string | undefined,
  why: 'notAFile' | 'tooLarge' | 'shape',
  line?: number,
): WorldError {
  return new WorldError('artifactRefused', {
    why,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
  });
}
