import { LEDGER_DEFAULTS } from '../model/ledger/ground.ts';
import { resolve } from 'node:path';
import { WorldError } from '../model/error.ts';
import type { LedgerSettings } from '../model/documents/policy.ts';
import type { LedgerDatabase } from '../model/ledger/ledger-database.ts';
import type { LedgerRemote } from '../model/ledger/ledger-remote.ts';
import type { ResultSpool, LedgerStore, Random } from '../model/ports.ts';
import { isCi } from '../lib/ci.ts';
import type { Milliseconds } from '../lib/time.ts';
import { directoryStore } from './directory.ts';
import type { FactsOwner } from '../facts/fact-lines.ts';
import { factsBranch, type NamedFiles } from './facts-branch.ts';
import { factsFile, type FactStore } from './facts-file.ts';
import { factsTable } from './facts-table.ts';
import { gitStore } from './git-store.ts';
import { LEASE_TTL } from './lease.ts';
import { postgresStore } from './postgres-store.ts';
import {
  missingHeads,
  type MissingHead,
  pinnedStore,
  userPin,
  type HeadPinOptions,
  type RequiredHead,
} from './head-pin.ts';
import { resultSpool, userSpoolFile } from './result-spool.ts';
import { checkChain, isSameHead } from '../ledger/chain.ts';
import { readRecord } from '../ledger/records.ts';

/** The folder of this machine's own state, below the working directory. */
const FOLDER = '.fleetform';

/** What becomes of the branch of heads: it moves with the ledger, is only read, or there is none. */
export type HeadsUse = 'moved' | 'read' | 'none';

export interface StoreParts {
  /** A store of the caller's, in the place of the one by default. */
  readonly own?: LedgerStore;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Fingerprint of the tenant, in hex. */
  readonly fingerprint: string;
  readonly workingDirectory: string;
  /** Opens a branch of a git remote. Called only for `store: git`. */
  readonly openRemote: (remote: string, branch: string, heads: HeadsUse) => Promise<LedgerRemote>;
  /** Opens the database that the environment names. Called only for `store: postgres`. */
  readonly openDatabase: () => LedgerDatabase;
  readonly random: Random;
  /** Heads that the ledger must contain, besides the pins of this machine. */
  readonly vouched?: readonly RequiredHead[];
  /** The ledger may be older than what was seen of it: neither pins nor `vouched` are checked. */
  readonly isUnchecked?: boolean;
  /** Folder of the user's state, for the pin that outlives the working directory. */
  readonly stateFolder?: string;
  /** Told once if a pin cannot be written after an append. */
  readonly onUnkept?: HeadPinOptions['onUnkept'];
  /** Told of a note whose head the ledger lacks, where the heads beside the ledger match it. */
  readonly onFalseNote?: HeadPinOptions['onFalseNote'];
}

export interface ChosenStore {
  readonly store: LedgerStore;
  /** How long a lease lives in this store without a record of its holder. */
  readonly leaseTtl: Milliseconds;
  /** The heads that were seen and that the ledger lacks, the newest first. */
  readonly missing: () => Promise<readonly MissingHead[]>;
}

/**
 * Opens the store of `service.ledger`; by default a directory per tenant below the working
 * directory. In CI there is no default, because the disk of
 * a job may be lost with it: without `store: git` or an explicit path it throws `ledgerNotChosen`
 * (protocol J5). Reads and writes nothing yet.
 */
export async function chooseStore(
  settings: LedgerSettings | undefined,
  parts: StoreParts,
): Promise<ChosenStore> {
  const { env, fingerprint, workingDirectory, random } = parts;
  if (settings?.store === 'git') {
    const { remote = LEDGER_DEFAULTS.remote, branch = LEDGER_DEFAULTS.branch } = settings;
    // What is appended to a ledger that lacks records must not pass for them.
    const heads = parts.isUnchecked === true ? 'read' : 'moved';
    const branchStore = gitStore(await parts.openRemote(remote, branch, heads), random);
    return pinned(branchStore, parts, {
      leaseTtl: LEASE_TTL.git,
      key: `${workingDirectory}\n${branchStore.place}`,
    });
  }
  const isDatabase = settings?.store === 'postgres';
  const brought = parts.own && ownStore(parts.own);
  const store = isDatabase ? postgresStore(parts.openDatabase(), fingerprint) : brought;
  if (store) return pinned(store, parts, { leaseTtl: LEASE_TTL.postgres, key: store.place });
  if (settings?.path === undefined && isCi(env)) throw new WorldError('ledgerNotChosen');
  const place = directoryOf(settings, workingDirectory, fingerprint);
  return pinned(directoryStore(place), parts, { leaseTtl: LEASE_TTL.directory, key: place });
}

