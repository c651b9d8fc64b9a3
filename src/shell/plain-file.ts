import { createReadStream, statSync, type ReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { WorldError } from '../model/error.ts';
import type { Shell } from './shell.ts';

/**
 * The text of a file, as a stream. Throws `fileRefused` for a pipe or a device: opening a pipe without a writer
 * blocks forever, and no signal ends a process that waits for it.
 */
export function openTextStream({ cwd }: Pick<Shell, 'cwd'>, file: string): ReadStream {
  const path = resolve(cwd, file);
  const about = statSync(path, { throwIfNoEntry: false });
  if (about && !about.isFile() && !about.isDirectory())
    throw new WorldError('fileRefused', { file, why: 'notPlain' });
  return createReadStream(path, 'utf8');
}
