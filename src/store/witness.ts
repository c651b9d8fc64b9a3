import { WorldError } from '../model/error.ts';
import { EMPTY_HEAD, hashOf } from '../ledger/chain.ts';
import type { LedgerStore } from '../model/ports.ts';
import type { LedgerHead, LedgerRecord } from '../model/record.ts';
import { NODE_FILES, type Files } from './files.ts';
import { replaceFile } from './local-file.ts';

/**
 * A store that remembers, in a small file beside it, the last head that this machine saw, and
 * refuses with `ledgerRolledBack` a ledger that is shorter or does not contain it (apply protocol
 * 3.4). A chain alone cannot tell: an old copy is a good chain too.
 */
export function witnessed(
  store: LedgerStore,
  path: string,
  files: Files = NODE_FILES,
): LedgerStore {
  return new WitnessedStore(store, path, files);
}

class WitnessedStore implements LedgerStore {
  readonly place: string;
  readonly #store: LedgerStore;
  readonly #path: string;
  readonly #files: Files;
  /** The head last seen, once the file has been held against the ledger. */
  #seen: LedgerHead | undefined;

  constructor(store: LedgerStore, path: string, files: Files) {
    this.place = store.place;
    this.#store = store;
    this.#path = path;
    this.#files = files;
  }

  async read(afterSeq: number) {
    const seen = this.#seen ?? (await this.#load());
    const from = this.#seen ? afterSeq : Math.max(Math.min(afterSeq, seen.seq - 1), 0);
    const { records, head } = await this.#store.read(from);
    if (head.seq < seen.seq || (this.#seen === undefined && !holds(records, seen))) {
      throw new WorldError('ledgerRolledBack', { found: head.seq, seen: seen.seq });
    }
    this.#seen ??= seen;
    await this.#remember(head);
    return { records: records.filter(({ seq }) => seq > afterSeq), head };
  }

  async append(records: readonly LedgerRecord[], onHead: LedgerHead) {
    const answer = await this.#store.append(records, onHead);
    const last = records.at(-1);
    if (answer === 'acknowledged' && last) {
      await this.#remember({ seq: last.seq, hash: hashOf(last) });
    }
    return answer;
  }

  probe(): Promise<void> {
    return this.#store.probe();
  }

  async #load(): Promise<LedgerHead> {
    const bytes = await this.#files.read(this.#path);
    const match = /^(\d{1,15}) ([0-9a-f]{64})\n$/.exec(new TextDecoder().decode(bytes));
    return match ? { seq: Number(match[1]), hash: match[2] ?? '' } : EMPTY_HEAD;
  }

  /**
   * What is in the ledger is in it, whatever becomes of the witness: failing to write it fails
   * nothing.
   */
  async #remember(head: LedgerHead): Promise<void> {
    if (this.#seen === undefined || head.seq <= this.#seen.seq) return;
    this.#seen = head;
    await replaceFile(this.#path, `${head.seq} ${head.hash}\n`, this.#files).catch(() => undefined);
  }
}

function holds(records: readonly LedgerRecord[], seen: LedgerHead): boolean {
  if (seen.seq === 0) return true;
  const record = records.find(({ seq }) => seq === seen.seq);
  return record !== undefined && hashOf(record) === seen.hash;
}
