import { readFileSync } from 'node:fs';
import { WorldError } from '../model/error.ts';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The credentials from `FLEETFORM_CLIENT_ID` and `FLEETFORM_CLIENT_SECRET`, or from the files that the same names with
 * `_FILE` point to. Never from a document and never from the command line. Throws `credentialsMissing`, which names
 * what is not there, or `credentialsUnreadable`.
 */
export function readCredentials(env: Env): Credentials {
  const clientId = readOne(env, 'FLEETFORM_CLIENT_ID');
  const clientSecret = readOne(env, 'FLEETFORM_CLIENT_SECRET');
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  const missing = [
    ...(clientId === undefined ? ['FLEETFORM_CLIENT_ID'] : []),
    ...(clientSecret === undefined ? ['FLEETFORM_CLIENT_SECRET'] : []),
  ];
  throw new WorldError('credentialsMissing', { missing: missing.join(' and ') });
}

function readOne(env: Env, name: string): string | undefined {
  const direct = env[name];
  if (direct !== undefined && direct !== '') return direct;
  const file = env[`${name}_FILE`];
  if (file === undefined || file === '') return undefined;
  try {
    return readFileSync(file, 'utf8').trimEnd() || undefined;
  } catch (cause) {
    throw new WorldError('credentialsUnreadable', { variable: `${name}_FILE`, file }, { cause });
  }
}
