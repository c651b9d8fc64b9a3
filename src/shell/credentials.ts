import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { pick, isObject } from '../lib/objects.ts';
import { WorldError, type Params } from '../model/error.ts';
import type { Clock, Credentials, CredentialSource } from '../model/ports.ts';
import { spawn } from 'node:child_process';
import { dirname, isAbsolute } from 'node:path';
import { jsonValue } from '../lib/json-text.ts';
import { parseInstant } from '../lib/time.ts';
import type { Shell } from './shell.ts';

const VARIABLES = ['FLEETFORM_CLIENT_ID', 'FLEETFORM_CLIENT_SECRET'];
/** Names a program that prints both. */
const COMMAND = 'FLEETFORM_CREDENTIAL_COMMAND';

/** What the variables of the credentials of a fleet begin with, where it is one of several. */
export function credentialPrefix(fleet: string): string {
  return `FLEETFORM_FLEET_${fleet.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}

/** Matches all variables of credentials: those of one fleet, and of each of several. */
export const CREDENTIAL = /^FLEETFORM_(?:FLEET_\w+_)?CLIENT_(?:ID|SECRET)(?:_FILE)?$/i;

/**
 * The environment of a fleet of several: with its own credentials under the names that each command knows, and without
 * all others. A plain variable would go to every host that a document names (protocol M14).
 */
export function credentialsOf(fleet: string, env: CredentialUse['env']): CredentialUse['env'] {
  const others = Object.entries(env).filter(([name]) => !CREDENTIAL.test(name));
  const own = VARIABLES.flatMap((name) => [name, `${name}_FILE`]).map(
    (name) => [name, env[name.replace('FLEETFORM', credentialPrefix(fleet))]] as const,
  );
  return Object.fromEntries([...others, ...own]);
}

/** A failure of credentials with the names that the variables of a fleet of several have. */
export function withOwnNames(error: unknown, fleet?: string): unknown {
  if (
    fleet === undefined ||
    !(error instanceof WorldError) ||
    !error.code.startsWith('credentials')
  )
    return error;
  const own = credentialPrefix(fleet);
  const text = JSON.stringify(error.params).replaceAll('FLEETFORM_CLIENT', `${own}_CLIENT`);
  const params = { ...(JSON.parse(text) as Params), own };
  return new WorldError(error.code, params, { cause: error, retry: error.retry });
}

/** Whether an environment has a credential with the name of this fleet. */
export function hasOwnCredentials(fleet: string, env: CredentialUse['env']): boolean {
  const own = Object.entries(credentialsOf(fleet, env));
  return own.some(([name, value]) => value && CREDENTIAL.test(name));
}

/** The names of the credentials that an environment lacks; an empty value, as on a fork, is none. No file is read. */
export function missingCredentials(env: CredentialUse['env']): readonly string[] {
  return VARIABLES.filter((name) => !env[name] && !env[`${name}_FILE`] && !env[COMMAND]);
}

/** Whether an environment has a word about credentials. */
export function namesCredentials(env: CredentialUse['env']): boolean {
  return missingCredentials(env).length < VARIABLES.length;
}

/**
 * The credentials in `FLEETFORM_CLIENT_ID` and `FLEETFORM_CLIENT_SECRET`, or in the files in the same variables with
 * `_FILE`, which are read once; or a program, which is not run yet. They never come from a document or the command
 * line. Throws `credentialsMissing` with the missing names, `credentialsTwice`, `credentialsUnreadable`, or
 * `fileRefused` for anything but a regular file or a pipe.
 */
export async function openCredentials(
  use: CredentialUse,
  names = VARIABLES,
): Promise<CredentialSource> {
  const { env, variable = COMMAND } = use;
  const command = env[variable];
  if (command) {
    const set = names.flatMap((name) => [name, `${name}_FILE`]).filter((name) => env[name]);
    const said = { variables: set.join(' and '), ...pick(use, 'variable') };
    if (set.length > 0) throw new WorldError('credentialsTwice', said);
    return commandSource(command, use);
  }
  const read: string[] = [];
  for (const name of names) read.push((await readOne(name, use)) ?? '');
  const [clientId, clientSecret = clientId] = read;
  if (clientId && clientSecret) return () => Promise.resolve({ clientId, clientSecret });
  const missing = names.filter((_, index) => !read[index]);
  const password = names === VARIABLES ? {} : { password: names.join(' and ') };
  throw new WorldError('credentialsMissing', { missing: missing.join(' and '), ...password });
}

const PASSWORD = 'FLEETFORM_LEDGER_PASSWORD';

/** What commands were given: a pipe is read once. */
const PASSWORDS = new WeakMap<CredentialUse['env'], Credentials>();

/** The password of the ledger database, asked for again a minute before it ends. Throws as `openCredentials`. */
export async function ledgerPassword(use: CredentialUse): Promise<string> {
  let held = PASSWORDS.get(use.env);
  if (!held || (held.expiresAt ?? Infinity) - use.clock.now() < 60_000) {
    const from = { ...use, variable: `${PASSWORD}_COMMAND` };
    held = await (await openCredentials(from, [PASSWORD]))();
    PASSWORDS.set(use.env, held);
  }
  return held.clientSecret;
}

async function readOne(name: string, use: CredentialUse): Promise<string | undefined> {
  const variable = `${name}_FILE`;
  const file = use.env[variable];
  if (use.env[name] || !file) return use.env[name];
  let opened;
  try {
    opened = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if ((fstatSync(opened).mode & 0o022) !== 0) use.onExposed?.(file);
    const text = await readText(opened, file, use.clock);
    if (text !== undefined) return text.replace(/^\uFEFF/, '').trimEnd();
  } catch (cause) {
    if (cause instanceof WorldError) throw cause;
    throw new WorldError('credentialsUnreadable', { variable, file }, { cause });
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
  throw new WorldError('credentialsUnreadable', { variable, file, why: 'late' });
}

/** All of a file, or of a pipe to its end; undefined of a pipe that nobody has written to its end in 5 s. */
async function readText(opened: number, file: string, clock: Clock): Promise<string | undefined> {
  const about = fstatSync(opened);
  if (!about.isFile() && !about.isFIFO())
    throw new WorldError('fileRefused', { file, why: 'notPlain' });
  const bytes = Buffer.alloc(MOST_BYTES + 1);
  const until = clock.monotonic() + 5_000;
  for (let length = 0; clock.monotonic() < until;) {
    const read = readSome(opened, bytes.subarray(length));
    length += read ?? 0;
    if (length > MOST_BYTES) throw new WorldError('fileRefused', { file, why: 'tooLarge' });
    // A pipe that nobody has opened to write is at its end, too, and would never wake a reader.
    if (read === 0 && (length > 0 || about.isFile())) return bytes.toString('utf8', 0, length);
    if (!read) await clock.sleep(50);
  }
  return undefined;
}

/** How many bytes came; undefined where a writer may send more. */
function readSome(opened: number, into: Buffer): number | undefined {
  try {
    return readSync(opened, into);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}

/** The service that is to get the credentials, once the ground has allowed it; absent for the ledger's. */
export interface CredentialUse extends Pick<Shell, 'env' | 'clock'> {
  readonly organization?: string;
  readonly baseUrl?: string;
  /** Called for each file that other users may write. */
  onExposed?(file: string): void;
  /** The variable that names the program, if it is not that of the service's credentials. */
  readonly variable?: string;
}

/** No secret is longer: what is larger is the wrong file, or the wrong program. */
const MOST_BYTES = 65_536;

/**
 * A source that runs a program each time it is asked, without a shell and in the program's own directory: below the
 * documents, a file of a pull request could choose what runs. Nothing that it prints is shown, stderr neither: it may
 * hold a secret, and many read the log of a job. Its variables of the service have new names, since fleetform would
 * take FLEETFORM_ORGANIZATION for a setting. Without a service the secret is the member `password`. Throws
 * `credentialCommandFailed`, at once where the value is no command.
 */
export function commandSource(value: string, use: CredentialUse): CredentialSource {
  const command = jsonValue(value);
  const isTexts = Array.isArray(command) && command.every((each) => typeof each === 'string');
  const [program = '', ...args] = isTexts && !/\\u0000/.test(value) ? (command as string[]) : [];
  if (!isAbsolute(program))
    throw new WorldError('credentialCommandFailed', { why: 'setting', ...pick(use, 'variable') });
  const others = Object.entries(use.env).filter(([name]) => !/^FLEETFORM_/i.test(name));
  const service = use.baseUrl !== undefined && {
    FLEETFORM_CREDENTIAL_ORGANIZATION: use.organization,
    FLEETFORM_CREDENTIAL_ORIGIN: new URL(use.baseUrl).origin,
  };
  const env = { ...Object.fromEntries(others), ...service };
  const failed = (why: string, cause?: string): WorldError =>
    new WorldError('credentialCommandFailed', { program, why, ...(cause && { cause }) });
  const run = (over: AbortSignal, signal: AbortSignal | undefined): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        cwd: dirname(program),
        env,
        // Stdin is at its end. Without a descriptor 0, the next file that the program opens would become it.
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
        windowsHide: true,
      });
      // With all that the program has started, and that may keep its output open.
      const kill = (error: unknown): void => {
        child.stdout.destroy();
        try {
          process.kill(-(child.pid ?? NaN), 'SIGKILL');
        } catch {
          child.kill('SIGKILL');
        }
        reject(error as Error);
      };
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (Buffer.byteLength(text) > MOST_BYTES) kill(failed('tooLarge'));
      });
      child.once('error', (error: NodeJS.ErrnoException) => reject(failed('absent', error.code)));
      child.once('close', (code, name) =>
        code === 0 ? resolve(text) : reject(failed('exit', name ?? `exit code ${code}`)),
      );
      signal?.addEventListener('abort', () => kill(signal.reason), { signal: over });
      const late = (): void => kill(failed('late'));
      use.clock.sleep(30_000, over).then(late, () => undefined);
    });
  return async (signal) => {
    signal?.throwIfAborted();
    const over = new AbortController();
    const printed = jsonValue(await run(over.signal, signal).finally(() => over.abort()));
    if (!isObject(printed)) throw failed('form');
    const { version, expiresAt = '9999-12-31T23:59:59Z' } = printed;
    const { clientId, clientSecret } = service
      ? printed
      : { clientId: '-', clientSecret: printed['password'] };
    if (version !== 1) throw failed('version');
    const endsAt = parseInstant(String(expiresAt));
    const isWhole = typeof clientId === 'string' && typeof clientSecret === 'string';
    if (!isWhole || !clientId || !clientSecret || endsAt === undefined) throw failed('form');
    if (endsAt <= use.clock.now()) throw failed('expired');
    return { clientId, clientSecret, expiresAt: endsAt };
  };
}
