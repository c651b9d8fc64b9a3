import { headAfter, isSameHead } from '../ledger/chain.ts';
import type { LedgerStore } from '../model/ports.ts';
import type { LedgerHead, LedgerRecord } from '../model/ledger/record.ts';

/** A ledger that ends with the rehearsal: it has what came after the head of the real one. */
interface LedgerInMemory extends LedgerStore {
  readonly records: readonly LedgerRecord[];
}

/** Opens a ledger in memory that goes on after the head of another. */
export function ledgerInMemory(start: LedgerHead): LedgerInMemory {
  const records: LedgerRecord[] = [];
  let head = start;
  return {
    place: 'memory',
    records,
    read: (afterSeq) =>
      Promise.resolve({ records: records.slice(Math.max(0, afterSeq - start.seq)), head }),
    append(more, onHead) {
      if (!isSameHead(onHead, head)) return Promise.resolve('lost');
      for (const record of more) records.push(record);
      head = headAfter(more, head);
      return Promise.resolve('acknowledged');
    },
    probe: () => Promise.resolve(),
  };
}
