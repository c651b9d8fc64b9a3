import { listFirst } from '../../lib/text-order.ts';
import type { Budget } from '../../model/documents/budget.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { ReadDevice } from '../../model/fleet/snapshot.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';
import { judgeCoverage, isInFlight, mayBeRunning, SHOWS_UP, unverifiedOn } from './down.ts';

/** How many devices of a set are named; the rest is counted. */
const NAMED = 3;

/** The reason of a downtime that no request caused. */
export type Downtime =
  | 'atWork'
  | 'inDoubt'
  | 'unverified'
  | 'maintenance'
  | 'offline'
  | 'unseen'
  | 'missing'
  | 'unreadable'
  | 'partial'
  | 'unknown';

/** The limit of a set that has no headroom: a limit on devices down, or on tasks in flight. */
export type Headroom =
  | {
      readonly limit: number;
      readonly members: number;
      /** Devices down before any request, with the first IDs and the count for each reason. */
      readonly down: number;
      readonly devices?: string;
      readonly kinds: Readonly<Partial<Record<Downtime, number>>>;
      /** Those of them that only may belong to the set (semantics D9). */
      readonly perhaps?: number;
      /** IDs of those of them that the service does not return. */
      readonly missingIds?: string;
      /** Devices taken down by requests since. */
      readonly given: number;
    }
  | {
      /** The limit on devices in our hands (semantics N46). */
      readonly mostInHands: number;
      /** Devices in our hands before any request, with the first IDs. */
      readonly inHands: number;
      readonly devices?: string;
      /** How many of them no task is running on: their number does not fall as tasks end. */
      readonly idle: number;
    }
  | { readonly atOnce: number };

/** The known state besides the devices themselves. */
export interface HeadroomContext {
  readonly memory: Memory;
  /** The latest read of the device in a row. */
  readonly deviceAt: (row: number) => ReadDevice;
}

/** A set as its headroom is measured. */
interface MeasuredSet extends Readonly<Record<'limit' | 'members' | 'down', number>> {
  readonly perhaps?: number;
  /** IDs of members that the service does not return. */
  readonly missing: readonly string[];
}

/** Measures the headroom of a set. `rows` are the devices that are down without any request. */
export function measureHeadroom(
  { limit, members, down, perhaps = 0, missing }: MeasuredSet,
  rows: readonly number[],
  known: HeadroomContext,
): Headroom {
  const reads = rows.map(known.deviceAt);
  const hasMissing = missing.length > 0;
  const kinds: Partial<Record<Downtime, number>> = hasMissing ? { missing: missing.length } : {};
  const before = rows.length + missing.length;
  for (const read of reads) {
    const kind = judgeDowntime(read, known);
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return {
    limit,
    members,
    down: before,
    ...nameFirst([...reads.map(({ device }) => device.id), ...missing]),
    kinds,
    ...(perhaps > 0 && { perhaps }),
    ...(hasMissing && { missingIds: missing.join(', ') }),
    given: down - before,
  };
}

/** Measures the headroom of a set whose limit is on devices in our hands, in these rows. */
export function measureHands(
  mostInHands: number,
  rows: readonly number[],
  { deviceAt, memory }: HeadroomContext,
): Headroom {
  const reads = rows.map(deviceAt);
  const idle = reads.filter(({ device }) => !memory.intentsOf(device.id).some(isInFlight));
  const named = nameFirst(reads.map(({ device }) => device.id));
  return { mostInHands, inHands: rows.length, idle: idle.length, ...named };
}

function nameFirst(found: readonly string[]): { readonly devices?: string } {
  if (found.length === 0) return {};
  return { devices: listFirst(found.toSorted(), NAMED) };
}

/** Whether headroom returns only when devices recover that nothing works on. */
export function isTakenByDevices(headroom: Headroom): boolean {
  return (
    'limit' in headroom && headroom.down >= headroom.limit && headroom.kinds.atWork === undefined
  );
}

/** The ledger takes precedence over the read of a device. */
function judgeDowntime({ device, readAt }: ReadDevice, { memory }: HeadroomContext): Downtime {
  const open = memory.intentsOf(device.id).filter(mayBeRunning);
  if (open.some(isInFlight)) return 'atWork';
  if (open.length > 0) return 'inDoubt';
  if (isUnreadable(device, ...SHOWS_UP)) return 'unreadable';
  if (device.maintenanceMode === true) return 'maintenance';
  if (device.status === 'offline') return 'offline';
  const coverage = judgeCoverage(device, readAt);
  if (coverage === 'down') return 'unseen';
  if (unverifiedOn(memory, device.id)) return 'unverified';
  return coverage === 'partial' ? 'partial' : 'unknown';
}

/** The limit on tasks in flight in a set, where that limit has no headroom. */
export function atOnce({ maxInFlight = Infinity }: Pick<Budget, 'maxInFlight'>): Headroom {
  return { atOnce: maxInFlight };
}
