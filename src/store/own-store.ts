import { checkChain, isSameHead } from '../ledger/chain.ts';
import { readRecord } from '../ledger/records.ts';
import { WorldError } from '../model/error.ts';
import type { LedgerStore } from '../model/ports.ts';

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
