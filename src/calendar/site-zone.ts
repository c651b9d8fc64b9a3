import type { Ref } from '../model/fleet/device.ts';
import type { Documents } from '../model/documents/policy.ts';

/** The zone that all of these sites have that have one: in it, screens write instants; else, in UTC. */
export function sharedZone(
  sites: Documents['sites'],
  refs: Iterable<Ref>,
): { readonly timeZone?: string } {
  const zones = new Set<string>();
  for (const ref of refs) zones.add(siteZone(sites, ref) ?? '');
  zones.delete('');
  const [timeZone] = zones;
  return zones.size === 1 && timeZone !== undefined ? { timeZone } : {};
}

/** The zone of a site, by its ID or its name; undefined if the documents do not give one. */
export function siteZone(sites: Documents['sites'], { id, name }: Ref): string | undefined {
  const byName = name === undefined ? undefined : sites.get(name);
  return sites.get(id)?.value.timeZone ?? byName?.value.timeZone;
}
