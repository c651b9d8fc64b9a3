import type { Ref } from '../model/fleet/device.ts';
import type { Outlook } from '../model/plan/outlook.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { Sourced } from '../model/documents/source.ts';
import { siteZone } from '../calendar/site-zone.ts';
import type { WindowSpec } from '../model/documents/window.ts';

/** A window and the zones that apply to the devices of one location. */
export interface WindowUse {
  readonly entry: Sourced<WindowSpec>;
  /**
   * Several if a device belongs to sites of different zones: the window is then open where all are
   * open.
   */
  readonly zones: readonly string[];
  readonly devices: number;
}

interface Input {
  readonly documents: Documents;
  readonly outlooks: readonly Outlook[];
}

/**
 * Each window of the documents in each zone of its devices. A window without devices uses its own
 * zone, or those of all sites. A device with a site of unknown zone is left out: nothing may start
 * there.
 */
export function listWindowUses({ documents, outlooks }: Input): readonly WindowUse[] {
  const uses = new Map<string, { readonly use: Omit<WindowUse, 'devices'>; ids: Set<string> }>();
  const used = new Set<string>();
  for (const { device, windows } of outlooks)
    for (const name of windows) {
      const entry = documents.windows.get(name);
      const zones = entry && zonesFor(entry.value, device.sites, documents);
      if (!entry || !zones || zones.length === 0) continue;
      const key = `${name} ${zones.join()}`;
      const found = uses.get(key) ?? { use: { entry, zones }, ids: new Set() };
      found.ids.add(device.id);
      uses.set(key, found);
      used.add(name);
    }
  const idle = [...documents.windows.values()].filter(({ name }) => !used.has(name));
  const idleZones = ({ timeZone }: WindowSpec): readonly string[] =>
    timeZone === 'site' ? siteZones(documents.sites) : [timeZone];
  return [
    ...[...uses.values()].map(({ use, ids }) => ({ ...use, devices: ids.size })),
    ...idle.flatMap((entry) =>
      idleZones(entry.value).map((zone) => ({ entry, zones: [zone], devices: 0 })),
    ),
  ];
}

/** How many devices a freeze blocks; in one zone, if it follows the zones of their sites. */
export function frozenDevices(
  name: string,
  zone: string | undefined,
  { documents, outlooks }: Input,
): number {
  const ids = new Set<string>();
  for (const { device, freezes } of outlooks) {
    if (!freezes.includes(name)) continue;
    const zones =
      zone === undefined ? [] : device.sites.map((ref) => siteZone(documents.sites, ref));
    if (zone === undefined || zones.includes(zone)) ids.add(device.id);
  }
  return ids.size;
}

/** Every zone that a site, a window or a freeze of the documents names, sorted. */
export function zonesInUse({ sites, windows, freezes }: Documents): readonly string[] {
  const named = [...windows.values(), ...freezes.values()].map(({ value }) => value.timeZone);
  const zones = [...siteZones(sites), ...named.filter((zone) => zone !== 'site')];
  return [...new Set(zones)].sort();
}

/** The zones of the sites, sorted. */
export function siteZones(sites: Documents['sites']): readonly string[] {
  const zones = [...sites.values()].flatMap(({ value }) => value.timeZone ?? []);
  return [...new Set(zones)].sort();
}

function zonesFor(
  { timeZone }: WindowSpec,
  refs: readonly Ref[],
  { sites }: Documents,
): readonly string[] {
  if (timeZone !== 'site') return [timeZone];
  const zones = refs.map((ref) => siteZone(sites, ref));
  const known = zones.filter((zone) => zone !== undefined);
  return known.length < zones.length ? [] : [...new Set(known)].sort();
}
