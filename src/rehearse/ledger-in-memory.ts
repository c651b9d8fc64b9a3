import { hashRecord } from '../ledger/chain.ts';
import type { LedgerStore } from '../model/ports.ts';
import type { LedgerHead, LedgerRecord } from '../model/ledger/record.ts';

/** A ledger that ends with the rehearsal: it begins with the records of the real one. */
interface LedgerInMemory extends LedgerStore {
  readonly records: readonly LedgerRecord[];
}

/** Opens a ledger in memory on a copy of these records, which nothing else sees grow. */
export function ledgerInMemory(before: readonly LedgerRecord[]): LedgerInMemory {
  const records = [...before];
  const first = records[0]?.seq ?? 1;
  let head: LedgerHead = lastHead(records.at(-1));
  return {
    place: 'memory',
    records,
    read: (afterSeq) =>
      Promise.resolve({ records: records.slice(Math.max(0, afterSeq - first + 1)), head }),
    append(more, onHead) {
      if (onHead.seq !== head.seq || onHead.hash !== head.hash) return Promise.resolve('lost');
      for (const record of more) records.push(record);
      head = lastHead(more.at(-1) ?? records.at(-1));
      return Promise.resolve('acknowledged');
    },
    probe: () => Promise.resolve(),
  };
}

function lastHead(last: LedgerRecord | undefined): LedgerHead {
  return last === undefined ? { seq: 0, hash: '' } : { seq: last.seq, hash: hashRecord(last) };
}
