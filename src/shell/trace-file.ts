import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { WorldError } from '../model/error.ts';

/** An open `--trace FILE`. */
export interface TraceFile {
  /**
   * Appends a line. The first failed write is reported and ends the trace, so that it has no gaps.
   */
  readonly write: (line: string) => void;
  close(): void;
}

const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** The start of every line that fleetform writes. */
const OUR_LINE = '{"at":"';

/**
 * Opens a trace before anything is sent: a new file, or an existing trace to continue, readable by
 * its owner only from then on. Throws `fileRefused` for a link, a pipe, a folder, a file of another user,
 * with other content or where this user may not write, and `fileUnreadable` if the system refuses.
 * @param onEnd receives the system's code if the trace ends early
 */
export function openTrace(
  file: string,
  onEnd: (cause: string) => void,
  write: (opened: number, bytes: Buffer) => number = writeSync,
): TraceFile {
  const opened = opening(file);
  let isOpen = true;
  return {
    write: (line) => {
      if (!isOpen) return;
      try {
        const bytes = Buffer.from(line.endsWith('\n') ? line : `${line}\n`);
        if (write(opened, bytes) < bytes.length) throw new Error('ENOSPC');
      } catch (error) {
        isOpen = false;
        onEnd(errorCode(error));
      }
    },
    close: () => {
      // A late line must not go to another file that reuses the descriptor.
      isOpen = false;
      closeSync(opened);
    },
  };
}

/** What the system's answers to opening a file for writing mean. */
const REFUSED: Readonly<Record<string, string>> = {
  ELOOP: 'link',
  EISDIR: 'folder',
  ENOENT: 'notWritable',
  ENOTDIR: 'notWritable',
  EACCES: 'notWritable',
  EROFS: 'notWritable',
};

function opening(file: string): number {
  let opened;
  try {
    opened = openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (cause) {
    const code = errorCode(cause);
    const refused = Object.hasOwn(REFUSED, code) ? REFUSED[code] : undefined;
    if (refused !== undefined)
      throw new WorldError('fileRefused', { file, why: refused }, { cause });
    throw new WorldError('fileUnreadable', { file, cause: code }, { cause });
  }
  const why = objectionTo(opened);
  if (why === undefined) return opened;
  closeSync(opened);
  throw new WorldError('fileRefused', { file, why });
}

function objectionTo(opened: number): string | undefined {
  const { size, uid, mode } = fstatSync(opened);
  if ((mode & constants.S_IFMT) !== constants.S_IFREG) return 'notPlain';
  if (process.getuid !== undefined && uid !== process.getuid()) return 'notOurs';
  const first = Buffer.alloc(OUR_LINE.length);
  if (size > 0) readSync(opened, first, 0, first.length, 0);
  if (size > 0 && first.toString() !== OUR_LINE) return 'notTrace';
  fchmodSync(opened, 0o600);
  return undefined;
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  return 'code' in error ? String(error.code) : error.message;
}
