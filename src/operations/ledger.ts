import { WorldError } from '../model/error.ts';
import type { Journal } from '../model/ports.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { LedgerHead, LedgerRecord } from '../model/ledger/record.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { ChosenStore } from '../store/store.ts';
import { documentsFolder } from './documents.ts';
import { print } from '../shell/output.ts';
import type { Shell } from '../shell/shell.ts';
import type { ServiceTarget } from './target.ts';
import { toolVersion } from '../shell/version.ts';

/**
 * Reads the memory of the ledger without touching it: no lease, no record, no folder. In CI without
 * a configured ledger there is none. Throws `ledgerForeign` for a ledger of another tenant.
 */
export async function readMemory(
  shell: Shell,
  documents: Documents,
  target: ServiceTarget,
): Promise<Memory> {
  const { fold } = await import('../ledger/fold.ts');
  const { records, place } = await readRecords(shell, documents, target);
  const memory = fold(records);
  if (memory.head.seq > 0 && memory.fingerprint !== target.fingerprint)
    throw new WorldError('ledgerForeign', { place });
  return memory;
}

/** The ledger as a command sees it that only reads. */
export interface Remembered {
  readonly memory: Memory;
  /** Why there is no ledger: such a plan cannot be saved. */
  readonly noLedger?: WorldError;
}

/**
 * Reads the memory of the ledger for commands that only read. Before the first run a repository may lack
 * its remote: a message says so, and the ledger is empty. A remote that exists and does not answer is a
 * failure.
 */
export async function remembered(
  shell: Shell,
  documents: Documents,
  target: ServiceTarget,
): Promise<Remembered> {
  try {
    return { memory: await readMemory(shell, documents, target) };
  } catch (error) {
    const isMissing = error instanceof WorldError && error.params['why'] === 'noRemote';
    if (!isMissing) throw error;
    const [{ fold }, { noRemoteWords }] = await Promise.all([
      import('../ledger/fold.ts'),
      import('../render/words/commands.ts'),
    ]);
    print(shell.err, [noRemoteWords(String(error.params['place']))]);
    return { memory: fold([]), noLedger: error };
  }
}

/**
 * Reads all records of the ledger, of any tenant; none in CI without a configured ledger. `vouched`
 * heads must be in it.
 */
export async function readRecords(
  shell: Shell,
  documents: Documents,
  target: ServiceTarget,
  vouched: readonly LedgerHead[] = [],
): Promise<{ readonly records: readonly LedgerRecord[]; readonly place: string }> {
  const opened = openStore(shell, documents, target, { vouched });
  const store = await opened.then(({ store }) => store, noneChosen);
  if (!store) return { records: [], place: '' };
  return { records: (await store.read(0)).records, place: store.place };
}

/** The records; if they come from the clone's copy, also why the remote was not read. */
export interface RecordsHere {
  readonly records: readonly LedgerRecord[];
  readonly place: string;
  readonly away?: {
    readonly place: string;
    readonly cause: string;
    /** The number of a record that this machine saw earlier and that is missing here. */
    readonly seen?: number;
  };
}

/**
 * Reads all records for commands about the past. If a shared ledger cannot be reached, or must not
 * be, reads the copy of its branch in this clone. Throws `storeFailed` if there is none either.
 */
export async function readRecordsHere(
  shell: Shell,
  documents: Documents,
  target: ServiceTarget,
  isOffline: boolean,
): Promise<RecordsHere> {
  const isShared = documents.service.value.ledger?.store === 'git';
  if (!isShared) return readRecords(shell, documents, target);
  if (isOffline) return readClone(shell, documents, target, '');
  try {
    return await readRecords(shell, documents, target);
  } catch (error) {
    if (!(error instanceof WorldError) || error.code !== 'storeFailed') throw error;
    const cause = String(error.params['cause']);
    return readClone(shell, documents, target, cause).catch((other: unknown) => {
      throw other instanceof WorldError && other.code === 'storeFailed' ? error : other;
    });
  }
}

/** Checks the copy against what this machine saw of the branch; the copy may be older. */
async function readClone(
  shell: Shell,
  documents: Documents,
  target: ServiceTarget,
  cause: string,
): Promise<RecordsHere> {
  const { store } = await openStore(shell, documents, target, { isOffline: true });
  const { place } = store;
  try {
    return { records: (await store.read(0)).records, place, away: { place, cause } };
  } catch (error) {
    if (!(error instanceof WorldError) || error.code !== 'ledgerRolledBack') throw error;
    const { found, seen } = error.params;
    if (Number(found) >= Number(seen)) throw error;
    const old = { isOffline: true, isOldCopy: true };
    const copy = (await openStore(shell, documents, target, old)).store;
    const { records } = await copy.read(0);
    return { records, place, away: { place, cause, seen: Number(seen) } };
  }
}

function noneChosen(error: unknown): undefined {
  if (error instanceof WorldError && error.code === 'ledgerNotChosen') return undefined;
  throw error;
}

/**
 * Opens the ledger for a command that writes, without taking the lease. The ledger must contain the
 * head that this machine has seen, the head of an approved plan, and the head in the newest note on
 * a commit; throws `ledgerRolledBack` otherwise.
 */
export async function openJournalFor(
  shell: Shell,
  documents: Documents,
  target: ServiceTarget,
  approved?: Pick<Plan, 'inputs'>,
): Promise<Journal> {
  const { vouchedByNotes } = await import('./shared-notes.ts');
  const noted = await vouchedByNotes(shell, documents, target);
  const vouched = approved ? [approved.inputs.ledger, ...noted] : noted;
  return openJournalOn(await openStore(shell, documents, target, { vouched }), shell, target);
}

/** Opens a journal on a store, for a process as the shell has it. */
export async function openJournalOn(
  { store, leaseTtl }: Pick<ChosenStore, 'store'> & Partial<ChosenStore>,
  shell: Shell,
  target: ServiceTarget,
): Promise<Journal> {
  const { openJournal } = await import('../store/journal.ts');
  const { host, pid, startedAt, isAlive } = shell.identity;
  return openJournal({
    store,
    clock: shell.clock,
    random: shell.random,
    fingerprint: target.fingerprint,
    host,
    pid,
    processStartedAt: startedAt,
    isAlive,
    tool: toolVersion(),
    ...(leaseTtl !== undefined && { leaseTtl }),
    hurry: shell.stop.draining,
  });
}

interface Opening {
  readonly vouched?: readonly LedgerHead[];
  readonly isOffline?: boolean;
  readonly isOldCopy?: boolean;
}

async function openStore(
  shell: Shell,
  documents: Documents,
  target: ServiceTarget,
  { vouched = [], isOffline = false, isOldCopy = false }: Opening,
): Promise<ChosenStore> {
  const { chooseStore } = await import('../store/store.ts');
  return chooseStore(documents.service.value.ledger, {
    env: shell.env,
    fingerprint: target.fingerprint,
    workingDirectory: shell.cwd,
    random: shell.random,
    vouched,
    isOldCopy,
    openRemote: async (remote, branch) => {
      const { ledgerRemote } = await import('../git/ledger-remote.ts');
      const folder = documentsFolder(shell, documents);
      return ledgerRemote({ folder, env: shell.env, remote, branch, isOffline });
    },
  });
}
