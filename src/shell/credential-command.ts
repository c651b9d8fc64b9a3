import { spawn } from 'node:child_process';
import { dirname, isAbsolute } from 'node:path';
import { jsonValue } from '../lib/json-text.ts';
import { isObject, pick } from '../lib/objects.ts';
import { parseInstant } from '../lib/time.ts';
import { WorldError } from '../model/error.ts';
import type { CredentialSource } from '../model/ports.ts';
import type { Shell } from './shell.ts';

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
export const MOST_BYTES = 65_536;

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
