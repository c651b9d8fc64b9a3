import { isOfIncident, policyAt } from '../model/documents/policies.ts';
import { type Change, isWanted } from '../model/plan/change.ts';
import { type MaybeColumns, rowsIn } from '../model/plan/change-rows.ts';
import { COUNTED_WITHIN, type CountedAs, type PendingDevice } from '../model/plan/counting.ts';
import type { IntentState, Memory } from '../model/ledger/memory.ts';
import type { Documents, Policy } from '../model/documents/policy.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import { TASK_OF, type TaskType } from '../model/fleet/task.ts';
import { targetDigestIn } from '../model/plan/policy-digest.ts';
import type { Instant } from '../lib/time.ts';
import { computeOnce } from '../lib/compute-once.ts';

/** What guardrails count: a change of the plan, or a device that counts without one. */
export interface CountedChange {
  readonly task: TaskType;
  readonly policy: string;
  readonly deviceId: string;
  /** The row of a managed device; undefined for a device that is not onboarded yet. */
  readonly row: number | undefined;
  /** IDs of the device's sites. */
  readonly sites: readonly string[];
  /** A change of its kind; absent where the plan has none of it. */
  readonly change?: Change;
  /** A run of another part has counted it (semantics N39). */
  readonly isOfPart?: true;
}

/** The input of the count besides the changes. */
export interface CountInput {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  readonly memory: Memory;
  readonly changes: MaybeColumns;
  /** Devices that count without a change; absent: none. */
  readonly pending?: readonly PendingDevice[];
  readonly now: Instant;
}

/**
 * What guardrails count (semantics G2, N38, N39, N48): the wanted changes of today that no running
 * rollout covers, the devices of today without a change, what parts of the same policies have
 * weighed before, and what tasks of the same kinds have touched in the last day. A device counts
 * once for each task.
 */
export function countedChanges(input: CountInput): readonly CountedChange[] {
  const { now } = input;
  const counted: CountedChange[] = [...countable(input, ({ from }) => from < now + COUNTED_WITHIN)];
  const policies = new Set(counted.map(({ policy }) => policy));
  const tasks = new Set(counted.map(({ task }) => task));
  const placeOf = placesIn(input.snapshot);
  const inParts = [...policies].flatMap((address) => weighedInParts(address, input));
  const ofParts = inParts.map((each) => ({ ...each, isOfPart: true as const }));
  const earlier = [...ofParts, ...attemptedLately(tasks, input)];
  const known = new Set((earlier.length > 0 ? counted : []).map(entryKey));
  for (const each of earlier) {
    if (known.has(entryKey(each))) continue;
    known.add(entryKey(each));
    counted.push({ ...each, ...placeOf(each) });
  }
  return counted;
}

function entryKey({ task, deviceId }: Earlier): string {
  return `${task}/${deviceId}`;
}

/** A change or device with the instant from the day before which guardrails count it. */
export interface Countable extends CountedChange, Counting {}

interface Counting {
  readonly as: CountedAs;
  readonly from: Instant;
}

/**
 * The wanted changes that no running rollout covers, and the devices that count without a change:
 * due on a later day, or not read yet (semantics N48, N49).
 */
export function* countable(
  input: CountInput,
  isMeant: (counting: Counting) => boolean,
): Generator<Countable> {
  const { documents, memory, snapshot, now, pending = [] } = input;
  const placeOf = placesIn(snapshot);
  const coveredBy = coveredByRollouts(documents, memory);
  for (const row of rowsIn(input.changes)) {
    const change = row.like;
    const { task, policy, countedAs: as = 'full' } = change;
    const { deviceId, countedFrom: from = now } = row;
    if (!isWanted(change) || isOfIncident(policy) || !isMeant({ as, from })) continue;
    if (coveredBy(policy).has(deviceId)) continue;
    const { row: place, sites } = placeOf({ task, deviceId });
    yield { task, policy, deviceId, row: place, sites, change, as, from };
  }
  for (const { task, policy, deviceId, as, from } of pending)
    if (!isOfIncident(policy) && isMeant({ as, from }) && !coveredBy(policy).has(deviceId))
      yield { task, policy, deviceId, ...placeOf({ task, deviceId }), as, from };
}

