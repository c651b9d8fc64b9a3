import { pick } from '../lib/objects.ts';
import { usage, WorldError } from '../model/error.ts';
import { type Memory, withIntents } from '../model/ledger/memory.ts';
import type { LedgerRecord } from '../model/ledger/record.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { MissingHead } from '../store/head-pin.ts';
import { type JournalOptions, openJournal } from '../store/journal.ts';
import type { ChosenStore } from '../store/store.ts';
import { documentsFolder, type LedgerHere } from './here.ts';
import { groundOf } from './ground/ground.ts';
import { keepGround } from './ground/keeping.ts';
import {
  NO_LEDGER,
  openStore,
  readStore,
  type LedgerReading,
  type StorePlace,
} from './ground/open-store.ts';
import { newFormatWords, noRemoteWords } from '../render/words/commands.ts';
import type { GroundParts } from './ground/parts.ts';
import type { ServiceTarget } from './target.ts';
import { toolVersion } from '../shell/version.ts';
import type { Journal } from '../model/ports.ts';
import type { Milliseconds } from '../lib/time.ts';
import { printMessages } from '../shell/messages.ts';
import { sayBlocks } from '../shell/output.ts';
import type { Shell } from '../shell/shell.ts';
import { findAuthor } from './intervene/author.ts';

/**
 * Reads the memory of the ledger without touching it: no lease, no record, no folder. In CI without
 * a configured ledger there is none. Throws `ledgerForeign` for a ledger of another tenant, and
 * `ledgerRolledBack` for one that lacks a head which this machine or the newest note has seen.
 */
export async function readMemory(here: LedgerHere): Promise<Memory> {
  return own(await readLedger(here), here.target).memory;
}

function own(reading: LedgerReading, { fingerprint }: ServiceTarget): LedgerReading {
  const { memory, place } = reading;
  if (memory.head.seq > 0 && memory.fingerprint !== fingerprint)
    throw new WorldError('ledgerForeign', { place });
  return reading;
}

export interface Remembered extends LedgerReading {
  /** Why the ledger is unfit to plan on: such a plan cannot be saved. */
  readonly unfit?: WorldError;
}

/**
 * Reads the ledger for commands that only read. Before the first run a repository may lack its
 * remote, and a ledger may lack records that were seen before (protocol J6): a message says so, and
 * what is there is taken. `isShown`: the command itself shows that records are missing; `isRecorded`: it plans on a
 * snapshot, and a copy of the ledger, as a fork has, counts as none. A remote that exists and does not answer is
 * a failure.
 */
export async function remembered(
  here: LedgerHere,
  { isShown = false, isRecorded = false }: RememberOptions = {},
): Promise<Remembered> {
  try {
    const reading = own(await readLedger(here), here.target);
    return { ...reading, memory: await withDoubts(reading.memory, here.shell) };
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    if (error.code === 'ledgerRolledBack') return rememberRest(here, error, isShown);
    const { shell } = here;
    if (isRecorded && error.code === 'ledgerElsewhere') {
      const { copiedLedgerWords } = await import('../render/words/ground-words.ts');
      printMessages(shell, [copiedLedgerWords(error.params)]);
      return NO_LEDGER;
    }
    if (error.params['why'] !== 'noRemote') throw error;
    printMessages(shell, [noRemoteWords(String(error.params['place']))]);
    return { ...NO_LEDGER, unfit: error };
  }
}

/** What a run that is over left without a result is in doubt, before the next one records it (protocol P12). */
async function withDoubts(memory: Memory, shell: Shell): Promise<Memory> {
  if (!memory.open().some(({ phase }) => phase === 'open')) return memory;
  const { runStatus } = await import('./status.ts');
  const run = runStatus(memory.lease, shell, shell.clock.now());
  const atWork = run?.is === 'atWork' ? `${memory.lease?.nonce}.` : undefined;
  return withIntents(memory, (intent) => {
    const { phase, attemptId, attemptedAt } = intent;
    if (phase !== 'open' || (atWork !== undefined && attemptId.startsWith(atWork))) return intent;
    return { ...intent, phase: 'inDoubt', doubtSince: attemptedAt };
  });
}

