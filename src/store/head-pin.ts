import { WorldError } from '../model/error.ts';
import { EMPTY_HEAD, hashRecord } from '../ledger/chain.ts';
import type { LedgerStore } from '../model/ports.ts';
import type { LedgerHead, LedgerRecord } from '../model/ledger/record.ts';
import { NODE_FILES, type Files } from './files.ts';
import { replaceFile } from './local-file.ts';

/**
 * A store with a head pin: it keeps the last head that this machine saw in a small file, and throws
 * `ledgerRolledBack` for a ledger that is shorter or does not contain that head (protocol J6). The
 * chain alone cannot show a rollback, since an old copy is valid too. `others` are further required
 * heads: from an approved plan, or from a note on a commit.
 */
export function pinnedStore(
  store: LedgerStore,
  path: string,
  { others = [], files = NODE_FILES }: HeadPinOptions = {},
): LedgerStore {
  return new PinnedStore(store, path, others, files);
}

export interface HeadPinOptions {
  readonly others?: readonly LedgerHead[];
  readonly files?: Files;
}

class PinnedStore implements LedgerStore {
  readonly place: string;
  readonly #store: LedgerStore;
  readonly #path: string;
  readonly #others: readonly LedgerHead[];
  readonly #files: Files;
  /** The last seen head; undefined until the pin has been checked against the ledger. */
  #seen: LedgerHead | undefined;

  constructor(store: LedgerStore, path: string, others: readonly LedgerHead[], files: Files) {
    this.place = store.place;
    this.#store = store;
    this.#path = path;
    this.#others = others;
    this.#files = files;
  }

  async read(afterSeq: number) {
    if (this.#seen === undefined) return this.#readFirst(afterSeq);
    const { records, head } = await this.#store.read(afterSeq);
    if (head.seq < this.#seen.seq) throw rolledBack(head, this.#seen);
    await this.#remember(head);
    return { records, head };
  }

  async append(records: readonly LedgerRecord[], onHead: LedgerHead) {
    const answer = await this.#store.append(records, onHead);
    const last = records.at(-1);
    if (answer === 'acknowledged' && last) {
      await this.#remember({ seq: last.seq, hash: hashRecord(last) });
    }
    return answer;
  }

  probe(): Promise<void> {
    return this.#store.probe();
  }

  /** The first read requires every pinned head to be in the chain. */
  async #readFirst(afterSeq: number) {
    const seen = await this.#load();
    const heads = [seen, ...this.#others];
    const lowest = Math.min(afterSeq, ...heads.map(({ seq }) => seq - 1));
    const { records, head } = await this.#store.read(Math.max(lowest, 0));
    const missing = heads.find((one) => !holds(records, one));
    if (missing) throw rolledBack(head, missing);
    this.#seen = seen;
    await this.#remember(head);
    return { records: records.filter(({ seq }) => seq > afterSeq), head };
  }

  async #load(): Promise<LedgerHead> {
    const bytes = await this.#files.read(this.#path);
    const match = /^(\d{1,15}) ([0-9a-f]{64})\n$/.exec(new TextDecoder().decode(bytes));
    return match ? { seq: Number(match[1]), hash: match[2] ?? '' } : EMPTY_HEAD;
  }

  /** Moves the pin forward. A failed write is ignored: the ledger has the records either way. */
  async #remember(head: LedgerHead): Promise<void> {
    if (this.#seen === undefined || head.seq <= this.#seen.seq) return;
    this.#seen = head;
    await replaceFile(this.#path, `${head.seq} ${head.hash}\n`, this.#files).catch(() => undefined);
  }
}

function rolledBack(found: LedgerHead, seen: LedgerHead): WorldError {
  return new WorldError('ledgerRolledBack', { found: found.seq, seen: seen.seq });
}

function holds(records: readonly LedgerRecord[], seen: LedgerHead): boolean {
  if (seen.seq === 0) return true;
  const record = records.find(({ seq }) => seq === seen.seq);
  return record !== undefined && hashRecord(record) === seen.hash;
}