type Earlier = Pick<CountedChange, 'task' | 'policy' | 'deviceId'>;

/** What runs of parts have weighed for the target of a policy: parts add up (semantics N39). */
function weighedInParts(
  address: string,
  { documents, memory }: Pick<CountInput, 'documents' | 'memory'>,
): readonly Earlier[] {
  const policy = policyAt(documents, address);
  if (!policy) return [];
  const { task } = policy;
  const inParts = memory.weighedInParts(address, targetDigestIn(memory, policy));
  return [...inParts].map((deviceId) => ({ task, policy: address, deviceId }));
}

/**
 * Devices that a task of these kinds was attempted on in the last 24 hours, whatever policy, target
 * or generation asked for it (semantics N48): else nothing would be summed up over portions, each
 * with a raised generation, another version or a renamed policy. Left out is what the documents still
 * ask for and guardrails have weighed in full: what a running rollout covers, and a generation
 * that is still the current one. Incidents count by their own limit alone (semantics N60).
 */
function attemptedLately(
  tasks: ReadonlySet<TaskType>,
  { documents, memory, now }: CountInput,
): readonly Earlier[] {
  const coveredBy = coveredByRollouts(documents, memory);
  const devices: Earlier[] = [];
  for (const intent of memory.intents.values()) {
    const { task, policy, device, attempts, attemptedAt } = intent;
    if (!tasks.has(task) || attempts === 0 || attemptedAt <= now - COUNTED_WITHIN) continue;
    if (isOfIncident(policy) || coveredBy(policy).has(device)) continue;
    if (isRaised(intent, memory) && isCurrent(intent, documents)) continue;
    devices.push({ task, policy, deviceId: device });
  }
  return devices;
}

/** A raised generation requested it: its first rotation of that generation counts in full. */
function isRaised({ device, task, generation, id }: IntentState, memory: Memory): boolean {
  if (generation <= 1) return false;
  const [first] = memory.intentsOf(device, task).filter((one) => one.generation >= generation);
  return first?.id === id;
}

/** Whether the documents still ask for the generation that an intent was of. */
function isCurrent({ policy, generation }: IntentState, documents: Documents): boolean {
  const entry = policyAt(documents, policy);
  return entry?.section === 'rotations' && entry.generation === generation;
}

/** Finds the rows and sites of devices. */
function placesIn({ devices, discovered }: Snapshot) {
  const siteOfDiscovered = new Map(discovered.map(({ id, site }) => [id, site?.id]));
  const { values, codes } = devices.sites;
  const siteIds = values.map((sites) => sites.map(({ id }) => id));
  return ({
    task,
    deviceId,
  }: Pick<CountedChange, 'task' | 'deviceId'>): Pick<CountedChange, 'row' | 'sites'> => {
    const row = task === TASK_OF.onboarding ? undefined : devices.rowOf(deviceId);
    const sites =
      row === undefined
        ? [siteOfDiscovered.get(deviceId) ?? []].flat()
        : (siteIds[codes[row] ?? 0] ?? []);
    return { row, sites };
  };
}

/**
 * The devices that the running rollout of a policy covers: from its ROLLOUT record on, the devices that were
 * weighed with it no longer count (semantics N38). Devices weighed later do.
 */
export function coveredByRollouts(
  documents: Documents,
  memory: Memory,
): (policy: string) => ReadonlySet<string> {
  return computeOnce((address) => {
    const policy = policyAt(documents, address);
    if (!policy || !isCampaign(policy)) return new Set<string>();
    return memory.covered(address, targetDigestIn(memory, policy));
  });
}

/**
 * Whether a policy is a campaign with an end. A policy whose work recurs (by age, or by a version
 * that follows approvals) is none: covered once, it would never be counted again (semantics G8).
 */
function isCampaign(policy: Policy): boolean {
  if (policy.section === 'firmware') return policy.version.is === 'exact';
  return policy.section === 'rotations' && policy.due.is === 'never';
}
