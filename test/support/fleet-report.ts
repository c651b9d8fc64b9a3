import { createTable } from '../../src/live/device-table.ts';
import type { Device } from '../../src/model/fleet/device.ts';
import { ALERTS, type FleetReport } from '../../src/model/report/fleet-report.ts';
import { sampleAvailability, sumAvailability } from '../../src/report/fleet/availability.ts';
import { reportDevices } from '../../src/report/fleet/device-rows.ts';
import { aDevice, aSnapshot, NOW } from './plan-fleet.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TYPES = ['camera', 'intercom', 'access control panel'];
const LIMITS = {
  within: 30 * DAY,
  hardenedAge: 365 * DAY,
  offlineFor: 900_000,
  severity: 'critical',
  maxGap: DAY,
};

/** A device of a fleet in which every state occurs. */
function variedDevice(index: number, step: number): Device {
  const site = `Site ${index % 40}`;
  return aDevice(`dev-${index}`, {
    name: `cam-${index}`,
    sites: [{ id: `s${index % 40}`, name: site }],
    deviceType: TYPES[index % 3] ?? 'camera',
    model: `P${3200 + (index % 60)}`,
    firmwareVersion: `11.${index % 12}.0`,
    status: (index * 7 + step * 13) % 31 === 0 ? 'offline' : 'online',
    lastSeen: NOW - 5 * HOUR,
    ...(index % 9 === 0 && { vulnerabilitySeverity: ['critical', 'high'][index % 2] ?? 'low' }),
    ...(index % 18 === 0 && { patchedFirmwareVersion: '11.20.0' }),
    lifeCycle: index % 50 === 0 ? 'eol' : 'current_product',
    ...(index % 7 !== 0 && { passwordExpiresAt: NOW + ((index % 400) - 20) * DAY }),
    ...(index % 5 !== 0 && { sslCertificateExpiresAt: NOW + ((index % 300) - 5) * DAY }),
    ...(index % 3 === 0 && { dot1xCertificateExpiresAt: NOW + ((index % 200) - 3) * DAY }),
    lastHardenedAt: NOW - (index % 500) * DAY,
  });
}

/** The report of a fleet with this many devices, and a history of 20 snapshots of at most 1,200 of them. */
export function variedReport(
  count: number,
  edit: (device: Device) => Device = (it) => it,
): FleetReport {
  const fleetAt = (step: number, length = count): Device[] =>
    Array.from({ length }, (_, index) => edit(variedDevice(index, step)));
  const samples = Array.from({ length: 20 }, (_, step) =>
    sampleAvailability(
      NOW - (19 - step) * 6 * HOUR,
      createTable(fleetAt(step, Math.min(count, 1_200))),
      () => true,
    ),
  );
  return {
    evaluatedAt: NOW,
    organization: 'acme',
    sources: [],
    notices: [],
    limits: LIMITS,
    availability: sumAvailability(samples, DAY),
    ...reportDevices({
      snapshot: aSnapshot(fleetAt(19)),
      selects: () => true,
      results: (subject, id) => ({
        policy: `${subject}.standard`,
        is: id.endsWith('3') ? 'due' : 'met',
        reason: 'act',
        target: '11.30.0',
      }),
      flaws: (row) =>
        row % 9 === 0 ? [{ cve: `CVE-2026-${row % 90}`, severity: 'high' }] : undefined,
      now: NOW,
      limits: LIMITS,
      alerts: ALERTS,
    }),
  };
}
