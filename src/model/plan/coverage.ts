import type { CoverageRecord, CoverageTerms } from '../ledger/coverage.ts';
import type { DeviceTable } from '../fleet/snapshot.ts';
import { TASK_TYPES, type TaskType } from '../fleet/task.ts';
import { sumCounts } from '../../lib/group-by.ts';
import { computeOnce } from '../../lib/compute-once.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';

/** Changes that an exception leaves out or acknowledges, and its end. */
export interface ExceptedCount {
  readonly exception: string;
  readonly count: number;
  readonly until: string;
}

/** What a plan covers, so that an all-clear says what it is about (semantics M30). */
export interface Coverage extends Omit<CoverageTerms, 'anew'> {
  /** The most devices of each site in any record of the last 30 days; absent: not compared yet. */
  readonly known?: CoverageTerms['seen'];
  /** Known devices that were not returned, summed over the sites; absent: not compared yet. */
  readonly gone?: number;
  /** Devices that a policy selects, and those of them that match in all that it asks for. */
  readonly selected: number;
  readonly matching: number;
  /** The selected devices by the values that decide about them: each is in one of these. */
  readonly read: number;
  readonly believed: number;
  readonly unread: number;
  readonly unreadable: number;
  /** How many devices with a value that an earlier run read match; absent: all of them. */
  readonly matchingBelieved?: number;
  /** When the oldest value was read that an earlier run read. */
  readonly oldest?: string;
  /** Policies that select no device now, though the ledger has attempts of theirs; absent: none. */
  readonly idle?: readonly string[];
  readonly acknowledged: readonly ExceptedCount[];
  readonly excluded: readonly ExceptedCount[];
  /** Changes that are left out since the service does not offer their task, by task. */
  readonly notOffered: Readonly<Record<string, number>>;
  /** The first start of what is not due yet, or excluded, as its windows and freezes allow it. */
  readonly due?: { readonly policy: string; readonly at: string; readonly zone?: string };
}

/** For how long a record says which devices are known. */
export const KNOWN_FOR: Milliseconds = 30 * 86_400_000;

/** The place of devices without a site. */
const NO_SITE = '-';

/** What a reading shows of the fleet as a whole. */
export type Sighted = Pick<Coverage, 'seen' | 'offered' | 'known' | 'gone'>;

type Rows = Pick<DeviceTable, 'length' | 'sites' | 'traits' | 'at'>;

/** The devices of a reading by site and by task offered, against what the ledger knows (semantics M30). */
export function compareWithKnown(
  devices: Rows,
  records: readonly CoverageRecord[] | undefined,
  now: Instant,
): Sighted {
  const counted = countOnce(devices);
  const recent = recentRecords(records, now);
  if (recent.length === 0) return counted;
  const { seen } = counted;
  const known: Record<string, number> = {};
  for (const record of recent)
    for (const [site, count] of Object.entries(record.seen))
      known[site] = Math.max(known[site] ?? 0, count);
  return { ...counted, known: inOrder(known), gone: countMissing(known, seen) };
}

/** How many devices are not returned, summed over the sites. */
export function countMissing(known: CoverageTerms['seen'], seen: CoverageTerms['seen']): number {
  const missing = Object.entries(known).map(([site, count]) => count - (seen[site] ?? 0));
  return missing.reduce((sum, count) => sum + Math.max(0, count), 0);
}

/** The records that say which devices are known. */
export function recentRecords(
  records: readonly CoverageRecord[] = [],
  now: Instant,
): readonly CoverageRecord[] {
  return records.filter(({ at }) => at > now - KNOWN_FOR);
}

/** A run judges one reading before each of its attempts. */
const countOnce = computeOnce((devices: Rows) => ({
  seen: countSites(devices),
  offered: countOffered(devices),
}));

/** The numbers of a coverage, in the order in which they are shown. */
export const COVERAGE_COUNTS = [
  'known',
  'seen',
  'gone',
  'selected',
  'matching',
  'read',
  'believed',
  'unread',
  'unreadable',
  'person',
  'acknowledged',
  'excluded',
] as const;

/** A coverage as numbers alone; what was not compared yet is undefined. */
export function countCoverage(
  coverage: Coverage,
): Readonly<Record<(typeof COVERAGE_COUNTS)[number], number | undefined>> {
  const { known, seen, gone, selected, matching, read, believed, unread, unreadable } = coverage;
  return {
    known: known && countDevices(known),
    seen: countDevices(seen),
    gone,
    selected,
    matching,
    read,
    believed,
    unread,
    unreadable,
    person: coverage.person.length,
    acknowledged: sumCounts(coverage.acknowledged),
    excluded: sumCounts(coverage.excluded),
  };
}

/** The sum of the counts of all sites. */
export function countDevices(bySite: CoverageTerms['seen']): number {
  return Object.values(bySite).reduce((sum, count) => sum + count, 0);
}

/** A device of several sites counts at the first of them. */
function countSites({ length, sites }: Pick<DeviceTable, 'length' | 'sites'>) {
  const places = sites.values.map((refs) => refs.map(({ id }) => id).sort()[0] ?? NO_SITE);
  const counts = new Map<string, number>();
  for (let row = 0; row < length; row += 1) {
    const place = places[sites.codes[row] ?? 0] ?? NO_SITE;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return inOrder(Object.fromEntries(counts));
}

/** Devices with equal traits are offered the same tasks. */
function countOffered({
  length,
  traits,
  at,
}: Pick<DeviceTable, 'length' | 'traits' | 'at'>): Readonly<Record<string, number>> {
  const byTraits: (readonly TaskType[] | undefined)[] = [];
  const counts: Partial<Record<TaskType, number>> = {};
  for (let row = 0; row < length; row += 1) {
    const code = traits.codes[row] ?? 0;
    const tasks = (byTraits[code] ??= offeredTasks(at(row).available));
    for (const task of tasks) counts[task] = (counts[task] ?? 0) + 1;
  }
  return inOrder(counts);
}

function offeredTasks(available: Readonly<Record<string, boolean | undefined>>) {
  return TASK_TYPES.filter((task) => available[task] === true);
}

function inOrder(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
