import type { DeviceState, DeviceTaskState, Time } from './state.ts';

/** An earlier state, and the last moment at which it was current. */
export interface Version<T> {
  readonly was: T;
  readonly at: Time;
}

/**
 * The last few versions of devices and device tasks, for stale reads. They stay in memory; no world
 * file stores them.
 */
export interface Versions {
  /** Called just before a change. */
  keepDevice(device: DeviceState, at: Time): void;
  keepDeviceTask(deviceTask: DeviceTaskState, at: Time): void;
  /** The state this many changes ago, or the oldest one that is known. */
  device(id: string, versions: number): Version<DeviceState> | undefined;
  deviceTask(id: string, versions: number): Version<DeviceTaskState> | undefined;
}

const MOST_VERSIONS = 3;

export function createVersions(): Versions {
  const devices = new Map<string, Version<DeviceState>[]>();
  const deviceTasks = new Map<string, Version<DeviceTaskState>[]>();
  return {
    keepDevice: (device, at) => keep(devices, device, at),
    keepDeviceTask: (deviceTask, at) => keep(deviceTasks, deviceTask, at),
    device: (id, versions) => back(devices.get(id), versions),
    deviceTask: (id, versions) => back(deviceTasks.get(id), versions),
  };
}

function keep<T extends { readonly id: string }>(
  all: Map<string, Version<T>[]>,
  value: T,
  at: Time,
): void {
  const versions = all.get(value.id) ?? [];
  all.set(value.id, [...versions, { was: structuredClone(value), at }].slice(-MOST_VERSIONS));
}

function back<T>(versions: readonly Version<T>[] = [], count: number): Version<T> | undefined {
  return count === 0 ? undefined : versions[Math.max(0, versions.length - count)];
}
