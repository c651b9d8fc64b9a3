import { WorldError } from '../model/error.ts';
import type { Journal } from '../model/ports.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { LedgerHead, LedgerRecord } from '../model/ledger/record.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { RequiredHead } from '../store/head-pin.ts';
import type { JournalOptions } from '../store/journal.ts';
import type { ChosenStore } from '../store/store.ts';
import { documentsFolder } from './documents.ts';
import { printMessages } from '../shell/messages.ts';
import { textStyle } from '../shell/output.ts';
import type { Shell } from '../shell/shell.ts';
import type { ServiceTarget } from './target.ts';
import { toolVersion } from '../shell/version.ts';

/**
 * Reads the memory of the ledger without touching it: no lease, no record, no folder. In CI without
 * a configured ledger there is none. Throws `ledgerForeign` for a ledger of another tenant, and
 * `ledgerRolledBack` for one that lacks a head which this machine or the newest note has seen.
 */
export async function readMemory(
  shell: Shell,
  documents: Documents,
  target: ServiceTarget,
): Promise<Memory> {
  return foldOwn(await readRecords(shell, documents, target), target);
}

async function foldOwn(
  { records, place }: RecordsRead,
  { fingerprint }: ServiceTarget,
): Promise<Memory> {
  const { fold } = await import('../ledger/fold.ts');
  const memory = fold(records);
  if (memory.head.seq > 0 && memory.fingerprint !== fingerprint)
    throw new WorldError('ledgerForeign', { place });
  return memory;
}

/** The ledger as a command sees it that only reads. */
export interface Remembered {
  readonly memory: Memory;
  readonly records: readonly LedgerRecord[];
  /** Why the ledger is unfit to plan on: such a plan cannot be saved. */
  readonly unfit?: WorldError;
}

/**
 * Reads the ledger for commands that only read. Before the first run a repository may lack its
 * remote, and a ledger may lack records that were seen before (protocol J6): a message says so, and
 * what is there is taken. `isShown`: the command itself shows that records are missing. A remote
 * that exists and does not answer is a failure.
 */
export async function remembered(
  shell: Shell,
  documents: Documents,
  target: ServiceTarget,
  { isShown = false }: { readonly isShown?: boolean } = {},
): Promise<Remembered> {
  try {
    const read = await readRecords(shell, documents, target);
    return { memory: await foldOwn(read, target), records: read.records };
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    if (error.code === 'ledgerRolledBack')
      return rememberRest(shell, { documents, target, error, isShown });
    if (error.params['why'] !== 'noRemote') throw error;
    const [{ fold }, { noRemoteWords }] = await Promise.all([
      import('../ledger/fold.ts'),
      import('../render/words/commands.ts'),
    ]);
    printMessages(shell, [noRemoteWords(String(error.params['place']))]);
    return { memory: fold([]), records: [], unfit: error };
  }
}

interface LostLedger {
  readonly documents: Documents;
  readonly target: ServiceTarget;
  readonly error: WorldError;
  readonly isShown: boolean;
}

/** The remaining records of a ledger that lacks some, with a warning: apply refuses it. */
async function rememberRest(
  shell: Shell,
  { documents, target, error, isShown }: LostLedger,
): Promise<Remembered> {
  const { store } = await openStore(shell, documents, target, { isUnchecked: true });
  const { records } = await store.read(0);
  if (!isShown) {
    const { ledgerLostText } = await import('../render/text/ledger/lost-text.ts');
    printMessages(shell, ledgerLostText(error.params, textStyle(shell.err, shell.env)));
  }
  const memory = await foldOwn({ records, place: store.place }, target);
  return { memory, records, unfit: error };
}

/** All records of a ledger, and where it is. */
interface RecordsRead {
  readonly records: readonly LedgerRecord[];
  readonly place: string;
}

/**
 * Reads all records of the ledger, of any tenant; none in CI without a configured ledger. The heads
 * that this machine and the newest notes have seen must be in it; throws `ledgerRolledBack`
 * otherwise.
 */
