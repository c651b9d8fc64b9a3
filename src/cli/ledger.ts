import { WorldError } from '../model/error.ts';
import type { Journal, LedgerStore } from '../model/ports.ts';
import type { Memory } from '../model/memory.ts';
import type { Documents } from '../model/policy.ts';
import type { Shell } from './shell.ts';
import type { Target } from './target.ts';
import { toolVersion } from './version.ts';

/**
 * What the ledger remembers, read without touching it: no lease, no record, not even a folder. In
 * CI, where none is chosen, there is none to read. Throws `ledgerForeign` for another tenant's.
 */
export async function readMemory(
  shell: Shell,
  documents: Documents,
  target: Target,
): Promise<Memory> {
  const { fold } = await import('../ledger/fold.ts');
  const store = await openStore(shell, documents, target).catch(noneChosen);
  const memory = fold(store ? (await store.read(0)).records : []);
  if (memory.head.seq > 0 && memory.fingerprint !== target.fingerprint)
    throw new WorldError('ledgerForeign', { place: store?.place ?? '' });
  return memory;
}

function noneChosen(error: unknown): undefined {
  if (error instanceof WorldError && error.code === 'ledgerNotChosen') return undefined;
  throw error;
}

/** A hold on the ledger for a command that writes; the lease is not taken yet. Throws where the store is unfit. */
export async function openJournalFor(
  shell: Shell,
  documents: Documents,
  target: Target,
): Promise<Journal> {
  const [{ openJournal }, store] = await Promise.all([
    import('../store/journal.ts'),
    openStore(shell, documents, target),
  ]);
  await store.probe();
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
  });
}

async function openStore(shell: Shell, documents: Documents, target: Target): Promise<LedgerStore> {
  const { chooseStore } = await import('../store/store.ts');
  return chooseStore(documents.service.value.ledger, shell.env, target.fingerprint, shell.cwd);
}
