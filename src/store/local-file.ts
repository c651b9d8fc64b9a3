import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { asStoreFailure, NODE_FILES, writeNew, type Files } from './files.ts';

/** How much text is gathered before it is handed to the file system, in characters. */
const CHUNK = 65_536;

/**
 * Replaces a file at one stroke (protocol J15): whoever reads it sees the old text or the
 * new one, also after a power cut. Makes the folder if need be; 0600. Throws `storeFailed` and
 * leaves the old file as it was.
 */
export async function replaceFile(path: string, text: string, files = NODE_FILES): Promise<void> {
  await writePieces(path, [text], files);
}

/**
 * Writes lines of any number as one file, each with a line feed, replacing what was there at one
 * stroke. Nothing is at `path` before the last line is on the disk. Throws `storeFailed`; an error
 * of `lines` goes through.
 */
export async function writeStream(
  path: string,
  lines: Iterable<string> | AsyncIterable<string>,
  files = NODE_FILES,
): Promise<void> {
  await writePieces(path, chunked(lines), files);
}

async function writePieces(
  path: string,
  pieces: Iterable<string> | AsyncIterable<string>,
  files: Files,
): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    await files.makeFolder(folder);
    await writeNew(temporary, pieces, files);
    await files.rename(temporary, path);
  } catch (error) {
    await files.remove(temporary).catch(() => undefined);
    throw asStoreFailure(error, path);
  }
  await files.syncFolder(folder).catch((error: unknown) => {
    throw asStoreFailure(error, path);
  });
}

async function* chunked(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const line of lines) {
    held += `${line}\n`;
    if (held.length < CHUNK) continue;
    yield held;
    held = '';
  }
  if (held !== '') yield held;
}
