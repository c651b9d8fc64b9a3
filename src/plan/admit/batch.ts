import type { Change } from '../../model/plan/change.ts';
import type { Device } from '../../model/fleet/device.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import type { ServiceSettings } from '../../model/documents/policy.ts';
import type { ServiceFilter } from '../../model/ports.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import { TASK_OF, type TaskType } from '../../model/fleet/task.ts';
import type { Milliseconds } from '../../lib/time.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';

/** As much of a change and its rollout as its batch goes by. */
export interface Batched {
  readonly change: Pick<Change, 'task' | 'policy'>;
  readonly rollout: Pick<RolloutSpec, 'batch'>;
}

/** Requests a second to each endpoint family, as the documents say. */
export type Pace = Pick<ServiceSettings['pace'], 'requestsPerSecond'>;

/** Changes with the same group may share a POST: one task type, one policy. */
export function groupOf({ change }: Pick<Batched, 'change'>): string {
  return `${change.task} ${change.policy}`;
}

/**
 * How many devices one POST may name (protocol X17): 0 where not one could be read in time. Until the service has
 * accepted a task type once, a refused payload would leave a whole batch in doubt, so the first
 * goes alone; so does a device whose id may change on the way.
 */
export function batchLimit(
  { change, rollout }: Batched,
  known: {
    readonly accepted: ReadonlySet<TaskType>;
    readonly dialect: Dialect;
    readonly pace: Pace;
    /** Requests for the lists of what is down; one a filter by default. */
    readonly lists?: number;
  },
): number {
  const { task } = change;
  const readable = largestAt(known.pace, known.lists ?? DOWN_READS.length);
  if (!known.accepted.has(task) || renames(task, known.dialect)) return Math.min(1, readable);
  const largest = known.dialect.maxDevicesPerTask;
  return Math.min(Math.max(1, Math.min(rollout.batch, largest)), readable);
}

/** The service may show the device under another id once the task is done. */
export function renames(task: TaskType, dialect: Dialect): boolean {
  return task === TASK_OF.onboarding && dialect.onboardedId !== 'same';
}

/** F: how old the oldest read of a batch may be at its POST (protocol X6). */
export const READ_AGE: Milliseconds = 30_000;

/** A list of the service in which a device is that counts, or may count, as down. */
export interface DownRead {
  readonly filter: ServiceFilter;
  /** Whether a row may belong there: a filter may be ignored, and a row not understood. */
  includes(device: Device): boolean;
}

/** What is read before a POST of all that may be down by its status, or by somebody's work on it. */
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

/** Rows that a page of the whole list adds: its first few are the last of the page before. */
const PAGE_ROWS = 995;

/** As much of a fleet and its service as the lists before a start go by. */
export interface Listed {
  readonly dialect: Pick<Dialect, 'filterMaintenanceMode'>;
  /** How many there are. */
  readonly devices: number;
  /** The service ignores or refuses one of the filters, so that all rows are looked at. */
  readonly unfiltered?: boolean | undefined;
}

/** Whether all rows are read to see what is down, since the service cannot be asked for it. */
export function readsWhole({ dialect, unfiltered = false }: Omit<Listed, 'devices'>): boolean {
  return unfiltered || dialect.filterMaintenanceMode === '';
}

/** Requests for the lists of what is down: one a filter, or the pages of the whole fleet. */
export function listsBefore(listed: Listed): number {
  return readsWhole(listed)
    ? Math.max(1, Math.ceil(listed.devices / PAGE_ROWS))
    : DOWN_READS.length;
}

/** Whether not even one device could be started after so many lists. */
export function startsNone(lists: number, pace: Pace): boolean {
  return largestAt(pace, lists) === 0;
}

/**
 * Requests that come before the POST of a batch of this size, at the least: the lists of what is
 * down, and each of its devices. All are of one endpoint family; no other gets as many, and each
 * family keeps a pace of its own.
 */
export function requestsFor(size: number, lists: number): number {
  return lists + size;
}

/** From the first of so many requests until the last of them is sent. */
export function timeFor(requests: number, { requestsPerSecond }: Pace): Milliseconds {
  return ((requests - 1) * 1_000) / requestsPerSecond;
}

/** The largest batch whose reads are young enough when the last of them is made. */
function largestAt({ requestsPerSecond }: Pace, lists: number): number {
  const requests = Math.floor((READ_AGE * requestsPerSecond) / 1_000) + 1;
  return Math.max(0, requests - lists);
}
