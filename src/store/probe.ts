import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { WorldError } from '../model/error.ts';
import { codeOf, type Files } from './files.ts';

/** What a folder must be able to do before a ledger may live in it. */
export type ProbeProblem = 'create' | 'fsync' | 'link' | 'overwrites' | 'readBack';

/**
 * Shows on two files of its own that a folder refuses to give one name twice, that writes can be
 * made to last, and that what was written is what is read (protocol J7). The files are gone
 * afterwards. Throws `ledgerUnfit` with the first thing that does not hold.
 */
export async function probeFolder(folder: string, files: Files): Promise<void> {
  const unique = randomUUID();
  const from = join(folder, `.probe.${unique}.tmp`);
  const to = join(folder, `.probe.${unique}`);
  const step = stepper(folder);
  try {
    const file = await step('create', () => files.create(from));
    await step('create', () => file.write(unique));
    await step('fsync', () => file.sync());
    await step('create', () => file.close());
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
        { place, why: problem, cause: codeOf(error) },
        { cause: error },
      );
    }
  };
}

async function refusesSecond(from: string, to: string, files: Files): Promise<void> {
  const answer = await files.link(from, to).then(() => 'linked', codeOf);
  if (answer !== 'EEXIST') throw new Error(`second link: ${answer}`);
}

async function readsBack(path: string, text: string, files: Files): Promise<void> {
  const bytes = await files.read(path);
  if (new TextDecoder().decode(bytes) !== text) throw new Error('read back differs');
}
