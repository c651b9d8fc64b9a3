import { resolve } from 'node:path';
import { WorldError } from '../model/error.ts';
import type { LedgerSettings } from '../model/documents/policy.ts';
import type { LedgerRemote } from '../model/ledger/ledger-remote.ts';
import type { KeptResults, LedgerStore, Random } from '../model/ports.ts';
import type { LedgerHead } from '../model/ledger/record.ts';
import type { Milliseconds } from '../lib/time.ts';
import { directoryStore } from './directory.ts';
import { gitStore } from './git.ts';
import { LEASE_TTL } from './lease.ts';
import { keptResults } from './kept-results.ts';
import { migratingStore } from './migration.ts';
import { witnessed } from './head-pin.ts';

/** Where this machine keeps what belongs to it, below the working directory. */
const FOLDER = '.fleetform';

export interface StoreParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the tenant, in hex. */
  readonly fingerprint: string;
  readonly workingDirectory: string;
  /** Opens a branch of a git remote; the shell knows the clone. Called for `store: git` alone. */
  readonly openRemote: (remote: string, branch: string) => Promise<LedgerRemote>;
  readonly random: Random;
  /** Heads that the ledger must contain, whatever this machine has seen of it. */
  readonly vouched?: readonly LedgerHead[];
  /** A copy of a branch may be older than what this machine has seen of it. */
  readonly isOldCopy?: boolean;
}

export interface ChosenStore {
  readonly store: LedgerStore;
  /** How long a lease lives there without a record of its holder. */
  readonly leaseTtl: Milliseconds;
}

/**
 * Opens the store that `service.ledger` names; without it a directory below the working directory,
 * one per tenant. A branch goes on where that directory ends. With `CI` in the environment nothing is
 * assumed: a job's disk may die with it, so either `git` or a directory's path must be written out,
 * else `ledgerNotChosen` (protocol J5). Touches nothing yet.
 */
export async function chooseStore(
  settings: LedgerSettings | undefined,
  parts: StoreParts,
): Promise<ChosenStore> {
  const { env, fingerprint, workingDirectory, random, vouched: others = [] } = parts;
  const own = resolve(workingDirectory, FOLDER, fingerprint.slice(0, 12));
  const seen = `${own}.head`;
  if (settings?.store === 'git') {
    const { remote = 'origin', branch = 'fleetform-ledger' } = settings;
    const branchStore = gitStore(await parts.openRemote(remote, branch), random);
    const store = migratingStore(directoryStore(own), branchStore);
    const held = parts.isOldCopy === true ? store : witnessed(store, seen, { others });
    return { store: held, leaseTtl: LEASE_TTL.git };
  }
  if (settings?.path === undefined && isCi(env)) throw new WorldError('ledgerNotChosen');
  const place = settings?.path === undefined ? own : resolve(workingDirectory, settings.path);
  return {
    store: witnessed(directoryStore(place), seen, { others }),
    leaseTtl: LEASE_TTL.directory,
  };
}

/** The acceptances that no ledger could take, beside where this machine keeps its own of a tenant. */
export function keptResultsOf(workingDirectory: string, fingerprint: string): KeptResults {
  return keptResults(
    `${resolve(workingDirectory, FOLDER, fingerprint.slice(0, 12))}.accepted.json`,
  );
}

function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return !['', '0', 'false'].includes(env['CI'] ?? '');
}
