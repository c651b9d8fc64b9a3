import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { WorldError } from '../model/error.ts';
import { asStoreFailure, NODE_FILES, writeNew, type Files } from './files.ts';

/** Characters gathered before a write to the file system. */
const CHUNK = 65_536;

/**
 * Replaces a file atomically (protocol J15): a reader sees the old or the new text, also after a
 * power cut. Makes the folder if necessary; mode 0600. Throws `storeFailed` and leaves the old file
 * unchanged.
 */
export async function replaceFile(path: string, text: string, files = NODE_FILES): Promise<void> {
  await writePieces(path, [text], files);
}

/**
 * Writes lines as one file, each with a line feed, and replaces the old file atomically after the
 * last line is on disk. A file whose name ends with `.gz` is compressed; the same lines give the same
 * bytes. Throws `fileRefused` with the cause: it is no file of the ledger. An error of `lines` passes
 * through.
 */
export async function writeStream(
  path: string,
  lines: Iterable<string> | AsyncIterable<string>,
  files = NODE_FILES,
): Promise<void> {
  const pieces = chunked(lines);
  const written = writePieces(path, path.endsWith('.gz') ? gzipped(pieces) : pieces, files);
  await written.catch((error: unknown) => {
    if (!(error instanceof WorldError) || error.code !== 'storeFailed') throw error;
    const { cause = '' } = error.params;
    throw new WorldError('fileRefused', { file: path, why: 'unwritten', cause }, { cause: error });
  });
}

async function writePieces(
  path: string,
  pieces: Iterable<string> | AsyncIterable<string | Uint8Array>,
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

/** An error of the pieces passes through. */
async function* gzipped(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip();
  pipeline(Readable.from(pieces), gzip, () => undefined);
  yield* gzip as AsyncIterable<Uint8Array>;
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
