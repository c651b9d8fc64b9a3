import { ownerOf } from '../../ledger/owner.ts';
import { WorldError } from '../../model/error.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import type { Journal, LedgerStore } from '../../model/ports.ts';
import { openJournalOn, takeLease, type LeaseOptions } from '../ledger.ts';
import type { FoundMove, MovedLedger } from './find-move.ts';
import type { GroundParts } from './parts.ts';
import { LEASE_TTL } from '../../store/lease.ts';

export interface MoveOrder extends LeaseOptions {
  readonly who: string;
  readonly why: string;
}

/**
 * Records a move as the last record of the ledger that it leaves, when no run is at work there, and copies the
 * chain (protocol M2). What is there is copied first: a move that is interrupted leaves a ledger that no run
 * uses, and the same command completes it. Throws `locked`.
 * @returns the number of records that were copied
 */
export async function recordMove(
  parts: GroundParts,
  move: FoundMove,
  order: MoveOrder,
): Promise<number> {
  const { source, present, closes, isRecorded, to } = move;
  let copied = source ? await copyRecords(source.store, present.store) : 0;
  const { who, why } = order;
  const body: RecordBody = { type: 'GROUND', ...to, who, why };
  if (!isRecorded) await endWith(parts, source ?? present, { body, order });
  for (const left of closes) await endWith(parts, left, { body, order });
  if (source) copied += await copyRecords(source.store, present.store);
  return copied;
}

/** Appends a GROUND as the last record of a ledger, once its lock is ours, and gives the lock back with it. */
async function endWith(
  { shell, target }: GroundParts,
  { place, store, records }: MovedLedger,
  { body, order }: { readonly body: RecordBody; readonly order: MoveOrder },
): Promise<void> {
  const fingerprint = ownerOf(records) || target.fingerprint;
  const leaseTtl = LEASE_TTL[place.store];
  const journal = await openJournalOn(
    { store, leaseTtl },
    { shell, target: { ...target, fingerprint } },
  );
  await takeLease(journal, order, shell);
  await appendLast(journal, body).catch(async (error: unknown) => {
    await journal.release();
    throw error;
  });
}

async function appendLast(journal: Journal, body: RecordBody): Promise<void> {
  for (;;) if ((await journal.append([{ type: 'RELEASE' }, body])) === 'acknowledged') return;
}

/** How often a copy without a clear answer is tried again. */
const TRIES = 5;

/** Appends what a ledger lacks of another one, in one append. Throws `storeFailed` if somebody else appends there. */
async function copyRecords(from: LedgerStore, to: LedgerStore): Promise<number> {
  const { records } = await from.read(0);
  await to.probe();
  const { head: before } = await to.read(0);
  for (let tried = 0; tried < TRIES; tried += 1) {
    const { head } = await to.read(0);
    const rest = records.slice(head.seq);
    const answer = rest.length === 0 ? 'acknowledged' : await to.append(rest, head);
    if (answer === 'acknowledged') return records.length - before.seq;
    if (answer === 'lost') break;
  }
  throw new WorldError('storeFailed', { place: to.place, cause: 'overtaken' }, { retry: 'safe' });
}
