import type { Change } from '../../model/plan/change.ts';
import type { Device } from '../../model/fleet/device.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import type { ServiceSettings } from '../../model/documents/policy.ts';
import type { ServiceFilter } from '../../model/ports.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import { TASK_OF, type TaskType } from '../../model/fleet/task.ts';
import type { Milliseconds } from '../../lib/time.ts';
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
    /** Requests for the lists of down devices; by default one per filter. */
    readonly lists?: number;
  },
): number {
  const { task } = change;
  const readable = largestAt(known.pace, known.lists ?? DOWN_READS.length);
  if (!known.accepted.has(task) || renames(task, known.dialect)) return Math.min(1, readable);
  const largest = known.dialect.maxDevicesPerTask;
  return Math.min(Math.max(1, Math.min(rollout.batch, largest)), readable);
}

/** The service may return the device under another ID after the task. */
export function renames(task: TaskType, dialect: Dialect): boolean {
  return task === TASK_OF.onboarding && dialect.onboardedId !== 'same';
}

/** F: the maximum age of a batch's oldest read at its POST (protocol X6). */
export const READ_AGE: Milliseconds = 30_000;

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

/** New rows in a page of the whole list: its first few repeat the end of the page before. */
const PAGE_ROWS = 995;

/** The part of a fleet and its service that the lists before a start depend on. */
export interface Listed {
  readonly dialect: Pick<Dialect, 'filterMaintenanceMode'>;
  /** The number of devices. */
  readonly devices: number;
  /** The service ignores or refuses one of the filters, so all rows are read. */
  readonly unfiltered?: boolean | undefined;
}

/** Whether all rows are read to find down devices, because the service cannot filter for them. */
export function readsWhole({ dialect, unfiltered = false }: Omit<Listed, 'devices'>): boolean {
  return unfiltered || dialect.filterMaintenanceMode === '';
}

/** Requests for the lists of down devices: one per filter, or the pages of the whole fleet. */
export function listsBefore(listed: Listed): number {
  return readsWhole(listed)
    ? Math.max(1, Math.ceil(listed.devices / PAGE_ROWS))
    : DOWN_READS.length;
}

/** Whether not even one device can start after this many lists. */
export function startsNone(lists: number, pace: Pace): boolean {
  return largestAt(pace, lists) === 0;
}

/**
 * The minimum of requests before the POST of a batch of this size: the lists of down devices, and
 * each of its devices. All are of one endpoint family; no other family gets as many, and each has
 * its own rate limit.
 */
export function requestsFor(size: number, lists: number): number {
  return lists + size;
}

/** From the first of these requests until the last is sent. */
export function timeFor(requests: number, { requestsPerSecond }: Pace): Milliseconds {
  return ((requests - 1) * 1_000) / requestsPerSecond;
}

/** The largest batch whose reads are recent enough when the last one is made. */
function largestAt({ requestsPerSecond }: Pace, lists: number): number {
  const requests = Math.floor((READ_AGE * requestsPerSecond) / 1_000) + 1;
  return Math.max(0, requests - lists);
}
