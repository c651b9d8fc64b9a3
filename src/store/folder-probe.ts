import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { WorldError } from '../model/error.ts';
import { type Files, fileErrorCode } from './files.ts';

/** The first requirement that a folder fails to meet. */
type ProbeProblem = 'create' | 'fsync' | 'link' | 'overwrites' | 'readBack';

/**
 * Checks with two files of its own that a folder never gives one name twice, that writes are
 * durable, and that reads return what was written (protocol J7); then removes them. Throws
 * `ledgerUnfit` with the first requirement that is not met.
 */
export async function probeFolder(folder: string, files: Files): Promise<void> {
  const unique = randomUUID();
  const from = join(folder, `.probe.${unique}.tmp`);
  const to = join(folder, `.probe.${unique}`);
  const step = stepper(folder);
  try {
    const file = await step('create', () => files.create(from));
    try {
      await step('create', () => file.write(unique));
      await step('fsync', () => file.sync());
    } finally {
      await step('create', () => file.close());
    }
    await step('link', () => files.link(from, to));
    await step('overwrites', () => refusesSecond(from, to, files));
    await step('fsync', () => files.syncFolder(folder));
    await step('readBack', () => readsBack(to, unique, files));
  } finally {
    await files.remove(from).catch(() => undefined);
    await files.remove(to).catch(() => undefined);
  }
}

function stepper(place: string) {
  return async <T>(problem: ProbeProblem, run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      throw new WorldError(
        'ledgerUnfit',
        { place, why: problem, cause: fileErrorCode(error) },
        { cause: error },
      );
    }
  };
}

async function refusesSecond(from: string, to: string, files: Files): Promise<void> {
  const answer = await files.link(from, to).then(() => 'linked', fileErrorCode);
  if (answer !== 'EEXIST') throw new Error(`second link: ${answer}`);
}

async function readsBack(path: string, text: string, files: Files): Promise<void> {
  const bytes = await files.read(path);
  if (new TextDecoder().decode(bytes) !== text) throw new Error('read back differs');
}
