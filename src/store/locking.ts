import { WorldError } from '../model/error.ts';
import type { Lease, Memory } from '../model/ledger/memory.ts';
import type { Random } from '../model/ports.ts';
import { LEDGER_FORMAT, type LedgerHead, type RecordBody } from '../model/ledger/record.ts';
import { formatInstant, type Milliseconds } from '../lib/time.ts';
import type { Self } from './lease.ts';

/**
 * The author of a LOCK: the run that takes the lease, or the person who ends another run's, with
 * the reason.
 */
export interface LockedBy {
  readonly label: string;
  readonly who?: string;
  readonly why?: string;
  /** The missing heads that this person goes on without. */
  readonly lost?: readonly LedgerHead[];
  readonly rejected?: readonly LedgerHead[];
}

/** The record that takes the lease; with a RELEASE in the same append it ends one (protocol U1). */
export function lockRecord(
  { host, pid, processStartedAt }: Self,
  writer: LockedBy & { readonly nonce: string; readonly ttl: Milliseconds },
): RecordBody {
  const { nonce, label, ttl, who, why, lost, rejected } = writer;
  const said = {
    ...(who !== undefined && { who }),
    ...(why !== undefined && { why }),
    ...(lost && { lost }),
    ...(rejected && { rejected }),
  };
  return { type: 'LOCK', nonce, label, ttl, host, pid, process: processStartedAt, ...said };
}

/** The record that pins a new ledger to one service (protocol A5). */
export function genesisRecord(random: Random, fingerprint: string): RecordBody {
  const ledgerId = randomText(random, 32);
  return { type: 'GENESIS', ledgerId, format: LEDGER_FORMAT, fingerprint };
}

/**
 * GENESIS once more, where this version continues a ledger of an earlier format: an older program
 * refuses to write from then on (protocol J17).
 */
export function formatRecords({ format, ledgerId, fingerprint }: Memory): readonly RecordBody[] {
  if (format >= LEDGER_FORMAT || format === 0) return [];
  return [{ type: 'GENESIS', ledgerId, format: LEDGER_FORMAT, fingerprint }];
}

/** Replaces a RESULT whose attempt was settled without it, since it may report a second effect. */
export function lateResultRecord(body: RecordBody): RecordBody {
  const ids = body.type === 'RESULT' ? [body.attemptId, ...(body.taskId ? [body.taskId] : [])] : [];
  return { type: 'ANOMALY', what: 'resultTooLate', ids };
}

/** The error for a lease of another run: who, where and since when. */
export function locked({ label, host, pid, takenAt }: Lease): WorldError {
  return new WorldError('locked', { label, host, pid, since: formatInstant(takenAt) });
}

/** Random hexadecimal digits. */
export function randomText(random: Random, length: number): string {
  const digit = () => Math.floor(random() * 16).toString(16);
  return Array.from({ length }, digit).join('');
}
