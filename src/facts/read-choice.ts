import type { Instant } from '../lib/time.ts';
import type { Device } from '../model/fleet/device.ts';
import type { Dialect } from '../model/fleet/dialect.ts';
import { toMark } from '../model/fleet/mark.ts';
import { isFirmwareKey, toNeed } from '../model/fleet/need.ts';
import {
  DEVICE_READS,
  type DeviceRead,
  type DeviceTable,
  type Facts,
  type Need,
} from '../model/fleet/snapshot.ts';
import type { Memory } from '../model/ledger/memory.ts';
import { TASKS, type TaskType } from '../model/fleet/task.ts';
import { isBelieved, isFresh, type Believing } from './belief.ts';
import {
  factKey,
  KIND_OF_READ,
  readerDigest,
  targetId,
  type Fact,
  type FactKind,
  type FactValue,
} from './fact.ts';
import { readingList, type ReadingQuota, type Wanted } from './reading-list.ts';
import { toFactValue, toRead } from './fact-values.ts';

/** A read that a policy wants; see `WantedRead` of the planner. */
export interface ReadForPolicy extends Need {
  readonly policy: string;
  readonly due?: Instant;
  readonly differs?: boolean;
  readonly outside?: boolean;
  readonly settled?: boolean;
}

/** What known facts are held against in this run, and what the service is called. */
export interface KnownInput extends Omit<Believing, 'readers' | 'memory'> {
  readonly facts: ReadonlyMap<string, Fact>;
  readonly devices: DeviceTable;
  readonly dialect: Dialect;
  readonly memory: Pick<Memory, 'intentsOf'>;
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

/** What to read, and what stands in for a read. */
export interface ReadingChoice {
  /** In the order of reading; all needs of one key are neighbours. */
  readonly read: readonly Need[];
  /** How many of them decide about something due within a day. */
  readonly due: number;
  /** Whatever a read would decide, within the quota or not. */
  readonly open: readonly Need[];
  /** What this run read of a device, with what is known of it and may be used unread. */
  readonly facts: (deviceId: string, read: Facts) => Facts;
}

/** Holds all facts against the rows of this run (semantics N7, N10). */
export function knownFacts(input: KnownInput): Known {
  const { facts, devices, memory } = input;
  const factFor = believedFacts(input, (deviceId) => {
    const row = facts.size === 0 ? undefined : devices.rowOf(deviceId);
    return row === undefined ? undefined : devices.at(row);
  });
  const recordedOf =
    (device: string, kind: FactKind) =>
    (mark: string): string | undefined =>
      markersIn(memory, device, kind).find((marker) => toMark(device, marker) === mark);
  const readOf = readsOfFacts();
  const reducedVersions = new WeakMap<object, FactValue>();
  const shown = new Map<string, Facts>();
  const showFacts = (deviceId: string): Facts => {
    let known: Facts = {};
    for (const read of DEVICE_READS) {
      const fact = factFor(read, deviceId);
      if (!fact) continue;
      const value = readOf(fact.value, recordedOf(deviceId, fact.kind));
      known = { ...known, [read]: value, knownAt: { ...known.knownAt, [read]: fact.at } };
    }
    return known;
  };
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
    facts(deviceId) {
      const known = shown.get(deviceId) ?? showFacts(deviceId);
      shown.set(deviceId, known);
      return known;
    },
  };
}

/**
 * `toRead`, where versions that many devices share stay one list, by which the planner knows that they are the same.
 */
function readsOfFacts(): typeof toRead {
  const lists = new WeakMap<FactValue, ReturnType<typeof toRead>>();
  return (value, recorded) => {
    if (value.is !== 'versions') return toRead(value, recorded);
    const list = lists.get(value) ?? toRead(value, recorded);
    lists.set(value, list);
    return list;
  };
}

/** The believed fact of a device for a read; each is held against the rows once. */
function believedFacts(
  { facts, dialect, memory, now, maxAge }: KnownInput,
  deviceOf: (deviceId: string) => Device | undefined,
): (read: DeviceRead, deviceId: string) => Fact | undefined {
  const believing: Believing = { now, maxAge, readers: readerDigests(dialect), memory };
  const known = {
    targetFirmware: new Map<string, Fact | undefined>(),
    passwords: new Map<string, Fact | undefined>(),
    certificates: new Map<string, Fact | undefined>(),
  };
  const find = (read: DeviceRead, deviceId: string): Fact | undefined => {
    const device = deviceOf(deviceId);
    if (!device) return undefined;
    const isShared = isFirmwareKey(toNeed(read, device, dialect).key);
    const { vendor = '', model = '', firmwareVersion = '' } = device;
    const id = isShared ? targetId(vendor, model, firmwareVersion) : device.id;
    const fact = facts.get(factKey({ kind: KIND_OF_READ[read], id }));
    return fact && isBelieved(fact, isShared ? undefined : device, believing) ? fact : undefined;
  };
  return (read, deviceId) => {
    const ofRead = known[read];
    const before = ofRead.get(deviceId);
    if (before || ofRead.has(deviceId)) return before;
    const found = find(read, deviceId);
    ofRead.set(deviceId, found);
    return found;
  };
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
  const tasks = (Object.keys(TASKS) as TaskType[]).filter(
    (task) => TASKS[task].credential === kind,
  );
  return tasks.flatMap((task) => memory.intentsOf(device, task).map(({ marker }) => marker));
}

