import { link, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { platform } from 'node:process';
import { WorldError } from '../model/error.ts';

/** A file being written; its content is durable only after `sync`. */
export interface NewFile {
  write(piece: string | Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The file system as the stores use it. Each call is one step, so that a test can stop after any of
 * them. Errors are those of Node, with their `code`.
 */
export interface Files {
  /** Makes a folder and its parents (mode 0700); returns the topmost one that it made. */
  makeFolder(path: string): Promise<string | undefined>;
  /** Creates a file (mode 0600). Fails with EEXIST if it exists. */
  create(path: string): Promise<NewFile>;
  /** Gives a file a second name. Fails with EEXIST if the name exists; never overwrites. */
  link(from: string, to: string): Promise<void>;
  /** Renames a file, replacing the target. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>;
  /** The bytes of a file; undefined if it does not exist. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** The names in a folder; empty if it does not exist. */
  list(path: string): Promise<readonly string[]>;
}

/** The real file system. */
export const NODE_FILES: Files = {
  makeFolder: (path) => makeFolder(path, 0o700),
  create,
  link,
  rename,
  remove: unlink,
  syncFolder,
  read: (path) => unlessAbsent(readFile(path), undefined),
  list: (path) => unlessAbsent(readdir(path), []),
};

/**
 * Writes a new file and syncs its content; its name is durable only after `syncFolder`. Nothing is
 * retried: after a failed flush the state of the disk is unknown.
 */
export async function writeNew(
  path: string,
  pieces: Iterable<string> | AsyncIterable<string | Uint8Array>,
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

/** Turns a file-system error into a `WorldError`; returns any other error as it is. */
export function asStoreFailure(error: unknown, place: string): unknown {
  const cause = fileErrorCode(error);
  if (cause === '' || error instanceof WorldError) return error;
  return new WorldError('storeFailed', { place, cause }, { cause: error });
}

/** The `code` of a file-system error; the empty text without one. */
export function fileErrorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** The calls that making a folder needs, so that a test can answer for a file system. */
export interface FolderCalls {
  mkdir(path: string, mode: number): Promise<unknown>;
  isFolder(path: string): Promise<boolean>;
}

const NODE_CALLS: FolderCalls = {
  mkdir: (path, mode) => mkdir(path, { mode }),
  isFolder: (path) =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    ),
};

/**
 * Makes a folder and its missing parents; returns the topmost one that it made, undefined if none.
 * Each level is tried at most twice: the recursive `mkdir` of Node never ends on a file system that
 * answers ENOENT below an existing folder, as /proc does. Throws the errors of Node.
 */
export async function makeFolder(
  path: string,
  mode = 0o777,
  calls = NODE_CALLS,
): Promise<string | undefined> {
  const missing: string[] = [];
  let at = path;
  let made = await makeOne(at, mode, calls);
  while (made === 'orphan') {
    missing.unshift(at);
    at = dirname(at);
    made = await makeOne(at, mode, calls);
    if (made === 'orphan' && at === dirname(at)) throw absent(at);
  }
  let topmost = made === 'made' ? at : undefined;
  for (const below of missing) {
    const result = await makeOne(below, mode, calls);
    if (result === 'orphan') throw absent(below);
    if (result === 'made') topmost ??= below;
  }
  return topmost;
}

/** Makes a folder that a person named. Throws `fileRefused` where it cannot be made. */
export async function requireFolder(path: string): Promise<void> {
  await makeFolder(path).catch((cause: unknown) => {
    throw new WorldError('fileRefused', { file: path, why: 'notWritable' }, { cause });
  });
}

/** `orphan`: its parent does not exist. Another process may make the same folder meanwhile. */
async function makeOne(
  path: string,
  mode: number,
  calls: FolderCalls,
): Promise<'made' | 'there' | 'orphan'> {
  try {
    await calls.mkdir(path, mode);
    return 'made';
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return 'orphan';
    if (await calls.isFolder(path)) return 'there';
    throw error;
  }
}

function absent(path: string): Error {
  const message = `ENOENT: no such file or directory, mkdir '${path}'`;
  return Object.assign(new Error(message), { code: 'ENOENT', path, syscall: 'mkdir' });
}

async function create(path: string): Promise<NewFile> {
  const handle = await open(path, 'wx', 0o600);
  return {
    write: (piece) => handle.writeFile(piece, 'utf8'),
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

/** Windows cannot open a folder to flush it, and keeps names without a flush. */
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
