import { EMPTY_MEMORY } from '../../ledger/fold.ts';
import { isCi } from '../../lib/ci.ts';
import { getOrAdd } from '../../lib/maps.ts';
import { usage, WorldError } from '../../model/error.ts';
import type { LedgerSettings } from '../../model/documents/policy.ts';
import { exposedSecretWords } from '../../render/words/last-words.ts';
import { printMessages } from '../../shell/messages.ts';
import type { Shell } from '../../shell/shell.ts';
import type { RequiredHead } from '../../store/head-pin.ts';
import { loadMemory } from '../../store/ledger-client.ts';
import { type ChosenStore, chooseStore } from '../../store/store.ts';
import type { ServiceTarget } from '../target.ts';
import { ledgerRemote } from '../../git/ledger-remote.ts';
import type { LedgerDatabase } from '../../model/ledger/ledger-database.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { LedgerRecord } from '../../model/ledger/record.ts';
import type { LedgerStore } from '../../model/ports.ts';
import { postgresDatabase } from '../../postgres/database.ts';
import { ledgerPassword } from '../../shell/credentials.ts';

export interface StorePlace {
  readonly shell: Shell;
  /** The folder of the documents, whose clone has the remote. */
  readonly folder: string;
  readonly ledger: LedgerSettings | undefined;
  readonly target: Pick<ServiceTarget, 'fingerprint'>;
}

export interface Opening {
  readonly vouched?: readonly RequiredHead[];
  readonly isOffline?: boolean;
  readonly isUnchecked?: boolean;
}

/** Opens the store of a ledger; reads and writes nothing yet. Throws `ledgerNotChosen`. */
export async function openStore(
  { shell, folder, ledger, target }: StorePlace,
  { vouched = [], isOffline = false, isUnchecked = false }: Opening = {},
): Promise<ChosenStore> {
  if (shell.ledger && ledger)
    throw usage('the documents name a ledger, and so does the option `ledger`');
  return chooseStore(ledger, {
    ...(shell.ledger && { own: shell.ledger }),
    env: shell.env,
    fingerprint: target.fingerprint,
    workingDirectory: shell.cwd,
    random: shell.random,
    vouched,
    isUnchecked,
    ...(shell.stateFolder !== undefined && { stateFolder: shell.stateFolder }),
    onUnkept: (place, error) => void sayUnkept(shell, place, error),
    onFalseNote: (note) => void sayFalseNote(shell, note),
    openDatabase: () => openDatabase(shell),
    openRemote: async (remote, branch, use) => {
      const onUnkept = (...said: [string, string]): void => void sayHeadsUnkept(shell, said);
      const heads = { onUnkept, isMoved: use === 'moved' };
      const isJob = isCi(shell.env);
      const options = { folder, env: shell.env, remote, branch, isOffline, isJob };
      return ledgerRemote({ ...options, ...(use !== 'none' && { heads }) });
    },
  });
}

/** What a command reads of a ledger. */
export interface LedgerReading {
  /** What its records add up to. */
  readonly memory: Memory;
  /** All its records, which only the past needs. Throws what its store throws. */
  readonly all: () => Promise<readonly LedgerRecord[]>;
  readonly place: string;
}

/** What there is of a ledger that does not exist. */
export const NO_LEDGER: LedgerReading = {
  memory: EMPTY_MEMORY,
  all: () => Promise.resolve([]),
  place: '',
};

/** Reads a ledger from its newest checkpoint on, and folds it once. Throws what its store throws. */
export async function readStore(store: LedgerStore): Promise<LedgerReading> {
  const { memory, records } = await loadMemory(store);
  const isWhole = records.length === memory.head.seq;
  const all = async () => (isWhole ? records : (await store.read(0)).records);
  return { memory, all, place: store.place };
}

/** The database that the environment names; connects with each statement. */
export function openDatabase(shell: Shell): LedgerDatabase {
  const onExposed = (file: string): void => printMessages(shell, [exposedSecretWords(file)]);
  return postgresDatabase(shell.env, () => ledgerPassword({ ...shell, onExposed }));
}

/** What a command has said: it opens its ledger several times. */
const SAID = new WeakMap<Shell, Set<string>>();

/** Whether a command has not said this yet. */
export function isFirst(shell: Shell, text: string): boolean {
  const said = getOrAdd(SAID, shell, () => new Set());
  return said.size < said.add(text).size;
}

/** A note that names a head which the ledger never had is told, and stops nothing (protocol M12). */
async function sayFalseNote(shell: Shell, note: RequiredHead): Promise<void> {
  if (!isFirst(shell, note.hash)) return;
  const { falseNoteWords } = await import('../../render/words/commands.ts');
  printMessages(shell, [falseNoteWords(note)]);
}

/** Without a branch of heads a fresh runner does not notice a ledger that was restored from an old copy. */
export async function sayHeadsUnkept(shell: Shell, [branch, why]: [string, string]): Promise<void> {
  if (!isFirst(shell, branch)) return;
  const { headsUnkeptWords } = await import('../../render/words/commands.ts');
  printMessages(shell, [headsUnkeptWords(branch, why)]);
}

/** A head that cannot be remembered changes no outcome, but a lost ledger would not be noticed. */
async function sayUnkept(shell: Shell, place: string | undefined, error: unknown): Promise<void> {
  const { unkeptHereWords, unkeptWords } = await import('../../render/words/commands.ts');
  if (place === undefined) return printMessages(shell, [unkeptHereWords()]);
  const cause = error instanceof WorldError ? error.params['cause'] : error;
  printMessages(shell, [unkeptWords(place, String(cause))]);
}
