import { STATUSES, type Device } from './device.ts';
import { asRefused } from '../error.ts';
import type { ServiceFilter, Service } from '../ports.ts';
import { isUnreadable } from './unreadable.ts';

/**
 * The failure of a filter that must return rows; `untried` where no known device is suitable to
 * filter for.
 */
export type FilterProblem = 'ignored' | 'refused' | 'empty' | 'untried';

/** The part of the devices that a trial needs. */
export interface KnownRows {
  readonly length: number;
  at(row: number): Device;
}

/**
 * A filter that must return rows: the state of a device that was read, by both fields that a start
 * relies on. It prefers the usual state, because most devices have it.
 */
export function trialFilter(devices: KnownRows): ServiceFilter | undefined {
  const words: readonly string[] = STATUSES;
  let other: ServiceFilter | undefined;
  for (let row = 0; row < devices.length; row += 1) {
    const device = devices.at(row);
    const { status = '', maintenanceMode = false } = device;
    if (!words.includes(status) || isUnreadable(device, 'status', 'maintenanceMode')) continue;
    if (status === 'online' && !maintenanceMode) return { status, maintenanceMode };
    other ??= { status, maintenanceMode };
  }
  return other;
}

/**
 * Whether the service applies a filter that must return rows. If its answer is empty, no empty
 * answer can be trusted. One page is enough; undefined where the filter works.
 */
export async function tryFilter(
  service: Pick<Service, 'list'>,
  filter: ServiceFilter | undefined,
): Promise<FilterProblem | undefined> {
  if (!filter) return 'untried';
  const pass = service.list('devices', filter);
  const page = await pass.next().catch(asRefused);
  if (page === undefined) return 'refused';
  if (page.done) return 'empty';
  await pass.return({ total: 0, rows: 0, pages: 0 });
  if (page.value.length === 0) return 'empty';
  return [...page.value].every((device) => mayMatch(device, filter)) ? undefined : 'ignored';
}

/**
 * A row that could not be parsed may match; a row without a maintenance field is not in
 * maintenance.
 */
function mayMatch(device: Device, filter: ServiceFilter): boolean {
  const { status, maintenanceMode = false } = device;
  const found: ServiceFilter = { ...(status !== undefined && { status }), maintenanceMode };
  return Object.entries(filter).every(
    ([name, wanted]) => found[name] === wanted || isUnreadable(device, name),
  );
}
