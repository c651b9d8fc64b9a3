import { resolve } from 'node:path';
import { WorldError } from '../model/error.ts';
import type { LedgerSettings } from '../model/policy.ts';
import type { LedgerStore } from '../model/ports.ts';
import { directoryStore } from './directory.ts';
import { witnessed } from './witness.ts';

/** Where this machine keeps what belongs to it, below the working directory. */
const FOLDER = '.fleetform';

/**
 * Opens the store that `service.ledger` names; without it a directory below the working directory,
 * one per tenant. `fingerprint` is the tenant's, in hex. With `CI` in the environment nothing is
 * assumed: a job's disk may die with it, so a directory must be written out, else `ledgerNotChosen`
 * (apply protocol 3.4). Touches nothing yet.
 */
export function chooseStore(
  settings: LedgerSettings | undefined,
  env: Readonly<Record<string, string | undefined>>,
  fingerprint: string,
  workingDirectory = '.',
): LedgerStore {
  const own = resolve(workingDirectory, FOLDER, fingerprint.slice(0, 12));
  if (settings?.store === 'git') throw new WorldError('ledgerNotChosen', { store: 'git' });
  if (settings?.path === undefined && isCi(env)) throw new WorldError('ledgerNotChosen');
  const place = settings?.path === undefined ? own : resolve(workingDirectory, settings.path);
  return witnessed(directoryStore(place), `${own}.head`);
}

function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return !['', '0', 'false'].includes(env['CI'] ?? '');
}
