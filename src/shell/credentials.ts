import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { WorldError } from '../model/error.ts';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

type Env = Readonly<Record<string, string | undefined>>;

const VARIABLES = ['FLEETFORM_CLIENT_ID', 'FLEETFORM_CLIENT_SECRET'];

/** The names of the credentials that an environment lacks; an empty value, as on a fork, is none. No file is read. */
export function missingCredentials(env: Env): readonly string[] {
  return VARIABLES.filter((name) => !env[name] && !env[`${name}_FILE`]);
}

/** Whether an environment has a word about credentials. */
export function namesCredentials(env: Env): boolean {
  return missingCredentials(env).length < VARIABLES.length;
}

/** No secret is longer; a larger file is the wrong file. */
const MOST_BYTES = 65_536;

/**
 * Reads the credentials from `FLEETFORM_CLIENT_ID` and `FLEETFORM_CLIENT_SECRET`, or from the files
 * in the same variables with `_FILE`. They never come from a document or the command line. Throws
 * `credentialsMissing` with the missing names, `credentialsUnreadable`, or `fileRefused` for
 * anything but a regular file.
 * @param onExposed called for each file that other users may write
 */
export function readCredentials(env: Env, onExposed?: (file: string) => void): Credentials {
  const clientId = readOne(env, 'FLEETFORM_CLIENT_ID', onExposed);
  const clientSecret = readOne(env, 'FLEETFORM_CLIENT_SECRET', onExposed);
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  const missing = [
    ...(clientId === undefined ? ['FLEETFORM_CLIENT_ID'] : []),
    ...(clientSecret === undefined ? ['FLEETFORM_CLIENT_SECRET'] : []),
  ];
  throw new WorldError('credentialsMissing', { missing: missing.join(' and ') });
}

function readOne(env: Env, name: string, onExposed?: (file: string) => void): string | undefined {
  const direct = env[name];
  if (direct !== undefined && direct !== '') return direct;
  const file = env[`${name}_FILE`];
  if (file === undefined || file === '') return undefined;
  try {
    const { text, isExposed } = plainFile(file);
    if (isExposed) onExposed?.(file);
    return text.replace(/^\uFEFF/, '').trimEnd() || undefined;
  } catch (cause) {
    if (cause instanceof WorldError) throw cause;
    throw new WorldError('credentialsUnreadable', { variable: `${name}_FILE`, file }, { cause });
  }
}

/** A pipe is refused, because a read could wait forever. */
function plainFile(file: string): { readonly text: string; readonly isExposed: boolean } {
  const opened = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { mode } = fstatSync(opened);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG)
      throw new WorldError('fileRefused', { file, why: 'notPlain' });
    const bytes = Buffer.alloc(MOST_BYTES + 1);
    const length = readSync(opened, bytes, 0, bytes.length, 0);
    if (length > MOST_BYTES) throw new WorldError('fileRefused', { file, why: 'tooLarge' });
    return { text: bytes.toString('utf8', 0, length), isExposed: (mode & 0o022) !== 0 };
  } finally {
    closeSync(opened);
  }
}