/**
 * Chooses what to read within the quota, and what of the known facts may be used unread (semantics N11, N19). A
 * fact that is not fresh and decides about something due soon may not: without a read it is not known.
 * @param answered keys that a list has answered
 */
export function chooseReads(
  wanted: readonly ReadForPolicy[],
  known: Known,
  {
    answered,
    quota,
    now,
  }: {
    readonly answered: ReadonlySet<string>;
    readonly quota: ReadingQuota;
    readonly now: Instant;
  },
): ReadingChoice {
  const byKey = new Map<string, ReadForPolicy[]>();
  for (const need of wanted) {
    const same = byKey.get(need.key);
    if (same) same.push(need);
    else byKey.set(need.key, [need]);
  }
  const classed = [...byKey].flatMap(([key, all]) =>
    isSettled(all, known, now) ? [] : (classifyKey(key, all, known) ?? []),
  );
  const unanswered = classed.filter(({ key }) => !answered.has(key));
  const list = readingList(unanswered, quota);
  const soon = new Set(
    unanswered.filter(({ kind, at }) => kind !== 'renewal' && at !== 0).map(({ key }) => key),
  );
  const open = new Set(classed.filter(({ kind }) => kind !== 'renewal').map(({ key }) => key));
  const usable = new Map<string, Set<DeviceRead>>();
  for (const { key, read, deviceId } of wanted) {
    if (open.has(key)) continue;
    const reads = usable.get(deviceId) ?? new Set<DeviceRead>();
    usable.set(deviceId, reads.add(read));
  }
  return {
    read: list.flatMap((key) => byKey.get(key) ?? []),
    due: list.filter((key) => soon.has(key)).length,
    open: wanted.filter(({ key }) => open.has(key)),
    facts(deviceId, read) {
      const reads = usable.get(deviceId);
      const unread = [...(reads ?? [])].filter((each) => read[each] === undefined);
      const before = unread.length === 0 ? {} : pickReads(known.facts(deviceId), unread);
      const own = known.reduced(deviceId, read);
      return own === read && Object.keys(own).length === 0 ? before : { ...before, ...own };
    },
  };
}

/** Whether the fact of a key is fresh: most are, and cost no more than this. */
function isSettled([need]: readonly ReadForPolicy[], known: Known, now: Instant): boolean {
  const fact = need && known.factOf(need.read, need.deviceId);
  return fact !== undefined && isFresh(fact, now);
}

/** The class of a key whose fact is not fresh; undefined where what is known is used as it is. */
function classifyKey(key: string, all: readonly ReadForPolicy[], known: Known): Wanted | undefined {
  // What only settles a change is used as it is known.
  const deciding = all.filter((need) => need.settled !== true);
  const [first] = deciding;
  if (!first) return undefined;
  const fact = known.factOf(first.read, first.deviceId);
  const policies = [...new Set(deciding.map(({ policy }) => policy))];
  // Outside a part what is known is used, and neither read nor renewed (semantics N36).
  if (deciding.every((need) => need.outside === true))
    return fact ? undefined : { key, kind: 'left', at: 0, policies };
  const differs = deciding.some((need) => need.differs === true);
  const isCompared = first.differs !== undefined;
  // A comparison reads what can differ and what is due; the rest both commits leave to other plans.
  if (!fact && isCompared && !differs) return { key, kind: 'left', at: 0, policies };
  if (!fact && differs) return { key, kind: 'differs', at: 0, policies };
  if (!fact) return { key, kind: 'new', at: 0, policies };
  const due = deciding.reduce((least, { due: at = Infinity }) => Math.min(least, at), Infinity);
  if (due !== Infinity && differs) return { key, kind: 'differs', at: due, policies };
  return due === Infinity
    ? { key, kind: 'renewal', at: fact.at, policies }
    : { key, kind: 'due', at: due, policies };
}

/** The facts of these reads alone. */
function pickReads(facts: Facts, reads: readonly DeviceRead[]): Facts {
  let chosen: Facts = {};
  for (const read of reads) {
    const at = facts.knownAt?.[read];
    if (facts[read] === undefined || at === undefined) continue;
    chosen = { ...chosen, [read]: facts[read], knownAt: { ...chosen.knownAt, [read]: at } };
  }
  return chosen;
}

/** The age of what is used of the facts of a fleet. */
export interface FactsUsed {
  /** Devices for which a decision rests on a read of an earlier run. */
  readonly used: number;
  /** The oldest of these reads. */
  readonly oldest?: Instant;
}

/** How much of a reading comes from earlier runs, and how old it is. */
export function summarizeFacts(
  devices: DeviceTable,
  facts: (deviceId: string) => Facts,
): FactsUsed {
  let used = 0;
  let oldest = Infinity;
  const { codes, values } = devices.text.id;
  for (let row = 0; row < devices.length; row += 1) {
    const { knownAt } = facts(values[codes[row] ?? 0] ?? '');
    if (!knownAt) continue;
    used += 1;
    for (const at of Object.values(knownAt)) oldest = Math.min(oldest, at);
  }
  return used === 0 ? { used } : { used, oldest };
}