interface RememberOptions {
  readonly isShown?: boolean;
  readonly isRecorded?: boolean;
}

/** The remaining records of a ledger that lacks some, with a warning: apply refuses it. */
async function rememberRest(
  here: LedgerHere,
  error: WorldError,
  isShown: boolean,
): Promise<Remembered> {
  const { shell } = here;
  const { readRest } = await groundOf(here);
  const rest = await readRest();
  if (!isShown) {
    const { lossMessage } = await import('../render/outputs/decisions.ts');
    await sayBlocks(shell, lossMessage(error.params));
  }
  return { ...own(rest, here.target), unfit: error };
}

/**
 * Reads the ledger, of any tenant; none in CI without a configured ledger. The heads
 * that this machine and the newest notes have seen must be in it; throws `ledgerRolledBack`
 * otherwise, and the refusals of the ground.
 */
export async function readLedger(here: LedgerHere): Promise<LedgerReading> {
  const { read } = await groundOf(here);
  return read().catch(noneChosen);
}

/** The ledger; if it comes from the clone's copy, also why the remote was not read. */
export interface LedgerHistory extends Omit<LedgerReading, 'all'> {
  readonly records: readonly LedgerRecord[];
  readonly away?: {
    readonly place: string;
    readonly cause: string;
    /** The number of a record that this machine saw earlier and that is missing here. */
    readonly seen?: number;
  };
}

/**
 * Reads the whole ledger for commands about the past. If a shared ledger cannot be reached, or must not
 * be, reads the copy of its branch in this clone. Throws `storeFailed` if there is none either.
 */
export async function readHistory(here: LedgerHere, isOffline: boolean): Promise<LedgerHistory> {
  const { store } = here.documents.service.value.ledger ?? {};
  if (isOffline && store === 'postgres')
    throw usage('--offline reads a copy in this clone, and of a database there is none');
  if (store !== 'git') return withRecords(await readLedger(here));
  if (isOffline) return readClone(here, '');
  try {
    return await withRecords(await readLedger(here));
  } catch (error) {
    if (!(error instanceof WorldError) || error.code !== 'storeFailed') throw error;
    const cause = String(error.params['cause']);
    return readClone(here, cause).catch((other: unknown) => {
      throw other instanceof WorldError && other.code === 'storeFailed' ? error : other;
    });
  }
}

async function withRecords({ all, ...reading }: LedgerReading): Promise<LedgerHistory> {
  return { ...reading, records: await all() };
}

/** Checks the copy against what this machine saw of the branch; the copy may be older. */
async function readClone(here: LedgerHere, cause: string): Promise<LedgerHistory> {
  const { ledger } = here.documents.service.value;
  const opened = { ...here, folder: documentsFolder(here), ledger };
  const { store } = await openStore(opened, { isOffline: true });
  const { place } = store;
  try {
    return { ...(await withRecords(await readStore(store))), away: { place, cause } };
  } catch (error) {
    if (!(error instanceof WorldError) || error.code !== 'ledgerRolledBack') throw error;
    const { found, seen } = error.params;
    if (seen === undefined || Number(found) >= Number(seen)) throw error;
    const old = { isOffline: true, isUnchecked: true };
    const copy = (await openStore(opened, old)).store;
    const read = await withRecords(await readStore(copy));
    return { ...read, away: { place, cause, seen: Number(seen) } };
  }
}

function noneChosen(error: unknown): LedgerReading {
  if (error instanceof WorldError && error.code === 'ledgerNotChosen') return NO_LEDGER;
  throw error;
}

