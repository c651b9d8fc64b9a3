import { stableHash } from '../lib/stable-hash.ts';
import { compareTexts } from '../lib/text-order.ts';
import { DAY, type Instant, type Milliseconds } from '../lib/time.ts';
import { addTo } from '../lib/maps.ts';

/**
 * Why a key is read: two commits that are compared may decide otherwise on it, a read contradicts what was stored of
 * it, it decides about something due soon, no run has read it yet, its fact is only to be renewed, or the last read
 * failed (semantics N8, N19, N27, M25). `left`: it is not read.
 */
export type ReadingClass =
  'differs' | 'contradicted' | 'due' | 'new' | 'renewal' | 'retry' | 'left';

/** One single read that would help. */
export interface Wanted {
  readonly key: string;
  readonly kind: ReadingClass;
  /** The own day of what is due, or the instant of the fact to be renewed or tried again; 0 for what is new. */
  readonly at: Instant;
  /** The policies that want it. */
  readonly policies: readonly string[];
}

/** How many single reads a run may make, and of which classes. */
export interface ReadingQuota {
  readonly most: number;
  /** At most so many of them renew what is known. */
  readonly renewals: number;
  /** At least this share of all belongs to what is new or to be renewed. */
  readonly reserved: number;
}

/**
 * The keys to read, in order (semantics N19): what is contradicted, then what is due, then what is new, then the oldest, then what failed.
 * Within a class the policies take turns, so that a large one does not keep a small one waiting. What one class
 * leaves, the next one takes.
 */
export function readingList(wanted: readonly Wanted[], quota: ReadingQuota): readonly string[] {
  const due = roundRobin(wanted.filter(({ kind }) => kind === 'due'));
  const fresh = roundRobin(wanted.filter(({ kind }) => kind === 'new'));
  const renewals = roundRobin(wanted.filter(({ kind }) => kind === 'renewal')).slice(
    0,
    quota.renewals,
  );
  const again = roundRobin(wanted.filter(({ kind }) => kind === 'retry'));
  const others = fresh.length + renewals.length;
  const reserved = Math.min(others, Math.ceil(quota.most * quota.reserved));
  const first = roundRobin(wanted.filter(({ kind }) => kind === 'differs'));
  const contradicted = roundRobin(wanted.filter(({ kind }) => kind === 'contradicted'));
  const soon = [...first, ...contradicted, ...due].slice(0, Math.max(0, quota.most - reserved));
  return [...soon, ...fresh, ...renewals, ...again].slice(0, quota.most);
}

/**
 * How many facts a run of apply renews (semantics N21): all of them once in half the greatest age, however often
 * it runs.
 * @param known how many keys the policies want
 * @param since the time since the newest fact
 */
export function countRenewals(known: number, since: Milliseconds, maxAge: Milliseconds): number {
  if (maxAge <= 0) return 0;
  return Math.ceil(known * Math.min(1, Math.max(0, since) / (maxAge / 2)));
}

/**
 * Whether facts grow too old before a round of renewal comes to them (semantics N23): a round takes half of the
 * greatest age, or as long as reading all of them once takes.
 * @param wanted how many values the policies want
 * @param perDay how many single reads the runs of a day make
 */
export function isTooSlow(wanted: number, perDay: number, maxAge: Milliseconds): boolean {
  if (perDay <= 0) return wanted > 0;
  return (wanted / perDay) * DAY > ROUND * maxAge;
}

/** A round of renewal may take this share of the greatest age. */
const ROUND = 0.75;

/** One key of each policy in turn; a key that several policies want is taken once and counts for each. */
function roundRobin(wanted: readonly Wanted[]): readonly string[] {
  const queues = queueByPolicy(wanted);
  const taken = new Set<string>();
  for (let isLeft = true; isLeft;) {
    isLeft = false;
    for (const queue of queues) {
      let next = queue.keys[queue.position];
      while (next !== undefined && taken.has(next)) next = queue.keys[++queue.position];
      if (next === undefined) continue;
      taken.add(next);
      queue.position += 1;
      isLeft = true;
    }
  }
  return [...taken];
}

interface Queue {
  readonly keys: readonly string[];
  position: number;
}

/** Each policy with its keys: the earliest first, and of one instant in an order that favours no device. */
function queueByPolicy(wanted: readonly Wanted[]): readonly Queue[] {
  const byPolicy = new Map<string, Wanted[]>();
  for (const each of wanted)
    for (const policy of each.policies) {
      addTo(byPolicy, policy, each);
    }
  return [...byPolicy]
    .toSorted(([a], [b]) => compareTexts(a, b))
    .map(([policy, all]) => {
      const keyed = all.map(({ key, at }) => ({ key, at, hash: stableHash(policy, key) }));
      keyed.sort((a, b) => a.at - b.at || a.hash - b.hash || compareTexts(a.key, b.key));
      return { keys: keyed.map(({ key }) => key), position: 0 };
    });
}
