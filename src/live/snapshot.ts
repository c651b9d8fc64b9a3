import type { Device, DeviceSource, DiscoveredDevice, Site } from '../model/fleet/device.ts';
import type { DeviceTable, Facts, Reading, Snapshot } from '../model/fleet/snapshot.ts';
import { compareTexts } from '../lib/text-order.ts';
import { createTable } from './device-table.ts';

/** The rows of a fleet, in any order; absent if not read. */
export interface FleetRows extends Reading {
  readonly devices: Iterable<Device> | DeviceTable;
  readonly sites?: Iterable<Site>;
  readonly sources?: Iterable<DeviceSource>;
  readonly discovered?: Iterable<DiscoveredDevice>;
  readonly facts?: (deviceId: string) => Facts;
}

const NO_FACTS: Facts = {};

/** Creates a snapshot, sorted by ID, so that equal fleets give equal snapshots. */
export function createSnapshot(rows: FleetRows): Snapshot {
  return {
    takenAt: rows.takenAt,
    confidence: rows.confidence,
    discoveredConfidence: rows.discoveredConfidence,
    ...(rows.repair && { repair: rows.repair }),
    ...(rows.maxReads !== undefined && { maxReads: rows.maxReads }),
    ...(rows.notices && { notices: rows.notices }),
    ...(rows.organization !== undefined && { organization: rows.organization }),
    devices: 'rowOf' in rows.devices ? rows.devices : createTable(rows.devices),
    sites: byId(rows.sites ?? []),
    sources: byId(rows.sources ?? []),
    discovered: byId(rows.discovered ?? []),
    facts: rows.facts ?? (() => NO_FACTS),
  };
}

function byId<T extends { readonly id: string }>(rows: Iterable<T>): readonly T[] {
  return [...rows].sort((a, b) => compareTexts(a.id, b.id));
}