/**
 * Opens the ledger for a command that writes, without taking the lease. The ledger must contain the
 * head that this machine has seen, the head of an approved plan, and the head in the newest note on
 * a commit; throws `ledgerRolledBack` otherwise.
 */
export async function openJournalFor(
  here: LedgerHere,
  { approved, onOutage, isGate = false }: OpeningForRun = {},
): Promise<Journal> {
  const stood = await groundOf(here);
  const planned = approved ? [{ ...approved.inputs.ledger, from: 'plan' as const }] : [];
  const vouched = [...planned, ...stood.noted, ...stood.vouched];
  const chosen = await openStore(placeIn(stood), { vouched });
  if (isGate && (await chosen.store.mayAttempt?.()) === true)
    throw new WorldError('ledgerUnfit', { place: chosen.store.place, why: 'mayAttempt' });
  const ground = await keepGround(stood);
  return openJournalOn({ ...chosen, ground, ...(onOutage && { onOutage }) }, here);
}

function placeIn({ shell, folder, settings: { ledger }, target }: GroundParts): StorePlace {
  return { shell, folder, ledger, target };
}

interface OpeningForRun {
  readonly approved?: { readonly inputs: Pick<Plan['inputs'], 'ledger'> } | undefined;
  /** Told of a ledger that stops taking records, and takes them again. */
  readonly onOutage?: JournalOptions['onOutage'];
  /** Approves: its login must not record tasks, where the store tells them apart (protocol J20). */
  readonly isGate?: boolean;
}

/**
 * Opens the ledger for a person, whatever it lacks of what was seen before, and says what that is.
 * Nothing that is appended there moves the head that this machine remembers: what is refused stays
 * refused.
 */
export async function openUnchecked(
  here: LedgerHere,
): Promise<{ readonly journal: Journal; readonly missing: readonly MissingHead[] }> {
  const stood = await groundOf(here);
  const vouched = [...stood.noted, ...stood.vouched];
  const chosen = await openStore(placeIn(stood), { vouched, isUnchecked: true });
  const ground = await keepGround(stood);
  return {
    missing: await chosen.missing(),
    journal: await openJournalOn({ ...chosen, ground }, here),
  };
}

/** Opens a journal on a store, for a process as the shell has it. */
export async function openJournalOn(
  chosen: Pick<ChosenStore, 'store'> &
    Partial<ChosenStore> &
    Pick<JournalOptions, 'ground' | 'memory' | 'onOutage'>,
  { shell, target }: Pick<LedgerHere, 'shell' | 'target'>,
): Promise<Journal> {
  return openJournal({
    ...pick(chosen, 'store', 'leaseTtl', 'onOutage', 'ground', 'memory'),
    ...pick(shell, 'clock', 'random'),
    ...pick(shell.identity, 'host', 'pid', 'isAlive'),
    processStartedAt: shell.identity.startedAt,
    fingerprint: target.fingerprint,
    tool: toolVersion(),
    onFormat: () => printMessages(shell, [newFormatWords(chosen.store.place)]),
    hurry: shell.stop.draining,
  });
}

/** How a command that writes gets the lease. */
export interface LeaseOptions {
  readonly lockWait: Milliseconds;
  readonly takeOver?: boolean;
  /** `none` says nothing, also not which run is replaced. */
  readonly format?: string;
}

/**
 * Takes the lease. If the last run did not release it, prints on stderr which run this one replaces
 * (protocol U4). Throws `locked`, also where a request to stop ends the wait.
 */
export async function takeLease(
  journal: Journal,
  { lockWait, takeOver = false, format }: LeaseOptions,
  shell: Shell,
): Promise<void> {
  const order = { waitMs: lockWait, takeOver, label: await findAuthor(shell) };
  const followed = await journal.take({ ...order, signal: shell.stop.draining });
  if (!followed || format === 'none') return;
  const { followedBlocks } = await import('../render/outputs/decisions.ts');
  await sayBlocks(shell, followedBlocks(followed));
}
