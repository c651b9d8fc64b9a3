import type { Change } from '../model/plan/change.ts';
import type { Memory } from '../model/ledger/memory.ts';
import { policyAt } from '../model/documents/policy-at.ts';
import type { Documents, Policy } from '../model/documents/policy.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { TaskType } from '../model/fleet/task.ts';
import { policyDigest } from '../model/plan/policy-digest.ts';

/** A change that guardrails count. */
export interface CountedChange {
  readonly task: TaskType;
  readonly deviceId: string;
  /** The row of a managed device; a device to be onboarded has none. */
  readonly row: number | undefined;
  /** Ids of its sites. */
  readonly sites: readonly string[];
}

/** What the counting needs to know beside the changes. */
export interface CountInput {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  readonly memory: Memory;
  readonly changes: Iterable<Change>;
}

/** The wanted changes, `run` and `wait`, that no running rollout covers yet. */
export function countedChanges({
  documents,
  snapshot,
  memory,
  changes,
}: CountInput): readonly CountedChange[] {
  const isCovered = coveredByRollouts(documents, memory);
  const siteOfDiscovered = new Map(snapshot.discovered.map(({ id, site }) => [id, site?.id]));
  const counted: CountedChange[] = [];
  for (const { task, action, device, policy } of changes) {
    if (action !== 'run' && action !== 'wait') continue;
    if (isCovered(policy, device.id)) continue;
    const row = task === 'onboardDevice' ? undefined : snapshot.devices.rowOf(device.id);
    const site = siteOfDiscovered.get(device.id);
    const sites = row === undefined ? [site ?? []].flat() : sitesOf(snapshot, row);
    counted.push({ task, deviceId: device.id, row, sites });
  }
  return counted;
}

function sitesOf({ devices: { sites } }: Snapshot, row: number): readonly string[] {
  return (sites.values[sites.codes[row] ?? 0] ?? []).map(({ id }) => id);
}

/**
 * From its ROLLOUT record on, the devices in the base of a rollout are no longer counted; later
 * ones are.
 */
export function coveredByRollouts(
  documents: Documents,
  memory: Memory,
): (policy: string, device: string) => boolean {
  const bases = new Map<string, ReadonlySet<string>>();
  const baseOf = (address: string): ReadonlySet<string> => {
    const policy = policyAt(documents, address);
    if (!policy || !isCampaign(policy)) return new Set();
    return memory.covered(address, policyDigest(policy));
  };
  return (address, device) => {
    const base = bases.get(address) ?? baseOf(address);
    bases.set(address, base);
    return base.has(device);
  };
}

/**
 * A want that falls due again by itself (an age, a version that moves with what is approved) is no
 * campaign: covered once, it would never be counted again (semantics G8).
 */
function isCampaign(policy: Policy): boolean {
  if (policy.section === 'firmware') return policy.version.is === 'exact';
  return policy.section === 'rotations' && policy.due.is === 'never';
}

/**
 * The changes of each device, site or whatever `keysOf` names; a change may be in several groups.
 */
export function groupChanges(
  changes: Iterable<CountedChange>,
  keysOf: (change: CountedChange) => readonly string[],
): ReadonlyMap<string, readonly CountedChange[]> {
  const groups = new Map<string, CountedChange[]>();
  for (const change of changes)
    for (const key of keysOf(change)) {
      const group = groups.get(key) ?? [];
      group.push(change);
      groups.set(key, group);
    }
  return groups;
}
