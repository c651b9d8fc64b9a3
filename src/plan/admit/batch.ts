import type { Change } from '../../model/plan/change.ts';
import type { Device } from '../../model/fleet/device.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import type { ServiceSettings } from '../../model/documents/policy.ts';
import type { ServiceFilter } from '../../model/ports.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import { TASK_OF, type TaskType } from '../../model/fleet/task.ts';
import type { Milliseconds } from '../../lib/time.ts';
import { PAGE_ROWS } from '../../model/ledger/run-requests.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';

/** The part of a change and its rollout that its batch depends on. */
export interface Batched {
  readonly change: Pick<Change, 'task' | 'policy'>;
  readonly rollout: Pick<RolloutSpec, 'batch'>;
}

/** Requests a second to each endpoint family, as the documents say. */
export type Pace = Pick<ServiceSettings['pace'], 'requestsPerSecond'>;

/** Changes with the same group may share a POST: one task type, one policy. */
export function batchGroup({ change }: Pick<Batched, 'change'>): string {
  return `${change.task} ${change.policy}`;
}

/**
 * The maximum of devices in one POST (protocol X17); 0 where not even one can be read in time.
 * Until the service has accepted a task type once, a refused payload would leave a whole batch in
 * doubt, so the first device is sent alone. So is a device whose ID may change during the task.
 */
export function batchLimit(
  { change, rollout }: Batched,
  known: {
    readonly accepted: ReadonlySet<TaskType>;
    readonly dialect: Dialect;
    readonly pace: Pace;
    /** The cost of the reads before a POST; by default that of one list per filter. */
    readonly reads?: ReadCost;
  },
): number {
  const { task } = change;
  const { pace, reads = BY_FILTERS } = known;
  // The last answer comes after its turn: a batch that is too old by then is halved for the rest of the run.
  const inTime = { requestsPerSecond: pace.requestsPerSecond * (1 - LAST_ANSWER / READ_AGE) };
  const readable = Math.min(largestAt(pace, reads), Math.max(1, largestAt(inTime, reads)));
  if (!known.accepted.has(task) || renames(task, known.dialect)) return Math.min(1, readable);
  const largest = known.dialect.maxDevicesPerTask;
  return Math.min(Math.max(1, Math.min(rollout.batch, largest)), readable);
}

/** A batch that has not been sent. */
export interface Batch {
  readonly group: string;
  readonly most: number;
  readonly size: number;
}

/** The batch of a change: the current one if it has capacity, else a new one. */
export function joinBatch(
  batch: Batch | undefined,
  joins: Batched,
  known: Parameters<typeof batchLimit>[1],
): Batch {
  const group = batchGroup(joins);
  return batch?.group === group && batch.size < batch.most
    ? { ...batch, size: batch.size + 1 }
    : { group, most: batchLimit(joins, known), size: 1 };
}

/** The service may return the device under another ID after the task. */
export function renames(task: TaskType, dialect: Dialect): boolean {
  return task === TASK_OF.onboarding && dialect.onboardedId !== 'same';
}

/** F: the maximum age of a batch's oldest read at its POST (protocol X6). */
export const READ_AGE: Milliseconds = 30_000;

/** What is left of it for the last answer of a batch. */
const LAST_ANSWER: Milliseconds = 2_000;

/** A list of the service with devices that are, or may be, down. */
export interface DownRead {
  readonly filter: ServiceFilter;
  /** Whether a row may match: the service may ignore the filter, or the row may be unparsed. */
  includes(device: Device): boolean;
}

/**
 * The reads before a POST of all devices that may be down by their status, or by another user's
 * work.
 */
export const DOWN_READS: readonly DownRead[] = [
  ...(['offline', 'partial', 'unknown'] as const).map((status) => ({
    filter: { status },
    includes: (device: Device) => device.status === status || isUnreadable(device, 'status'),
  })),
  {
    filter: { maintenanceMode: true },
    includes: (device: Device) =>
      device.maintenanceMode === true || isUnreadable(device, 'maintenanceMode'),
  },
];

/** The part of a fleet and its service that the lists before a start depend on. */
export interface Listed {
  readonly dialect: Pick<Dialect, 'filterMaintenanceMode'>;
  readonly devices: number;
  /** The service ignores or refuses one of the filters, so all rows are read. */
  readonly unfiltered?: boolean | undefined;
}

/** Whether all rows are read to find down devices, because the service cannot filter for them. */
export function readsWhole({ dialect, unfiltered = false }: Omit<Listed, 'devices'>): boolean {
  return unfiltered || dialect.filterMaintenanceMode === '';
}

/** The cost of the reads before a POST: lists of devices that are down and reads by ID, or one whole pass. */
export interface ReadCost {
  /** Requests for the lists of down devices. */
  readonly lists: number;
  /** Pages of the list of all devices; Infinity where their number is not known. */
  readonly pages: number;
}

const BY_FILTERS: ReadCost = { lists: DOWN_READS.length, pages: Infinity };

/**
 * Requests for the lists of down devices (one per filter, or the pages of the whole fleet), and for
 * the whole fleet.
 */
export function readsBefore(listed: Listed): ReadCost {
  const pages = Math.max(1, Math.ceil(listed.devices / PAGE_ROWS));
  return { lists: readsWhole(listed) ? pages : DOWN_READS.length, pages };
}

/**
 * Whether one pass over all devices takes the place of the lists and of the reads by id before the
 * POST of a batch: if it is fewer requests, and its first page is still recent after its last
 * (protocol N31). A fleet of one page is read by lists and ids (decision 0032).
 */
export function readsOnce(size: number, { lists, pages }: ReadCost, pace: Pace): boolean {
  return pages > 1 && pages < lists + size && pages <= largestAge(pace);
}

/** The requests that must fit into the age of a read before even one device can start. */
export function fewestRequests({ lists, pages }: ReadCost): number {
  return pages > 1 ? Math.min(lists, pages) : lists;
}

/** Whether not even one device can start after these reads. */
export function startsNone(reads: ReadCost, pace: Pace): boolean {
  return largestAt(pace, reads) === 0;
}

/**
 * The minimum of requests of one endpoint family before the POST of a batch of this size: the lists
 * of down devices and each of its devices, or one whole pass, beside which the reads of a family of
 * their own are made.
 */
export function requestsFor(size: number, reads: ReadCost, pace: Pace): number {
  const { lists, pages } = reads;
  return readsOnce(size, reads, pace) ? Math.max(pages, size) : lists + size;
}

/** From the first of these requests until the last is sent. */
export function timeFor(requests: number, { requestsPerSecond }: Pace): Milliseconds {
  return ((requests - 1) * 1_000) / requestsPerSecond;
}

/** The largest batch whose reads are recent enough when the last one is made. */
function largestAt(pace: Pace, { lists, pages }: ReadCost): number {
  const most = Math.floor(largestAge(pace)) + 1;
  const byLists = Math.max(0, most - lists);
  return readsOnce(most, { lists, pages }, pace) ? Math.max(most, byLists) : byLists;
}

/** Requests within the greatest age of a read. */
function largestAge({ requestsPerSecond }: Pace): number {
  return (READ_AGE * requestsPerSecond) / 1_000;
}
