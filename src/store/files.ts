import { link, mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { platform } from 'node:process';
import { WorldError } from '../model/error.ts';

/** A file being written: nothing of it is sure before `sync` has returned. */
export interface NewFile {
  write(text: string): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The file system, step by step, as the stores need it. Each call is one step, so that a test can
 * stop after any of them. Errors are those of Node, with their `code`.
 */
export interface Files {
  /** Makes a folder (0700) and those above it; returns the topmost one it had to make. */
  makeFolder(path: string): Promise<string | undefined>;
  /** Makes a file (0600) that must not exist yet. */
  create(path: string): Promise<NewFile>;
  /**
   * Gives a file a second name; refuses with EEXIST where the name is taken, and never overwrites.
   */
  link(from: string, to: string): Promise<void>;
  /** Moves a file onto a name, replacing what was there. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the names in a folder last. */
  syncFolder(path: string): Promise<void>;
  /** The bytes of a file; undefined where there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** The names in a folder; none where there is no folder. */
  list(path: string): Promise<readonly string[]>;
}

/** The real file system. */
export const NODE_FILES: Files = {
  makeFolder: (path) => mkdir(path, { recursive: true, mode: 0o700 }),
  create,
  link,
  rename,
  remove: unlink,
  syncFolder,
  read: (path) => unlessAbsent(readFile(path), undefined),
  list: (path) => unlessAbsent(readdir(path), []),
};

/**
 * Writes a file that must not exist yet and makes its content last; its name lasts only after
 * `syncFolder`. Nothing is tried again: after a failed flush nobody knows what is on the disk.
 */
export async function writeNew(
  path: string,
  pieces: Iterable<string> | AsyncIterable<string>,
  files: Files,
): Promise<void> {
  const file = await files.create(path);
  try {
    for await (const piece of pieces) await file.write(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The world's error for one of the file system; any other error stays what it is. */
export function asStoreFailure(error: unknown, place: string): unknown {
  const cause = fileErrorCode(error);
  if (cause === '' || error instanceof WorldError) return error;
  return new WorldError('storeFailed', { place, cause }, { cause: error });
}

/** The `code` of an error of the file system; the empty text where it has none. */
export function fileErrorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

async function create(path: string): Promise<NewFile> {
  const handle = await open(path, 'wx', 0o600);
  return {
    write: (text) => handle.writeFile(text, 'utf8'),
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

/** Windows cannot open a folder to flush it, and keeps names without being asked. */
async function syncFolder(path: string): Promise<void> {
  if (platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function unlessAbsent<T>(found: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return otherwise;
    throw error;
  }
}
