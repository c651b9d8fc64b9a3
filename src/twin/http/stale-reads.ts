import type { Call } from '../call.ts';
import type { Version } from '../world/past-states.ts';
import type { DeviceState, DeviceTaskState } from '../world/state.ts';

/**
 * The version of a device that a read returns: the current one, or a stale one if the fault script
 * says so.
 */
export function versionForRead(
  { world, now, faults }: Call,
  device: DeviceState,
): Version<DeviceState> {
  const truth = { was: device, at: now };
  const versions = staleVersions(faults);
  return versions === 0 ? truth : (world.versions.device(device.id, versions) ?? truth);
}

export function taskVersionForRead(
  { world, faults }: Call,
  deviceTask: DeviceTaskState,
): DeviceTaskState {
  const versions = staleVersions(faults);
  return world.versions.deviceTask(deviceTask.id, versions)?.was ?? deviceTask;
}

function staleVersions(faults: Call['faults']): number {
  const counts = faults.map((fault) => (fault.type === 'stale' ? fault.versions : 0));
  return Math.max(0, ...counts);
}
