import { createReadStream, lstatSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { WorldError, unreadableFile } from '../model/error.ts';
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
  return file.endsWith('.gz') ? gunzip(path, file) : createReadStream(path, 'utf8');
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

/**
 * What `read` makes of the lines of a file. Throws as `openTextStream`, and `fileUnreadable`; the file is named in whatever is
 * wrong with it.
 * @param within throws where the text is too much, before a line is held whole
 */
export async function readLines<T>(
  shell: Pick<Shell, 'cwd'>,
  file: string,
  read: (lines: AsyncIterable<string>) => Promise<T>,
  within = (chunks: AsyncIterable<string>) => chunks,
): Promise<T> {
  const input = openTextStream(shell, file);
  try {
    return await read(splitLines(within(input)));
  } catch (cause) {
    if (cause instanceof WorldError)
      throw new WorldError(cause.code, { ...cause.params, file }, { cause });
    throw unreadableFile(file, cause);
  }
}

/**
 * Whether a file of another job, which may have run untrusted code, is there. Throws `artifactRefused` for anything but a
 * regular file of at most so many bytes.
 */
export function isArtifact({ cwd }: Pick<Shell, 'cwd'>, file: string, most: number): boolean {
  const about = lstatSync(resolve(cwd, file), { throwIfNoEntry: false });
  if (!about) return false;
  if (!about.isFile()) throw new WorldError('artifactRefused', { file, why: 'notAFile' });
  if (about.size > most) throw new WorldError('artifactRefused', { file, why: 'tooLarge' });
  return true;
}

/**
 * The lines of a text stream, without their line feeds. Only `\n` ends a line: the platform's readers also split at
 * other separators, which may occur in a name, and would cut a record in two.
 */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    // A line of many chunks is joined once, at its end, and not again for each chunk.
    if (!chunk.includes('\n')) {
      rest += chunk;
      continue;
    }
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