export async function readRecords(
  shell: Shell,
  documents: Documents,
  target: ServiceTarget,
): Promise<RecordsRead> {
  const vouched = await headsInNotes(shell, documents, target);
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
    if (seen === undefined || Number(found) >= Number(seen)) throw error;
    const old = { isOffline: true, isUnchecked: true };
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
  { approved, onOutage }: OpeningForRun = {},
): Promise<Journal> {
  const noted = await headsInNotes(shell, documents, target);
  const planned = approved ? [{ ...approved.inputs.ledger, from: 'plan' as const }] : [];
  const vouched = [...planned, ...noted];
  const chosen = await openStore(shell, documents, target, { vouched });
  return openJournalOn({ ...chosen, ...(onOutage && { onOutage }) }, shell, target);
}

interface OpeningForRun {
  readonly approved?: Pick<Plan, 'inputs'> | undefined;
  /** Told of a ledger that stops taking records, and takes them again. */
  readonly onOutage?: JournalOptions['onOutage'];
}

/**
 * Opens the ledger for a person, whatever it lacks of what was seen before, and says what that is.
 * Nothing that is appended there moves the head that this machine remembers: what is refused stays
 * refused.
 */
export async function openUnchecked(
  shell: Shell,
  documents: Documents,
  target: ServiceTarget,
): Promise<{ readonly journal: Journal; readonly missing: readonly LedgerHead[] }> {
  const vouched = await headsInNotes(shell, documents, target);
  const chosen = await openStore(shell, documents, target, { vouched, isUnchecked: true });
  return {
    missing: await chosen.missing(),
    journal: await openJournalOn(chosen, shell, target),
  };
}

async function headsInNotes(
  shell: Shell,
  documents: Documents,
  target: ServiceTarget,
): Promise<readonly RequiredHead[]> {
  const { vouchedByNotes } = await import('./shared-notes.ts');
  const noted = await vouchedByNotes(shell, documents, target);
  return noted.map((head) => ({ ...head, from: 'note' }));
}

/** Opens a journal on a store, for a process as the shell has it. */
export async function openJournalOn(
  {
    store,
    leaseTtl,
    onOutage,
  }: Pick<ChosenStore, 'store'> & Partial<ChosenStore> & Pick<OpeningForRun, 'onOutage'>,
  shell: Shell,
  target: ServiceTarget,
): Promise<Journal> {
  const [{ openJournal }, { newFormatWords }] = await Promise.all([
    import('../store/journal.ts'),
    import('../render/words/commands.ts'),
  ]);
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
    ...(onOutage && { onOutage }),
    onFormat: () => printMessages(shell, [newFormatWords(store.place)]),
    hurry: shell.stop.draining,
  });
}

interface Opening {
  readonly vouched?: readonly RequiredHead[];
  readonly isOffline?: boolean;
  readonly isUnchecked?: boolean;
}

async function openStore(
  shell: Shell,
  documents: Documents,
  target: ServiceTarget,
  { vouched = [], isOffline = false, isUnchecked = false }: Opening,
): Promise<ChosenStore> {
  const { chooseStore } = await import('../store/store.ts');
  return chooseStore(documents.service.value.ledger, {
    env: shell.env,
    fingerprint: target.fingerprint,
    workingDirectory: shell.cwd,
    random: shell.random,
    vouched,
    isUnchecked,
    ...(shell.stateFolder !== undefined && { stateFolder: shell.stateFolder }),
    onUnkept: (place, error) => void sayUnkept(shell, place, error),
    openRemote: async (remote, branch) => {
      const { ledgerRemote } = await import('../git/ledger-remote.ts');
      const folder = documentsFolder(shell, documents);
      return ledgerRemote({ folder, env: shell.env, remote, branch, isOffline });
    },
  });
}

/** A head that cannot be remembered changes no outcome, but a lost ledger would not be noticed. */
async function sayUnkept(shell: Shell, place: string | undefined, error: unknown): Promise<void> {
  const { unkeptHereWords, unkeptWords } = await import('../render/words/commands.ts');
  if (place === undefined) return printMessages(shell, [unkeptHereWords()]);
  const cause = error instanceof WorldError ? error.params['cause'] : error;
  printMessages(shell, [unkeptWords(place, String(cause))]);
}
