import type { Ref } from '../../model/fleet/device.ts';
import type { RestartPolicy } from '../../model/documents/policy.ts';
import type { DeviceTable, ReadDevice } from '../../model/fleet/snapshot.ts';
import type { Instant } from '../../lib/time.ts';
import { getOrAdd } from '../../lib/maps.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';

/** Fewer devices than this are no outage, even if they are a large share of a small site. */
export const FEWEST = 3;

/** Many devices of one site that went down together, which indicates a network failure. */
export interface Outage {
  readonly site: string;
  /** How many went down together, and how many devices the site has. */
  readonly down: number;
  readonly of: number;
  /** When the first of them was last seen. */
  readonly since: Instant;
}

/** The sites with an outage. A site is evaluated when it is first requested. */
export interface Outages {
  /** The outage of the first of these sites that has one by this rule. */
  at(sites: readonly Ref[], rule: RestartPolicy['correlatedOutage']): Outage | undefined;
}

/**
 * Finds the outages of a fleet at one moment: more than a share of a site, and at least three
 * devices, read offline and were last seen within the window of the rule (semantics S1). A device
 * that is back does not count.
 * @param reads devices read later than the table, by ID
 */
export function findOutages(
  devices: DeviceTable,
  reads: Pick<ReadonlyMap<string, ReadDevice>, 'get'> = new Map(),
): Outages {
  let sites: ((id: string) => Site | undefined) | undefined;
  return {
    at(refs, { percent, within }) {
      sites ??= readSites(devices, reads);
      for (const { id } of refs) {
        const site = sites(id);
        const burst = site && largestBurst(site, within);
        if (!burst || burst.down < FEWEST || burst.down * 100 <= percent * site.of) continue;
        return { site: site.name, of: site.of, ...burst };
      }
      return undefined;
    },
  };
}

interface Site {
  readonly name: string;
  of: number;
  /** When each device that reads offline was last seen, earliest first. */
  readonly wentDown: Instant[];
  /** How many devices may have gone down at any time, because a field was not understood. */
  undated: number;
}

/**
 * A device whose sites were not understood may belong to each site: it counts as down there, but
 * not as one of its devices (semantics B15).
 */
function readSites(
  devices: DeviceTable,
  reads: Pick<ReadonlyMap<string, ReadDevice>, 'get'>,
): (id: string) => Site | undefined {
  const sites = new Map<string, Site>();
  const anywhere: Site = { name: '', of: 0, wentDown: [], undated: 0 };
  const wholes = new Map<string, Site>();
  for (let row = 0; row < devices.length; row++) {
    const listed = devices.at(row);
    const device = reads.get(listed.id)?.device ?? listed;
    const { status, lastSeen } = device;
    const isUndated =
      isUnreadable(device, 'status') || (status === 'offline' && isUnreadable(device, 'lastSeen'));
    const at = listed.sites.map(({ id, name = id }) => {
      const site = getOrAdd(sites, id, () => ({ name, of: 0, wentDown: [], undated: 0 }));
      site.of++;
      return site;
    });
    for (const site of isUnreadable(listed, 'sites') ? [...at, anywhere] : at) {
      if (isUndated) site.undated++;
      if (status === 'offline' && lastSeen !== undefined) site.wentDown.push(lastSeen);
    }
  }
  return (id) => {
    const site = sites.get(id);
    if (!site) return undefined;
    return getOrAdd(wholes, id, () => together(site, anywhere));
  };
}

function together(site: Site, anywhere: Site): Site {
  const wentDown = [...site.wentDown, ...anywhere.wentDown].sort((a, b) => a - b);
  return { ...site, wentDown, undated: site.undated + anywhere.undated };
}

/**
 * The largest number of devices that may have gone down within the window, and when that window
 * began.
 */
function largestBurst(
  { wentDown, undated }: Site,
  within: number,
): Pick<Outage, 'down' | 'since'> | undefined {
  let largest: Pick<Outage, 'down' | 'since'> | undefined;
  let first = 0;
  for (const [last, at] of wentDown.entries()) {
    while (at - (wentDown[first] ?? at) > within) first++;
    const down = last - first + 1 + undated;
    if (down > (largest?.down ?? 0)) largest = { down, since: wentDown[first] ?? at };
  }
  return largest;
}
