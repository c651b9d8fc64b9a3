import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { WorldError } from '../model/error.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { SavedPlan } from '../plan/saved/saved.ts';
import { printMessages } from '../shell/messages.ts';
import type { Shell } from '../shell/shell.ts';
import { digestIn, planLines } from '../plan/saved/save.ts';
import { writeStream } from '../store/local-file.ts';
import { readLines } from '../shell/plain-file.ts';

/** Throws `fileRefused` if one of these files cannot be saved, before the fleet is read; a file may be absent. */
export function checkPlanFiles(shell: Shell, ...files: readonly (string | undefined)[]): void {
  for (const file of files) if (file !== undefined) checkPlanFile(shell, file);
}

function checkPlanFile(shell: Shell, file: string): void {
  const path = resolve(shell.cwd, file);
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new WorldError('fileRefused', { file, why: 'notWritable' }, { cause });
  }
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory() === true) throw new WorldError('fileRefused', { file, why: 'folder' });
  // A file is written beside it and renamed, which would put a file in the place of a device such as `/dev/null`.
  if (there?.isFile() === false) throw new WorldError('fileRefused', { file, why: 'notPlain' });
}

/** Writes a plan as a stream, atomically. Returns its digest. */
export async function savePlan(shell: Shell, file: string, plan: Plan): Promise<string> {
  let last = '';
  function* lines(): Generator<string> {
    for (const line of planLines(plan)) yield (last = line);
  }
  await writeStream(resolve(shell.cwd, file), lines());
  return digestIn(last);
}

export async function printSaved(shell: Pick<Shell, 'err' | 'env'>, file: string): Promise<void> {
  const { savedWords } = await import('../render/words/commands.ts');
  printMessages(shell, [savedWords(file)]);
}

/** Reads a saved plan; throws `fileUnreadable`, `fileRefused`, `planUnreadable` or `planTampered` with the file. */
export async function readPlanFile(shell: Shell, file: string): Promise<Plan> {
  return (await readApprovedFile(shell, file)).plan;
}

/** Reads a saved plan with the digest of its file; throws as `readPlanFile` does. */
export async function readApprovedFile(shell: Shell, file: string): Promise<SavedPlan> {
  const { readSavedPlan } = await import('../plan/saved/saved.ts');
  return readLines(shell, file, readSavedPlan);
}
