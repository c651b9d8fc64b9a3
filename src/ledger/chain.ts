import { Bug } from '../lib/bug.ts';
import { canonical, sha256, type Json } from '../lib/canonical.ts';
import { WorldError, type Params } from '../model/error.ts';
import type { LedgerHead, LedgerRecord, RecordBody } from '../model/ledger/record.ts';

export const EMPTY_HEAD: LedgerHead = { seq: 0, hash: '' };

/** The canonical JSON of a record, which stores keep and its hash covers. */
export function encodeRecord(record: LedgerRecord): string {
  return canonical(record as unknown as Json);
}

/** The hash of a record: the sha256 of its canonical JSON, in hex. */
export function hashRecord(record: LedgerRecord): string {
  return sha256(encodeRecord(record));
}

/** The head after these records; `from` if there are none. */
export function headAfter(records: readonly LedgerRecord[], from: LedgerHead): LedgerHead {
  const last = records.at(-1);
  return last === undefined ? from : { seq: last.seq, hash: hashRecord(last) };
}

/**
 * Chains bodies onto a head as one append. An append holds at most one ATTEMPT, as its last record
 * (protocol J2). Throws a `Bug` otherwise.
 */
export function appendTo(
  head: LedgerHead,
  bodies: readonly RecordBody[],
  writer: { readonly epoch: number; readonly at: string; readonly tool: string },
): LedgerRecord[] {
  const attempt = bodies.findIndex((body) => body.type === 'ATTEMPT');
  if (attempt !== -1 && attempt !== bodies.length - 1) throw new Bug('ATTEMPT is not last');
  const { epoch, at, tool } = writer;
  const records: LedgerRecord[] = [];
  for (const body of bodies) {
    const before = headAfter(records, head);
    records.push({ seq: before.seq + 1, prev: before.hash, epoch, at, tool, body });
  }
  return records;
}

/** Records as stores keep them: the lines that `encodeRecord` writes, and the head after them. */
export interface Chained {
  readonly lines: readonly string[];
  readonly head: LedgerHead;
}

/**
 * Follows the chain from a head. Throws `ledgerBroken` with `where` and the `seq` of the first record that does not fit:
 * another one stands there, or it follows another one.
 */
export function checkChain(
  records: readonly LedgerRecord[],
  from: LedgerHead,
  where: Params = {},
): Chained {
  let head = from;
  const lines = records.map((record) => {
    const seq = head.seq + 1;
    if (record.seq !== seq || record.prev !== head.hash) {
      const why = record.seq === seq ? 'chain' : 'order';
      throw new WorldError('ledgerBroken', { ...where, seq, why });
    }
    const line = encodeRecord(record);
    head = { seq, hash: sha256(line) };
    return line;
  });
  return { lines, head };
}

export function isSameHead(a: LedgerHead, b: LedgerHead): boolean {
  return a.seq === b.seq && a.hash === b.hash;
}