/** A store that is checked against what was seen of it; `key` is its place on this machine. */
function pinned(
  store: LedgerStore,
  parts: StoreParts,
  { leaseTtl, key }: Pick<ChosenStore, 'leaseTtl'> & { readonly key: string },
): ChosenStore {
  const { fingerprint, workingDirectory, stateFolder, vouched: others = [] } = parts;
  const { onUnkept, onFalseNote } = parts;
  const beside = `${ownFolder(workingDirectory, fingerprint)}.head`;
  const paths = [
    beside,
    ...(stateFolder === undefined ? [] : [userPin(stateFolder, fingerprint, key)]),
  ];
  const isAlone = stateFolder === undefined;
  const options = {
    others,
    isAlone,
    ...(onUnkept && { onUnkept }),
    ...(onFalseNote && { onFalseNote }),
  };
  return {
    store: parts.isUnchecked === true ? store : pinnedStore(store, paths, options),
    leaseTtl,
    missing: () => missingHeads(store, paths, options),
  };
}

/** The directory of a ledger that is one: the written path, else one of the service below the working directory. */
export function directoryOf(
  settings: LedgerSettings | undefined,
  workingDirectory: string,
  fingerprint: string,
): string {
  const { path } = settings ?? {};
  return path === undefined
    ? ownFolder(workingDirectory, fingerprint)
    : resolve(workingDirectory, path);
}

/** The folder of a tenant's state on this machine, below the working directory. */
function ownFolder(workingDirectory: string, fingerprint: string): string {
  return resolve(workingDirectory, FOLDER, fingerprint.slice(0, 12));
}

/** The branch of facts beside that of a ledger: `fleetform-facts` beside `fleetform-ledger`. */
function factsBranchName(branch: string): string {
  return branch.endsWith('-ledger')
    ? `${branch.slice(0, -'ledger'.length)}facts`
    : `${branch}-facts`;
}

/** The branches of a ledger in git and of its facts; none of any other ledger. */
export function branchesOf(settings: LedgerSettings | undefined) {
  if (settings?.store !== 'git') return {};
  const { branch = LEDGER_DEFAULTS.branch } = settings;
  return { ledger: branch, facts: factsBranchName(branch) };
}

/** Where a run finds the facts of earlier ones. */
export interface FactStores {
  /** On this machine: what commands that only read have read (semantics N18). */
  readonly local: FactStore;
  /** Beside the ledger, for every machine; absent where the ledger is on this machine, or nowhere. */
  readonly shared?: FactStore;
}

/** The stores of facts that belong to `service.ledger`. Reads and writes nothing yet. */
export async function chooseFactStores(
  settings: LedgerSettings | undefined,
  owner: FactsOwner,
  {
    workingDirectory,
    openRemote,
    openDatabase,
    named,
  }: Pick<StoreParts, 'workingDirectory' | 'openRemote' | 'openDatabase'> & {
    readonly named: NamedFiles;
  },
): Promise<FactStores> {
  const own = ownFolder(workingDirectory, owner.tenant);
  if (settings?.store === 'postgres')
    return { local: factsFile(own, owner), shared: factsTable(openDatabase(), owner) };
  if (settings?.store !== 'git')
    return { local: factsFile(directoryOf(settings, workingDirectory, owner.tenant), owner) };
  const { remote = LEDGER_DEFAULTS.remote, branch = LEDGER_DEFAULTS.branch } = settings;
  const opened = await openRemote(remote, factsBranchName(branch), 'none');
  return { local: factsFile(own, owner), shared: factsBranch(opened, owner, named) };
}

/**
 * The local spool of a tenant: accepted tasks whose RESULT no ledger could take. Beside the ledger,
 * or, where that cannot be written either, in the folder of the user's state.
 */
export function localSpool(
  { cwd, stateFolder }: { readonly cwd: string; readonly stateFolder?: string },
  fingerprint: string,
): ResultSpool {
  const beside = `${ownFolder(cwd, fingerprint)}.accepted.json`;
  const elsewhere = stateFolder === undefined ? [] : [userSpoolFile(stateFolder, fingerprint, cwd)];
  return resultSpool([beside, ...elsewhere]);
}

/**
 * A store that a caller of the library brings (protocol J19): what it returns is checked, and what it throws is
 * `storeFailed`. Its probe appends to a head that no ledger has: where the last writer wins, that is not `lost`.
 */
export function ownStore(store: LedgerStore): LedgerStore {
  const { place } = store;
  const ask = async <T>(question: () => Promise<T>): Promise<T> => {
    try {
      return await question();
    } catch (error) {
      if (error instanceof WorldError) throw error;
      throw new WorldError('storeFailed', { place, cause: String(error) }, { cause: error });
    }
  };
  return {
    place,
    append: (records, onHead) => ask(() => store.append(records, onHead)),
    async read(afterSeq) {
      const read = await ask(() => store.read(afterSeq));
      const records = read.records.map((record) => readRecord(record, { place }));
      const before = records[0]?.prev ?? read.head.hash;
      const seq = records.length > 0 ? afterSeq : read.head.seq;
      if (isSameHead(checkChain(records, { seq, hash: before }, { place }).head, read.head))
        return { ...read, records };
      throw new WorldError('ledgerBroken', { place, seq: read.head.seq, why: 'content' });
    },
    async probe() {
      await ask(() => store.probe());
      const answer = await ask(() => store.append([], { seq: -1, hash: '' }));
      if (answer !== 'lost') throw new WorldError('ledgerUnfit', { place, why: 'overwrites' });
    },
  };
}
