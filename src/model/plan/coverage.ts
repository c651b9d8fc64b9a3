import type { CoverageRecord, CoverageTerms } from '../ledger/coverage.ts';
import type { Coverage } from './plan.gen.ts';
import type { DeviceTable } from '../fleet/snapshot.ts';
import { TASK_TYPES, type TaskType } from '../fleet/task.ts';
import { sumCounts } from '../../lib/group-by.ts';
import { computeOnce } from '../../lib/compute-once.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';

export type { Coverage } from './plan.gen.ts';

/** Changes that an exception leaves out or acknowledges, and its end. */
export type ExceptedCount = Coverage['excluded'][number];

/** For how long a record says which devices are known. */
export const KNOWN_FOR: Milliseconds = 30 * 86_400_000;

/** The place of devices without a site. */
const NO_SITE = '-';

/** What a reading shows of the fleet as a whole. */
export type Sighted = Pick<Coverage, 'seen' | 'offered' | 'known' | 'gone'>;

type Rows = Pick<DeviceTable, 'length' | 'sites' | 'codesOf' | 'at'>;

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

/** Whether no device of a reading is offered any task: its field is in doubt then (semantics K2). */
export function isNoneOffered(devices: Rows): boolean {
  return Object.keys(countOnce(devices).offered).length === 0;
}

/** Whether no policy selects a device, though its work is not done for good as that of onboarding is (semantics M31). */
export function isSelectionEmpty({ selected, onboarded }: Coverage): boolean {
  return selected === 0 && onboarded === undefined;
}

/** A coverage as numbers alone; what no record tells is undefined. */
export function countCoverage(coverage: Coverage) {
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

function countOffered({
  length,
  codesOf,
  at,
}: Pick<Rows, 'length' | 'codesOf' | 'at'>): Readonly<Record<string, number>> {
  const codes = codesOf('available');
  const offered: (readonly TaskType[] | undefined)[] = [];
  const counts: Partial<Record<TaskType, number>> = {};
  for (let row = 0; row < length; row += 1) {
    const tasks = (offered[codes[row] ?? 0] ??= offeredTasks(at(row).available));
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
