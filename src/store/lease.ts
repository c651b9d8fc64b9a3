import type { Lease } from '../model/ledger/memory.ts';
import type { Clock } from '../model/ports.ts';
import type { Milliseconds } from '../lib/time.ts';

/**
 * How long a lease lives without a record of its holder: short if the store is local, long if every
 * renewal is a push.
 */
export const LEASE_TTL = { directory: 90_000, git: 600_000, postgres: 90_000 } as const;

/** Whether a process with this id and start time runs on this host. */
export type IsAlive = (pid: number, startedAt: string) => boolean;

/** The process that writes, as LOCK records it. */
export interface Self {
  readonly host: string;
  readonly pid: number;
  readonly processStartedAt: string;
  readonly isAlive: IsAlive;
}

/**
 * Watches another run's lease on our own monotonic clock; wall clocks of two machines are never
 * compared. Returns how long the lease has been unchanged since the watch began.
 */
export function watchLease(clock: Clock): (lease: Lease) => Milliseconds {
  let seen = '';
  let since: Milliseconds = 0;
  return ({ epoch, renewals }) => {
    const now = clock.monotonic();
    const sign = `${epoch}.${renewals}`;
    if (sign !== seen) {
      seen = sign;
      since = now;
    }
    return now - since;
  };
}

/**
 * Whether a lease may be taken over: it was unchanged for twice its life, or its process no longer
 * runs (protocol U3).
 */
export function isAbandoned(lease: Lease, unchanged: Milliseconds, self: Self): boolean {
  if (unchanged >= 2 * lease.ttl) return true;
  return lease.host === self.host && !self.isAlive(lease.pid, lease.process);
}
