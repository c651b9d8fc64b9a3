import type { Budget } from '../../model/documents/budget.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { ReadDevice } from '../../model/fleet/snapshot.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';
import { coverageOf, isInFlight, mayBeRunning, SHOWS_UP, unverifiedOn } from './down.ts';

/** Devices of a set that are named; the rest is counted. */
const NAMED = 3;

/** Why a device takes up room that nobody gave it. */
export type Downtime =
  | 'atWork'
  | 'inDoubt'
  | 'unverified'
  | 'maintenance'
  | 'offline'
  | 'unseen'
  | 'unreadable'
  | 'partial'
  | 'unknown';

/** What leaves no room in one set of a budget: a limit on what is down, or on what is at work. */
export type Headroom =
  | {
      readonly limit: number;
      readonly members: number;
      /** Down before anything was given out, the first by id, and how many for which reason. */
      readonly down: number;
      readonly devices?: string;
      readonly kinds: Readonly<Partial<Record<Downtime, number>>>;
      /** Down for what was given out since. */
      readonly given: number;
    }
  | { readonly atOnce: number };

/** What is known now beside the devices themselves. */
export interface HeadroomContext {
  readonly memory: Memory;
  /** The device as it was last read. */
  readonly deviceAt: (row: number) => ReadDevice;
}

/** The room of a set by the rows that are down in it without anything having been given out. */
export function measureHeadroom(
  { limit, members, down }: Readonly<Record<'limit' | 'members' | 'down', number>>,
  rows: readonly number[],
  known: HeadroomContext,
): Headroom {
  const reads = rows.map(known.deviceAt);
  const kinds: Partial<Record<Downtime, number>> = {};
  for (const read of reads) {
    const kind = downtimeOf(read, known);
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  const ids = reads.map(({ device }) => device.id).sort();
  const named = [...ids.slice(0, NAMED), ...(ids.length > NAMED ? ['…'] : [])].join(', ');
  return {
    limit,
    members,
    down: rows.length,
    ...(ids.length > 0 && { devices: named }),
    kinds,
    given: down - rows.length,
  };
}

/** Whether room comes only when devices are up again that nobody works on. */
export function isTakenByDevices(headroom: Headroom): boolean {
  return (
    'limit' in headroom && headroom.down >= headroom.limit && headroom.kinds.atWork === undefined
  );
}

/** What the ledger knows of a device tells more than how it reads meanwhile. */
function downtimeOf({ device, readAt }: ReadDevice, { memory }: HeadroomContext): Downtime {
  const open = memory.intentsOf(device.id).filter(mayBeRunning);
  if (open.some(isInFlight)) return 'atWork';
  if (open.length > 0) return 'inDoubt';
  if (isUnreadable(device, ...SHOWS_UP)) return 'unreadable';
  if (device.maintenanceMode === true) return 'maintenance';
  if (device.status === 'offline') return 'offline';
  const coverage = coverageOf(device, readAt);
  if (coverage === 'down') return 'unseen';
  if (unverifiedOn(memory, device.id)) return 'unverified';
  return coverage === 'partial' ? 'partial' : 'unknown';
}

/** How many of a set may be at work, where that is what leaves no room. */
export function atOnce({ maxInFlight = Infinity }: Pick<Budget, 'maxInFlight'>): Headroom {
  return { atOnce: maxInFlight };
}
