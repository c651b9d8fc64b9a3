import { getOrAdd } from '../lib/maps.ts';
import type { Dialect } from '../model/fleet/dialect.ts';
import { toMark } from '../model/fleet/mark.ts';
import { tableNeeds } from '../model/fleet/need.ts';
import {
  DEVICE_READS,
  type DeviceRead,
  type DeviceTable,
  type Facts,
} from '../model/fleet/snapshot.ts';
import type { Memory } from '../model/ledger/memory.ts';
import { tasksReplacing } from '../model/fleet/task.ts';
import { believe, type Believing } from './belief.ts';
import {
  factKey,
  KIND_OF_READ,
  readerDigest,
  targetId,
  type Fact,
  type FactKind,
  type FactValue,
} from './fact.ts';
import { toFactValue, toRead } from './fact-values.ts';

/** What known facts are held against in this run, and what the service is called. */
export interface KnownInput extends Omit<Believing, 'readers' | 'memory'> {
  readonly facts: ReadonlyMap<string, Fact>;
  readonly devices: DeviceTable;
  readonly dialect: Dialect;
  readonly memory: Believing['memory'];
}

/** The believed facts of a fleet. */
export interface Known {
  /** What is believed of a device, as if it had been read, with the instants of the reading. */
  facts(deviceId: string): Facts;
  /** A read of this run, reduced like a fact: what is read and what is known give equal plans (semantics N24). */
  reduced(deviceId: string, read: Facts): Facts;
  /** The believed fact that answers a read of a device; undefined where there is none. */
  factOf(read: DeviceRead, deviceId: string): Fact | undefined;
}

/** Holds all facts against the rows of this run (semantics N7, N10). */
export function knownFacts(input: KnownInput): Known {
  const { memory } = input;
  const factFor = believedFacts(input);
  const recordedOf =
    (device: string, kind: FactKind) =>
    (mark: string): string | undefined =>
      markersIn(memory, device, kind).find((marker) => toMark(device, marker) === mark);
  const readOf = readsOfFacts();
  const reducedVersions = new WeakMap<object, FactValue>();
  const showFacts = factsShower(factFor, (fact, deviceId) =>
    readOf(fact.value, recordedOf(deviceId, fact.kind)),
  );
  return {
    reduced(deviceId, read) {
      let reduced = read;
      for (const each of DEVICE_READS) {
        const made = read[each];
        if (made === undefined) continue;
        const isShared = Array.isArray(made);
        const value = (isShared && reducedVersions.get(made)) || toFactValue(deviceId, made);
        if (!value) continue;
        if (isShared) reducedVersions.set(made, value);
        const recorded = recordedOf(deviceId, KIND_OF_READ[each]);
        reduced = { ...reduced, [each]: readOf(value, recorded) };
      }
      return reduced;
    },
    factOf: factFor,
    facts: showFacts,
  };
}

/** Devices that share the versions they may have, and of which nothing else is known, share their facts. */
function factsShower(
  factFor: Known['factOf'],
  readOf: (fact: Fact, deviceId: string) => ReturnType<typeof toRead>,
): (deviceId: string) => Facts {
  const ofModels = new Map<Fact, Facts>();
  const ofDevices = new Map<string, Facts>();
  return (deviceId) => {
    const before = ofDevices.get(deviceId);
    if (before) return before;
    let known: Facts = NO_FACTS;
    let isOwn = false;
    for (const read of DEVICE_READS) {
      const fact = factFor(read, deviceId);
      if (!fact) continue;
      const isFirst = known === NO_FACTS;
      isOwn ||= !isFirst || fact.value.is !== 'versions';
      known = (isFirst ? ofModels.get(fact) : undefined) ?? {
        ...known,
        [read]: readOf(fact, deviceId),
        knownAt: { ...known.knownAt, [read]: fact.at },
      };
      if (isFirst && fact.value.is === 'versions') ofModels.set(fact, known);
    }
    if (isOwn) ofDevices.set(deviceId, known);
    return known;
  };
}

/**
 * `toRead`, where versions that many devices share stay one list, by which the planner knows that they are the same.
 */
function readsOfFacts(): typeof toRead {
  const lists = new WeakMap<FactValue, ReturnType<typeof toRead>>();
  return (value, recorded) => {
    if (value.is !== 'versions') return toRead(value, recorded);
    return getOrAdd(lists, value, () => toRead(value, recorded));
  };
}

/** The believed fact of a device for a read; each is held against the rows once. */
function believedFacts({
  facts,
  devices,
  dialect,
  memory,
  now,
  maxAge,
}: KnownInput): (read: DeviceRead, deviceId: string) => Fact | undefined {
  const believing: Believing = { now, maxAge, readers: readerDigests(dialect), memory };
  const { sharedAt } = tableNeeds(devices, dialect);
  const ofModels: (Fact | 'none')[] = [];
  const ofDevices = new Map<Fact, Fact | 'none'>();
  let byKind: ReturnType<typeof indexByKind> | undefined;
  const findShared = (row: number): Fact | undefined => {
    const { vendor = '', model = '', firmwareVersion = '' } = devices.at(row);
    const id = targetId(vendor, model, firmwareVersion);
    const fact = facts.get(factKey({ kind: KIND_OF_READ.targetFirmware, id }));
    return fact && believe(fact, undefined, believing);
  };
  return (read, deviceId) => {
    const row = facts.size === 0 ? undefined : devices.rowOf(deviceId);
    if (row === undefined) return undefined;
    const shared = read === 'targetFirmware' ? sharedAt(row) : undefined;
    if (shared !== undefined) {
      const found = (ofModels[shared] ??= findShared(row) ?? 'none');
      return found === 'none' ? undefined : found;
    }
    byKind ??= indexByKind(facts.values());
    const fact = byKind[KIND_OF_READ[read]].get(deviceId);
    if (!fact) return undefined;
    const believed = ofDevices.get(fact) ?? believe(fact, devices.at(row), believing) ?? 'none';
    ofDevices.set(fact, believed);
    return believed === 'none' ? undefined : believed;
  };
}

/** The facts of each kind by their ID, since each device asks for its own several times. */
function indexByKind(facts: Iterable<Fact>): Readonly<Record<FactKind, ReadonlyMap<string, Fact>>> {
  const byKind = {
    password: new Map<string, Fact>(),
    certificate: new Map<string, Fact>(),
    target: new Map<string, Fact>(),
  };
  for (const fact of facts) byKind[fact.kind].set(fact.id, fact);
  return byKind;
}

/** The readers of this run, one for each kind. */
export function readerDigests(dialect: Dialect): Readonly<Record<FactKind, string>> {
  return {
    password: readerDigest('password', dialect),
    certificate: readerDigest('certificate', dialect),
    target: readerDigest('target', dialect),
  };
}

function markersIn(
  memory: Pick<Memory, 'intentsOf'>,
  device: string,
  kind: FactKind,
): readonly string[] {
  return tasksReplacing(kind).flatMap((task) =>
    memory.intentsOf(device, task).map(({ marker }) => marker),
  );
}

/** Nothing is known of a device. */
export const NO_FACTS: Facts = {};
