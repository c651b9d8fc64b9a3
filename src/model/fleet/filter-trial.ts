import { STATUSES, type Device } from './device.ts';
import { asRefused } from '../error.ts';
import type { ServiceFilter, Service } from '../ports.ts';
import { isUnreadable } from './unreadable.ts';

/** How a filter failed that had to show something; `untried` where no known device is one to ask for. */
export type FilterProblem = 'ignored' | 'refused' | 'empty' | 'untried';

/** As much of the devices that were read as a trial goes by. */
export interface KnownRows {
  readonly length: number;
  at(row: number): Device;
}

/**
 * What to ask for so that rows must come: a state that a device was read in, told by both filters
 * that a start rests on. The usual state, where there is one, as many devices are then in it.
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
 * Whether the service honours a filter that must show rows. An empty answer to it says that empty
 * answers say nothing. One page tells; undefined where all is well.
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
  return page.value.every((device) => mayMatch(device, filter)) ? undefined : 'ignored';
}

/** A row that was not understood may be what was asked for; one that shows no maintenance is in none. */
function mayMatch(device: Device, filter: ServiceFilter): boolean {
  const { status, maintenanceMode = false } = device;
  const found: ServiceFilter = { ...(status !== undefined && { status }), maintenanceMode };
  return Object.entries(filter).every(
    ([name, wanted]) => found[name] === wanted || isUnreadable(device, name),
  );
}
