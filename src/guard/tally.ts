import { TASK_OF } from '../model/fleet/task.ts';
import type { Change } from '../model/plan/change.ts';
import { isOfIncident } from '../model/documents/policies.ts';
import { countAtPercent } from '../model/documents/guardrail.ts';
import type { GuardrailVerdict } from '../model/plan/plan.ts';

/** The counts that guardrails limit, from the due changes of a saved plan. */
export interface Tally {
  add(change: Change): void;
  readonly changes: number;
  /** How many devices the service returned. */
  readonly shown: number;
  /** The number of managed devices. A device to onboard is not managed yet. */
  readonly devices: number;
  /** The number of sites, judged by their names: minimum and maximum. */
  readonly sites: readonly [number, number];
  /** The number of changes of an incident, by its address. */
  of(incident: string): number;
  /** The number of devices at a site: minimum and maximum. */
  at(site: string): readonly [number, number];
}

/** Separates the names of several sites of one device. */
const BETWEEN_SITES = ', ';

/** Creates a tally that starts at zero, of a fleet with so many devices. */
export function createTally(shown: number): Tally {
  const devices = new Set<string>();
  const bySite = new Map<string, Set<string>>();
  let [changes, mostSites] = [0, 0];
  const withSite = (holds: (label: string) => boolean): number => {
    const found = new Set<string>();
    for (const [label, ids] of bySite) if (holds(label)) for (const id of ids) found.add(id);
    return found.size;
  };
  const labels = new Set<string>();
  const incidents = new Map<string, number>();
  return {
    shown,
    add({ task, device, covered, countedFrom, policy }) {
      incidents.set(policy, (incidents.get(policy) ?? 0) + 1);
      if (covered || countedFrom !== undefined || isOfIncident(policy)) return;
      changes += 1;
      if (device.site !== undefined) {
        labels.add(device.site);
        mostSites += device.site.split(BETWEEN_SITES).length;
      }
      if (task === TASK_OF.onboarding) return;
      devices.add(device.id);
      const ids = bySite.get(device.site ?? '') ?? new Set();
      bySite.set(device.site ?? '', ids.add(device.id));
    },
    get changes() {
      return changes;
    },
    get devices() {
      return devices.size;
    },
    get sites() {
      const single = [...labels].filter((label) => !label.includes(BETWEEN_SITES)).length;
      return [Math.max(single, Math.min(1, labels.size)), mostSites] as const;
    },
    of: (incident) => incidents.get(incident) ?? 0,
    at(site) {
      const isAmong = (label: string) => label.split(BETWEEN_SITES).includes(site);
      const least = site.includes(BETWEEN_SITES) ? 0 : withSite((label) => label === site);
      const most = withSite((label) => label === site || isAmong(label));
      return [least, most > 0 ? most : devices.size];
    },
  };
}

/** Whether what is allowed is the share that the limit says. */
export function isShare({ of: total = 0, value, allowed }: GuardrailVerdict): boolean {
  return allowed === countAtPercent(total, value);
}

/**
 * If the number is over the limit, it counts only changes that no exception raises the limit for.
 * Within the limit, it counts all changes. What counts without a change has only a bound, because no
 * change of the plan shows it.
 */
export function countsBetween(
  { number, allowed, passed, unlisted = 0 }: GuardrailVerdict,
  least: number,
  most: number,
): boolean {
  const listed = number - unlisted;
  if (passed !== number <= allowed || listed < 0 || listed > most) return false;
  return !passed || listed >= least;
}
