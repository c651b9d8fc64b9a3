import type { DeviceState, Probe, Status, Time } from './state.ts';

const PROBES: readonly Probe[] = ['agent', 'deviceSource', 'edge', 'host', 'app'];

type ProbeStatus = 'up' | 'down' | 'unknown' | 'unmonitored';

/** Connectivity in the service's words. Partial: some probes report, but not all. */
export function connectivityStatus(device: DeviceState): Status {
  if (device.silent) return 'offline';
  switch (device.condition) {
    case 'well':
      return 'online';
    case 'stuck':
      return device.monitored.length > 1 ? 'partial' : 'offline';
    case 'unknown':
      return 'unknown';
    case 'dark':
    case 'dead':
      return 'offline';
  }
}

/** Whether the device is online or partial, so that some probe reports. */
export function isReporting(device: DeviceState): boolean {
  const status = connectivityStatus(device);
  return status === 'online' || status === 'partial';
}

export function probeStatus(device: DeviceState, probe: Probe): ProbeStatus {
  if (!device.monitored.includes(probe)) return 'unmonitored';
  const status = connectivityStatus(device);
  if (status === 'unknown') return 'unknown';
  if (status === 'offline') return 'down';
  return status === 'partial' && probe === device.monitored.at(-1) ? 'down' : 'up';
}

export function probeStatuses(device: DeviceState): Record<Probe, ProbeStatus> {
  const entries = PROBES.map((probe) => [probe, probeStatus(device, probe)]);
  return Object.fromEntries(entries) as Record<Probe, ProbeStatus>;
}

/**
 * When the device last reported. It moves in steps of `refreshMs`, and only while the device
 * reports.
 */
export function lastSeenAt(device: DeviceState, now: Time, refreshMs: number): Time {
  if (!isReporting(device)) return device.lastSeen;
  return Math.max(device.lastSeen, Math.floor(now / refreshMs) * refreshMs);
}
