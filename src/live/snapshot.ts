import type { Device, DeviceSource, DiscoveredDevice, Ref, Site } from '../model/fleet/device.ts';
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

/**
 * The snapshot with one name for each site and source, that of its list (semantics D7). A reading has them so; a file may
 * not.
 */
export function withListedNames(snapshot: Snapshot): Snapshot {
  const { devices, discovered } = snapshot;
  const [site, source] = [namer(snapshot.sites), namer(snapshot.sources)];
  const isListed =
    devices.sites.values.every((refs = []) => refs.every((ref) => site(ref) === ref)) &&
    devices.sources.values.every((refs = []) => refs.every((ref) => source(ref) === ref));
  const rows = Array.from({ length: isListed ? 0 : devices.length }, (_, row) => devices.at(row));
  const named = rows.map((row) => {
    return { ...row, sites: row.sites.map(site), sources: row.sources.map(source) };
  });
  return {
    ...snapshot,
    devices: isListed ? devices : createTable(named),
    discovered: discovered.map((row) => ({
      ...row,
      ...(row.site && { site: site(row.site) }),
      ...(row.sources && { sources: row.sources.map(source) }),
    })),
  };
}

function namer(list: readonly Ref[]): (ref: Ref) => Ref {
  const names = new Map(list.map(({ id, name }) => [id, name]));
  return (ref) => {
    const name = names.get(ref.id) ?? ref.name;
    return name === ref.name || name === undefined ? ref : { ...ref, name };
  };
}
