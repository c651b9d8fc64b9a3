import type { RequestFault, ExternalEdit } from './fault.ts';
import { isReporting, lastSeenAt } from '../world/connectivity.ts';
import { createAccount, issueCertificate } from '../fleet/device.ts';
import type { DeviceState, DiscoveredState, Time } from '../world/state.ts';
import type { World } from '../world/world.ts';

/** Applies the changes of other users to the fleet just before a request, by the fault script. */
export function applyExternalChanges(
  world: World,
  faults: readonly RequestFault[],
  now: Time,
): void {
  for (const fault of faults) {
    if (fault.type === 'churn') churn(world, fault, now);
    if (fault.type === 'outsider') edit(world, fault, now);
  }
}

type Churn = Extract<RequestFault, { readonly type: 'churn' }>;

/**
 * Inserts, deletes or reorders rows at the front of a list, which shifts every later page. A device
 * with a running task stays.
 */
function churn(world: World, fault: Churn, now: Time): void {
  const { state } = world;
  if (fault.list === 'devices') {
    state.devices = CHURNS[fault.change](state.devices, fault.rows, {
      copy: (device) => newcomer(device, world, now),
      isFixed: (device) => state.busy[device.id] !== undefined,
    });
  } else {
    state.discovered = CHURNS[fault.change](state.discovered, fault.rows, {
      copy: (found): DiscoveredState => ({ ...found, device: newcomer(found.device, world, now) }),
      isFixed: () => false,
    });
  }
  world.index();
}

interface Rows<T> {
  copy(row: T): T;
  isFixed(row: T): boolean;
}

const CHURNS: Readonly<
  Record<Churn['change'], <T>(all: T[], count: number, rows: Rows<T>) => T[]>
> = {
  insert: (all, count, { copy }) => [...all.slice(0, count).map(copy), ...all],
  delete: (all, count, { isFixed }) => {
    const deleted = new Set(all.filter((row) => !isFixed(row)).slice(0, count));
    return all.filter((row) => !deleted.has(row));
  },
  reorder: (all, count) => [...all.slice(count), ...all.slice(0, count)],
};

/** A copy of a device under a new ID. The suffix of a copied copy does not grow. */
function newcomer(device: DeviceState, { random }: World, now: Time): DeviceState {
  const id = `${device.id.replace(/(-[\da-f]{6})+$/, '')}-${random.hex(6)}`;
  const name = `${device.name.replace(/(-new)+$/, '')}-new`;
  return { ...structuredClone(device), id, name, onboardedAt: now };
}

function edit(
  world: World,
  { deviceId, set }: { readonly deviceId: string; readonly set: ExternalEdit },
  now: Time,
): void {
  const device = world.device(deviceId);
  if (device === undefined) return;
  world.versions.keepDevice(device, now);
  const { password, certificate, ...fields } = set;
  if (isReporting(device)) device.lastSeen = lastSeenAt(device, now, world.refreshMs);
  Object.assign(device, fields);
  if (password)
    device.accounts = device.accounts.map(({ userName }) => createAccount(userName, now));
  if (certificate) device.ssl = issueCertificate(world.random, now);
}
