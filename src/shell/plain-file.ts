import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { WorldError } from '../model/error.ts';
import type { Shell } from './shell.ts';

/**
 * The text of a file, as a stream; one whose name ends with `.gz` is decompressed. Throws `fileRefused` for
 * a pipe or a device: opening a pipe without a writer blocks forever, and no signal ends a process that
 * waits for it. The stream throws it for a file that decompresses to more than any plan, or is cut. `-` is stdin.
 */
export function openTextStream({ cwd }: Pick<Shell, 'cwd'>, file: string): AsyncIterable<string> {
  if (file === '-') return process.stdin.setEncoding('utf8');
  const path = resolve(cwd, file);
  const about = statSync(path, { throwIfNoEntry: false });
  if (about && !about.isFile() && !about.isDirectory())
    throw new WorldError('fileRefused', { file, why: 'notPlain' });
  return isGzipName(file) ? gunzip(path, file) : createReadStream(path, 'utf8');
}

/** Whether a file is written and read with gzip. */
export function isGzipName(file: string): boolean {
  return file.endsWith('.gz');
}

/** What a file may decompress to: a plan of a million changes is smaller, and has no longer line. */
const MOST_TEXT = 2 * 1024 ** 3;
const MOST_IN_A_LINE = 8 * 1024 ** 2;
/**
 * Plans shrink to a tenth, gzip can shrink zeros to a thousandth. Above this ratio a text is refused, unless
 * it is small.
 */
const MOST_TIMES = 250;
const SMALL = 64 * 1024 ** 2;

/** Holds one chunk at a time, so that memory does not grow with what a file decompresses to. */
async function* gunzip(path: string, file: string): AsyncGenerator<string> {
  const source = createReadStream(path);
  // A failed source ends the text with the same error, which the loop below throws.
  const text = pipeline(source, createGunzip(), () => undefined).setEncoding('utf8');
  let length = 0;
  let line = 0;
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      length += chunk.length;
      const end = chunk.lastIndexOf('\n');
      line = end < 0 ? line + chunk.length : chunk.length - end - 1;
      const isBomb = length > SMALL && length > MOST_TIMES * source.bytesRead;
      if (length > MOST_TEXT || line > MOST_IN_A_LINE || isBomb)
        throw new WorldError('fileRefused', { file, why: 'unpacksTooLarge' });
      yield chunk;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw new WorldError('fileRefused', { file, why: 'cutShort' }, { cause: error });
  } finally {
    text.destroy();
    source.destroy();
  }
}

/** Whether the data is no gzip, or ends too early; a file that cannot be read has another error. */
function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
