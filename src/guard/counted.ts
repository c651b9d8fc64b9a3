import { isOfIncident } from '../model/documents/policies.ts';
import type { Change } from '../model/plan/change.ts';
import { COUNTED_WITHIN, type CountedAs, type PendingDevice } from '../model/plan/counting.ts';
import type { IntentState, Memory } from '../model/ledger/memory.ts';
import { policyAt } from '../model/documents/policy-at.ts';
import type { Documents, Policy } from '../model/documents/policy.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import { TASK_OF, type TaskType } from '../model/fleet/task.ts';
import { policyDigest } from '../model/plan/policy-digest.ts';
import type { Reason } from '../model/plan/reason.ts';
import type { Instant } from '../lib/time.ts';

/** What guardrails count: a change of the plan, or a device that counts without one. */
export interface CountedChange {
  readonly task: TaskType;
  readonly policy: string;
  readonly deviceId: string;
  /** The row of a managed device; undefined for a device that is not onboarded yet. */
  readonly row: number | undefined;
  /** IDs of the device's sites. */
  readonly sites: readonly string[];
  /** What it waits for; absent where it may run, or where the plan has no change of it. */
  readonly waits?: Reason;
  readonly cause?: Change['cause'];
  /** Whether the plan has a change of it. */
  readonly isListed: boolean;
}

/** The input of the count besides the changes. */
export interface CountInput {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  readonly memory: Memory;
  readonly changes: Iterable<Change>;
  /** Devices that count without a change; absent: none. */
  readonly pending?: readonly PendingDevice[];
  /** The changes are of a part of the fleet; absent: of the whole. */
  readonly isPart?: boolean;
  readonly now: Instant;
}

/**
 * What guardrails count (semantics G2, N38, N39, N48): the wanted changes of today that no running
 * rollout covers, the devices of today without a change, and for each policy with any of these what
 * its parts have weighed before and what it attempted in the last day.
 */
export function countedChanges(input: CountInput): readonly CountedChange[] {
  const { now } = input;
  const today = [...countable(input)].filter(({ from }) => from < now + COUNTED_WITHIN);
  const counted = today.map((each) => each.counted);
  const policies = new Set(counted.map(({ policy }) => policy));
  const known = new Set(counted.map(entryKey));
  const entryOf = entriesIn(input.snapshot);
  const before = [...policies].flatMap((address) => listEarlier(address, input, entryOf));
  for (const entry of before) {
    if (known.has(entryKey(entry))) continue;
    known.add(entryKey(entry));
    counted.push(entry);
  }
  return counted;
}

type EntryOf = (
  change: Pick<CountedChange, 'task' | 'policy' | 'deviceId' | 'isListed'>,
) => CountedChange;

function entryKey({ policy, task, deviceId }: CountedChange): string {
  return `${policy} ${task}/${deviceId}`;
}

/** A change or device with the instant from the day before which guardrails count it. */
export interface Countable {
  readonly counted: CountedChange;
  readonly as: CountedAs;
  readonly from: Instant;
}

/**
 * The wanted changes that no running rollout covers, and the devices that count without a change:
 * due on a later day, or not read yet (semantics N48, N49).
 */
export function* countable(input: CountInput): Generator<Countable> {
  const { documents, memory, snapshot, now, pending = [] } = input;
  const entryOf = entriesIn(snapshot);
  const isCovered = coveredByRollouts(documents, memory);
  for (const change of input.changes) {
    const { task, action, device, policy, countedFrom, countedAs: as = 'full' } = change;
    if (action !== 'run' && action !== 'wait') continue;
    if (isOfIncident(policy) || isCovered(policy, device.id)) continue;
    const { cause, reason } = change;
    const entry = entryOf({ task, policy, deviceId: device.id, isListed: true });
    const counted = { ...entry, cause, ...(action === 'wait' && { waits: reason }) };
    yield { counted, as, from: countedFrom ?? now };
  }
  for (const { task, policy, deviceId, as, from } of pending)
    if (!isOfIncident(policy) && !isCovered(policy, deviceId))
      yield { counted: entryOf({ task, policy, deviceId, isListed: false }), as, from };
}

/** What counts of a policy beside what this plan moves: nothing passes in portions. */
function listEarlier(
  address: string,
  { documents, memory, now, isPart = false }: CountInput,
  entryOf: EntryOf,
): readonly CountedChange[] {
  const policy = policyAt(documents, address);
  if (!policy) return [];
  const { task } = policy;
  const inParts = memory.weighedInParts(address, policyDigest(policy));
  const isByDay = countedAs(policy) === 'ownDay' || (isPart && policy.rollout === undefined);
  const lately = isByDay ? attemptedLately(policy, memory, now) : [];
  return [...new Set([...inParts, ...lately])].map((deviceId) =>
    entryOf({ task, policy: address, deviceId, isListed: false }),
  );
}

/** How a policy counts what it does of its own accord (semantics N48). */
function countedAs(policy: Policy): CountedAs {
  if (policy.section !== 'rotations' || policy.due.is === 'never') return 'full';
  return policy.due.spread === 0 ? 'full' : 'ownDay';
}

/**
 * Devices that a policy attempted on their own day within the last 24 hours (semantics N48): without
 * them, a mistyped age would pass in portions as its devices are read.
 */
function attemptedLately(
  { address, task }: Policy,
  memory: Memory,
  now: Instant,
): readonly string[] {
  const devices: string[] = [];
  for (const intent of memory.intents.values())
    if (intent.policy === address && intent.task === task && intent.attempts > 0)
      if (intent.attemptedAt > now - COUNTED_WITHIN && !isRaised(intent, memory))
        devices.push(intent.device);
  return devices;
}

/** A raised generation requested it: its first rotation of that generation counts in full. */
function isRaised({ device, task, generation, id }: IntentState, memory: Memory): boolean {
  if (generation <= 1) return false;
  const [first] = memory.intentsOf(device, task).filter((one) => one.generation >= generation);
  return first?.id === id;
}

/** Builds entries of devices, with their rows and sites. */
function entriesIn(snapshot: Snapshot): EntryOf {
  const siteOfDiscovered = new Map(snapshot.discovered.map(({ id, site }) => [id, site?.id]));
  return (change) => {
    const { task, deviceId } = change;
    const row = task === TASK_OF.onboarding ? undefined : snapshot.devices.rowOf(deviceId);
    const site = siteOfDiscovered.get(deviceId);
    const sites = row === undefined ? [site ?? []].flat() : siteIds(snapshot, row);
    return { ...change, row, sites };
  };
}

function siteIds({ devices: { sites } }: Snapshot, row: number): readonly string[] {
  return (sites.values[sites.codes[row] ?? 0] ?? []).map(({ id }) => id);
}

/**
 * The changes that a running rollout covers: from its ROLLOUT record on, the devices that were
 * weighed with it no longer count (semantics N38). Devices weighed later do.
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
