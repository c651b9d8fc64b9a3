import { EMPTY_HEAD } from '../ledger/chain.ts';
import type { LedgerStore } from '../model/ports.ts';
import type { LedgerHead, LedgerRecord } from '../model/ledger/record.ts';

/**
 * A store that goes on where another one ends. As long as it is empty it reads as the old one does;
 * its first append brings all of the old records along, as one append. So a fleet that began in a
 * directory and moves to git forgets nothing: a record belongs to its chain, not to its place. The
 * old store is only read.
 */
export function migratingStore(old: LedgerStore, store: LedgerStore): LedgerStore {
  return new MigratingStore(old, store);
}

class MigratingStore implements LedgerStore {
  readonly place: string;
  readonly #old: LedgerStore;
  readonly #store: LedgerStore;
  #hasMoved = false;

  constructor(old: LedgerStore, store: LedgerStore) {
    this.place = store.place;
    this.#old = old;
    this.#store = store;
  }

  async read(afterSeq: number) {
    const found = await this.#store.read(afterSeq);
    this.#hasMoved ||= found.head.seq > 0;
    return this.#hasMoved ? found : this.#old.read(afterSeq);
  }

  async append(records: readonly LedgerRecord[], onHead: LedgerHead) {
    if (!this.#hasMoved && onHead.seq > 0) {
      const { records: before } = await this.#old.read(0);
      const answer = await this.#store.append(before, EMPTY_HEAD);
      if (answer !== 'acknowledged') return answer;
      this.#hasMoved = true;
    }
    return this.#store.append(records, onHead);
  }

  probe(): Promise<void> {
    return this.#store.probe();
  }
}
