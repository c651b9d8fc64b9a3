import type { FleetPart } from '../../model/plan/part.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';

/** Which decisions of a plan belong to its part. */
export interface PartMembership {
  /** Whether the change of a policy on a device does, managed or only discovered. */
  has(policy: string, deviceId: string): boolean;
  /** Whether its lists of sites and devices leave a device in, whatever the policy. */
  hasDevice(deviceId: string): boolean;
  /** Whether an entry of a policy does that names no known device, or this one. */
  hasEntry(policy: string, deviceId: string | undefined): boolean;
}

/** Evaluates a part on a reading of the fleet: a device belongs to the sites that its row shows. */
export function partMembership(part: FleetPart, snapshot: Snapshot): PartMembership {
  const { devices, discovered } = snapshot;
  const [policies, sites, ids] = [part.policies, part.sites, part.devices].map(
    (list) => list && new Set(list),
  );
  const siteOfDiscovered = new Map(discovered.map(({ id, site }) => [id, site?.id]));
  const isAtSite = devices.sites.values.map((refs = []) => refs.some(({ id }) => sites?.has(id)));
  const hasSite = (deviceId: string): boolean => {
    const row = devices.rowOf(deviceId);
    if (row === undefined) return sites?.has(siteOfDiscovered.get(deviceId) ?? '') === true;
    return isAtSite[devices.sites.codes[row] ?? 0] === true;
  };
  const hasPolicy = (policy: string): boolean => policies?.has(policy) ?? true;
  const hasDevice = (deviceId: string): boolean =>
    (ids?.has(deviceId) ?? true) && (sites === undefined || hasSite(deviceId));
  return {
    has: (policy, deviceId) => hasPolicy(policy) && hasDevice(deviceId),
    hasDevice,
    hasEntry: (policy, deviceId) =>
      hasPolicy(policy) &&
      (deviceId === undefined ? (sites ?? ids) === undefined : hasDevice(deviceId)),
  };
}
