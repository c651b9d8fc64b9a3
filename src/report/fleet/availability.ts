import type { Device } from '../../model/fleet/device.ts';
import type { DeviceTable } from '../../model/fleet/snapshot.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';
import { compareTexts } from '../../lib/text-order.ts';
import { HOUR, type Instant, type Milliseconds } from '../../lib/time.ts';
import { getOrAdd } from '../../lib/maps.ts';
import type { Availability, ReportRow } from '../../model/report/fleet-report.ts';
import { goodShare, siteTypeKey, type Place } from './totals.ts';

const STATES = ['up', 'down', 'maintenance', 'unknown'] as const;

/** Devices of one place in one snapshot. Each is in exactly one of the four. */
type Counts = Record<(typeof STATES)[number], number>;

const NOTHING: Readonly<Counts> = { up: 0, down: 0, maintenance: 0, unknown: 0 };

/** Availability in one snapshot, by site and type. */
export interface AvailabilitySample {
  readonly takenAt: Instant;
  readonly places: ReadonlyMap<string, Place & { readonly counts: Counts }>;
}

/**
 * Counts one snapshot. A device under maintenance is neither up nor down; one whose status or
 * maintenance could not be read, or whose status the service does not know, is unknown.
 */
export function sampleAvailability(
  takenAt: Instant,
  devices: DeviceTable,
  selects: (row: number) => boolean,
): AvailabilitySample {
  const places = new Map<string, Place & { readonly counts: Counts }>();
  for (let row = 0; row < devices.length; row += 1) {
    if (!selects(row)) continue;
    const device = devices.at(row);
    const place = { site: siteNames(device), deviceType: device.deviceType ?? '' };
    const key = siteTypeKey(place);
    const known = getOrAdd(places, key, () => ({ ...place, counts: { ...NOTHING } }));
    known.counts[classify(device)] += 1;
  }
  return { takenAt, places };
}

/** The sites of a device as one text; empty where it has none. */
export function siteNames({ sites }: Pick<Device, 'sites'>): string {
  return sites.map(({ id, name }) => name ?? id).join(', ');
}

function classify(device: Device): keyof Counts {
  if (isUnreadable(device, 'maintenanceMode')) return 'unknown';
  if (device.maintenanceMode === true) return 'maintenance';
  if (device.status === 'online' || device.status === 'partial') return 'up';
  return device.status === 'offline' ? 'down' : 'unknown';
}

/**
 * Availability over time. A state holds until the next snapshot, at most for `maxGap`; what is
 * longer counts as unknown time. One snapshot alone counts by devices.
 * @param samples in order of time, each instant once
 */
export function sumAvailability(
  samples: readonly AvailabilitySample[],
  maxGap: Milliseconds,
): Availability {
  const rows = samples.flatMap(({ takenAt, places }) =>
    inOrder(places).map(({ site, deviceType, counts }) => ({
      takenAt,
      site,
      deviceType,
      ...countCells(counts),
    })),
  );
  const places = new Map(samples.flatMap((sample) => [...sample.places]));
  const all = { site: null, deviceType: null };
  const totals = [
    overTime(all, samples.map(wholeFleet), { samples, maxGap }),
    ...inOrder(places).map((place) =>
      overTime(
        place,
        samples.map((sample) => sample.places.get(siteTypeKey(place))?.counts),
        { samples, maxGap },
      ),
    ),
  ];
  return { rows, totals: samples.length === 0 ? [] : totals };
}

function inOrder<T extends Place>(places: ReadonlyMap<string, T>): readonly T[] {
  return [...places].sort(([a], [b]) => compareTexts(a, b)).map(([, place]) => place);
}

function wholeFleet({ places }: AvailabilitySample): Counts {
  const sum = { ...NOTHING };
  for (const { counts } of places.values()) add(sum, counts);
  return sum;
}

function add(sum: Counts, counts: Counts, times = 1): void {
  for (const state of STATES) sum[state] += counts[state] * times;
}

function devicesOf({ up, down, maintenance, unknown }: Counts): number {
  return up + down + maintenance + unknown;
}

function countCells(counts: Counts): Omit<ReportRow, 'takenAt'> {
  const { up, down, maintenance, unknown } = counts;
  const availability = goodShare({ good: up, bad: down });
  return { devices: devicesOf(counts), up, down, maintenance, unknown, availability };
}

/** Sums device hours, with one decimal. */
function overTime(
  { site, deviceType }: Place,
  counts: readonly (Counts | undefined)[],
  {
    samples,
    maxGap,
  }: { readonly samples: readonly AvailabilitySample[]; readonly maxGap: Milliseconds },
): ReportRow {
  const sum = { ...NOTHING };
  samples.forEach(({ takenAt }, index) => {
    const one = counts[index];
    if (!one) return;
    const next = samples[index + 1]?.takenAt;
    const lasted = next === undefined ? (samples.length === 1 ? HOUR : 0) : next - takenAt;
    const held = Math.min(lasted, maxGap);
    add(sum, one, held);
    sum.unknown += devicesOf(one) * (lasted - held);
  });
  const last = counts.findLast((each) => each !== undefined);
  return {
    site,
    deviceType,
    from: samples[0]?.takenAt ?? null,
    to: samples.at(-1)?.takenAt ?? null,
    snapshots: counts.filter((each) => each !== undefined).length,
    devices: last ? devicesOf(last) : 0,
    upHours: hours(sum.up),
    downHours: hours(sum.down),
    maintenanceHours: hours(sum.maintenance),
    unknownHours: hours(sum.unknown),
    availability: goodShare({ good: sum.up, bad: sum.down }),
  };
}

function hours(ms: number): number {
  return Math.round((ms * 10) / HOUR) / 10;
}
