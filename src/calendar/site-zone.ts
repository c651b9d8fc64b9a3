import type { Ref } from '../model/fleet/device.ts';
import type { Documents } from '../model/documents/policy.ts';

/** The zone of a site, by its ID or its name; undefined if the documents do not give one. */
export function siteZone(sites: Documents['sites'], { id, name }: Ref): string | undefined {
  const byName = name === undefined ? undefined : sites.get(name);
  return sites.get(id)?.value.timeZone ?? byName?.value.timeZone;
}
