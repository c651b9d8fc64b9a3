import type { Instant } from '../lib/time.ts';
import { groupBy } from '../lib/group-by.ts';
import { getOrAdd } from '../lib/maps.ts';
import {
  DEVICE_READS,
  type DeviceRead,
  type DeviceTable,
  type Facts,
  type Need,
} from '../model/fleet/snapshot.ts';
import { isFresh, isTriedAgain } from './belief.ts';
import { factKey, type Fact } from './fact.ts';
import { NO_FACTS, type Known } from './known-facts.ts';
import { readingList, type ReadingClass, type ReadingQuota, type Wanted } from './reading-list.ts';

/** A read that a policy wants; see `WantedRead` of the planner. */
export interface ReadForPolicy extends Need {
  readonly policy: string;
  due(): Instant | undefined;
  readonly differs?: boolean;
  readonly outside?: boolean;
  readonly settled?: boolean;
  readonly again?: boolean;
}

/** What to read, and the known values used instead of a read. */
export interface ReadingChoice {
  /** In the order of reading; all needs of one key are neighbours. */
  readonly read: readonly Need[];
  /** How many of them decide about something due within a day. */
  readonly due: number;
  /** Whatever a read would decide, within the quota or not. */
  readonly open: readonly Need[];
  /** Whatever failed and is tried again; until it is read, the failure is known. */
  readonly again: readonly Need[];
  /** What this run read of a device, with what is known of it and may be used unread. */
  readonly facts: (deviceId: string, read: Facts) => Facts;
}

interface Chosen {
  /** Keys that a list has answered. */
  readonly answered: ReadonlySet<string>;
  readonly quota: ReadingQuota;
}

/**
 * Chooses what to read within the quota, and what of the known facts may be used unread (semantics N11, N19). A
 * fact that is not fresh and decides about something due soon may not: without a read it is not known. Several choices
 * may be made while nothing more is read: what a read decides is found once for all of them.
 * @param made what this run has read, which it does not try again
 */
export function openChoice(
  wanted: readonly ReadForPolicy[],
  known: Known,
  {
    now,
    made = NOTHING_MADE,
  }: { readonly now: Instant; readonly made?: ReadonlyMap<string, Fact> },
): (chosen: Chosen) => ReadingChoice {
  const byKey = groupBy(wanted, ({ key }) => key);
  const isRetried = (fact: Fact, again: boolean): boolean =>
    (isTriedAgain(fact, now) || (again && fact.value.is === 'problem')) && !made.has(factKey(fact));
  const classed = [...byKey].flatMap(([key, all]) =>
    isSettled(all, known, { now, isRetried }) ? [] : (classifyKey(key, all, known) ?? []),
  );
  const open = new Set(classed.filter(({ kind }) => !KNOWN.has(kind)).map(({ key }) => key));
  const again = new Set(classed.filter(({ kind }) => kind === 'retry').map(({ key }) => key));
  const usable = usableFacts(
    wanted.filter(({ key }) => !open.has(key)),
    known,
  );
  const about = {
    open: wanted.filter(({ key }) => open.has(key)),
    again: wanted.filter(({ key }) => again.has(key)),
    facts: factsWith(usable, known),
  };
  return ({ answered, quota }) => {
    const unanswered = classed.filter(({ key }) => !answered.has(key));
    const list = readingList(unanswered, quota);
    const soon = new Set(
      unanswered.filter(({ kind, at }) => !KNOWN.has(kind) && at !== 0).map(({ key }) => key),
    );
    return {
      ...about,
      read: list.flatMap((key) => byKey.get(key) ?? []),
      due: list.filter((key) => soon.has(key)).length,
    };
  };
}

/** What is known of these is used until it is read again. */
const KNOWN: ReadonlySet<ReadingClass> = new Set(['renewal', 'retry', 'contradicted']);

const NOTHING_MADE: ReadonlyMap<string, Fact> = new Map();

/** A function of its own, since what it returns lives on when the wanted reads are done with. */
function factsWith(usable: ReturnType<typeof usableFacts>, known: Known): ReadingChoice['facts'] {
  return (deviceId, read) => {
    const before = usable(deviceId, read);
    const own = known.reduced(deviceId, read);
    if (before === NO_FACTS) return own;
    return own === read && Object.keys(own).length === 0 ? before : { ...before, ...own };
  };
}

/**
 * What is known of a device for the reads that may do without a request, but for those that were made. Devices that
 * share what is known share the result.
 */
function usableFacts(
  wanted: readonly Need[],
  known: Known,
): (deviceId: string, made: Facts) => Facts {
  /** The reads of a device as the sum of their bits. */
  const usable = new Map<string, number>();
  for (const { read, deviceId } of wanted)
    usable.set(deviceId, (usable.get(deviceId) ?? 0) | (1 << DEVICE_READS.indexOf(read)));
  const picked = new Map<number, WeakMap<Facts, Facts>>();
  return (deviceId, made) => {
    let bits = usable.get(deviceId) ?? 0;
    for (const [at, read] of DEVICE_READS.entries())
      if (made[read] !== undefined) bits &= ~(1 << at);
    if (bits === 0) return NO_FACTS;
    const facts = known.facts(deviceId);
    if (DEVICE_READS.every((read, at) => facts[read] === undefined || (bits & (1 << at)) !== 0))
      return facts;
    const ofBits = getOrAdd(picked, bits, () => new WeakMap<Facts, Facts>());
    const reads = DEVICE_READS.filter((_, at) => (bits & (1 << at)) !== 0);
    return getOrAdd(ofBits, facts, () => pickReads(facts, reads));
  };
}

/** Whether the fact of a key is fresh: most are, and cost no more than this. */
function isSettled(
  all: readonly ReadForPolicy[],
  known: Known,
  {
    now,
    isRetried,
  }: {
    readonly now: Instant;
    readonly isRetried: (fact: Fact, again: boolean) => boolean;
  },
): boolean {
  const [need] = all;
  const fact = need && known.factOf(need.read, need.deviceId);
  if (fact === undefined || !isFresh(fact, now)) return false;
  return !isRetried(
    fact,
    all.some((each) => each.again === true),
  );
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
  // A fact that is not settled and gave no value is one that is tried again.
  if (fact.value.is === 'problem') return { key, kind: 'retry', at: fact.at, policies };
  if (fact.contradicts) return { key, kind: 'contradicted', at: fact.at, policies };
  const due = deciding.reduce((least, need) => Math.min(least, need.due() ?? Infinity), Infinity);
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
  /** Devices with a decision based on a read of an earlier run. */
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
  for (let row = 0; row < devices.length; row += 1) {
    const { knownAt } = facts(devices.idAt(row));
    if (!knownAt) continue;
    used += 1;
    for (const at of Object.values(knownAt)) oldest = Math.min(oldest, at);
  }
  return used === 0 ? { used } : { used, oldest };
}
