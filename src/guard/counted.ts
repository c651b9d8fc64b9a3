import { isWanted, type Change } from '../model/plan/change.ts';
import { isOfIncident } from '../model/documents/policies.ts';
import { locateValue } from '../model/documents/source.ts';
import type { GuardrailVerdict } from '../model/plan/plan.ts';
import type { Instant } from '../lib/time.ts';
import type { Memory } from '../model/ledger/memory.ts';
import { policyAt } from '../model/documents/policy-at.ts';
import type { Documents, Policy } from '../model/documents/policy.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import { TASK_OF, type TaskType } from '../model/fleet/task.ts';
import { policyDigest } from '../model/plan/policy-digest.ts';

/** A change that guardrails count. */
export interface CountedChange {
  readonly task: TaskType;
  readonly deviceId: string;
  /** The row of a managed device; undefined for a device that is not onboarded yet. */
  readonly row: number | undefined;
  /** IDs of the device's sites. */
  readonly sites: readonly string[];
}

/** The input of the count besides the changes. */
export interface CountInput {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  readonly memory: Memory;
  readonly changes: Iterable<Change>;
}

/** The `run` and `wait` changes that no running rollout covers yet (semantics G2). */
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
    if (isOfIncident(policy) || isCovered(policy, device.id)) continue;
    const row = task === TASK_OF.onboarding ? undefined : snapshot.devices.rowOf(device.id);
    const site = siteOfDiscovered.get(device.id);
    const sites = row === undefined ? [site ?? []].flat() : siteIds(snapshot, row);
    counted.push({ task, deviceId: device.id, row, sites });
  }
  return counted;
}

/**
 * The verdict on each incident that has not ended: its `run` and `wait` changes are at most
 * `expect`. No other limit counts them (semantics N60).
 */
export function expectedOf({
  documents,
  changes,
  now,
}: Pick<CountInput, 'documents' | 'changes'> & {
  readonly now: Instant;
}): readonly GuardrailVerdict[] {
  const incidents = [...documents.incidents.values()].filter(
    ({ value }) => value.incident.until > now,
  );
  const left = new Map(incidents.map(({ value }) => [value.address, 0]));
  if (left.size === 0) return [];
  for (const change of changes) {
    const number = left.get(change.policy);
    if (number !== undefined && isWanted(change)) left.set(change.policy, number + 1);
  }
  return incidents.map((entry) => {
    const { address, incident } = entry.value;
    const number = left.get(address) ?? 0;
    const allowed = incident.expect;
    const at = locateValue(entry, '/expect');
    const verdict = {
      guardrail: address,
      limit: 'expect',
      value: allowed,
      number,
      allowed,
    } as const;
    return { ...verdict, passed: number <= allowed, at };
  });
}

function siteIds({ devices: { sites } }: Snapshot, row: number): readonly string[] {
  return (sites.values[sites.codes[row] ?? 0] ?? []).map(({ id }) => id);
}

/**
 * The changes that a running rollout covers: from its ROLLOUT record on, the devices in its base no
 * longer count. Devices added later do.
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
 * Whether a policy is a campaign with an end. A policy whose work recurs (by age, or by a version
 * that follows approvals) is none: covered once, it would never be counted again (semantics G8).
 */
function isCampaign(policy: Policy): boolean {
  if (policy.section === 'firmware') return policy.version.is === 'exact';
  return policy.section === 'rotations' && policy.due.is === 'never';
}

/**
 * The changes of each device, site or other key from `keysOf`; a change may belong to several
 * groups.
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
