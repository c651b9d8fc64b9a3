import type { Device } from '../model/fleet/device.ts';
import type { Clock, Collection, Collections, Random, Service } from '../model/ports.ts';
import type { OnProgress } from '../model/progress.ts';
import type { DeviceTable, Snapshot } from '../model/fleet/snapshot.ts';
import { type RowCollector, type PassesResult, readPasses } from './list-passes.ts';
import { repair, type RepairInput } from './repair.ts';
import { createSnapshot, type FleetRows } from './snapshot.ts';
import { DevicePage, DeviceRows } from '../model/fleet/device-rows.ts';
import { sortedTable, tableOf } from './device-table.ts';

export interface CaptureInput {
  readonly service: Service;
  readonly clock: Clock;
  readonly random: Random;
  readonly onProgress?: OnProgress;
  /** Told of devices while the next ones are read, some thousands at a time. */
  readonly onRows?: (devices: DeviceTable) => void;
  /** The lists as an earlier reading has them; absent: they are read. */
  readonly lists?: Snapshot | undefined;
  /** The lists to read besides the devices. */
  readonly want: {
    readonly sites: boolean;
    readonly sources: boolean;
    readonly discovered: boolean;
  };
  /**
   * How to repair an inconsistent reading with single reads; without it the reading is kept as it
   * is.
   */
  readonly repair?: Pick<RepairInput, 'known' | 'patient'>;
}

/**
 * Reads the fleet. One consistent pass over the devices is enough for a plan, since each device is
 * read again before it is changed; discovered devices are read until their absence is certain.
 * Lists that are not needed are empty. Throws the `WorldError` of a failed read.
 */
export async function capture(input: CaptureInput): Promise<Snapshot> {
  const { want, lists } = input;
  if (lists) return lists;
  const takenAt = input.clock.now();
  const sites = want.sites ? await readList(input, 'sites') : NOT_READ;
  const sources = want.sources ? await readList(input, 'deviceSources') : NOT_READ;
  const devices = await readPasses({
    ...input,
    collection: 'devices',
    absenceCounts: false,
    keeper: () => keepTable(input.onRows),
  });
  const discovered = want.discovered
    ? await readList(input, 'discoveredDevices', { absenceCounts: true })
    : NOT_READ;
  return createSnapshot({
    takenAt,
    confidence: devices.confidence,
    discoveredConfidence: discovered.confidence,
    ...(await repaired(input, devices)),
    sites: sites.collected.rows(),
    sources: sources.collected.rows(),
    discovered: discovered.collected.rows(),
  });
}

/** The devices of a reading; an inconsistent one is repaired. */
async function repaired(
  { service, clock, repair: how }: CaptureInput,
  { collected, unsure }: PassesResult<ReturnType<typeof keepTable>>,
): Promise<Pick<FleetRows, 'devices' | 'repair'>> {
  if (!how || !unsure) return { devices: collected.table() };
  const { rows, has, size } = collected;
  return repair({ service, clock, ...how }, { rows, has, size, unsure });
}

/** A list that was not read allows no conclusions. */
const NOT_READ = { collected: { rows: () => [] }, confidence: 'torn' } as const;

async function readList<C extends Exclude<Collection, 'devices'>>(
  input: CaptureInput,
  collection: C,
  { absenceCounts = false } = {},
): Promise<PassesResult<RowCollector<Collections[C]>>> {
  return readPasses({ ...input, collection, absenceCounts, keeper: keepList<Collections[C]> });
}

function keepList<T extends { readonly id: string }>(): RowCollector<T> {
  const byId = new Map<string, T>();
  const add = (row: T): void => void (byId.has(row.id) || byId.set(row.id, row));
  return {
    add,
    addPage(rows) {
      for (const row of rows) add(row);
    },
    has: (id) => byId.has(id),
    get size() {
      return byId.size;
    },
    rows: () => byId.values(),
  };
}

/** How many devices are told of at a time. */
const ROWS_AT_ONCE = 16_384;

function keepTable(
  onRows?: CaptureInput['onRows'],
): RowCollector<Device> & { table(): DeviceTable } {
  const kept = new DeviceRows();
  let told = 0;
  const ids = new Set<string>();
  const add = (device: Device): void => {
    if (ids.has(device.id)) return;
    ids.add(device.id);
    kept.add(device);
  };
  return {
    add,
    addPage(rows) {
      if (!(rows instanceof DevicePage)) for (const device of rows) add(device);
      else {
        for (const id of rows.ids()) ids.add(id);
        kept.append(rows);
      }
      const length = kept.length - told;
      if (length < ROWS_AT_ONCE) return;
      onRows?.(tableOf(kept.page(Uint32Array.from({ length }, (_, at) => told + at))));
      told = kept.length;
    },
    has: (id) => ids.has(id),
    get size() {
      return kept.length;
    },
    rows: () => kept.page(),
    table: () => sortedTable(kept),
  };
}
