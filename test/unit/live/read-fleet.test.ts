import { expect, test } from 'vitest';
import { readLiveFleet } from '../../../src/live/read-fleet.ts';
import { WorldError } from '../../../src/model/error.ts';
import type { Device } from '../../../src/model/fleet/device.ts';
import type { Collection, ServiceFilter, Service } from '../../../src/model/ports.ts';
import { NOW, aDevice } from '../../support/plan-fleet.ts';
import { listing } from '../../support/plan-service.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const WELL = aDevice('well', { maintenanceMode: false });
const WORKED_ON = aDevice('worked-on', { maintenanceMode: true });

/** A reading of these devices from a service that answers filters so, and the filters that it sent. */
async function read(
  devices: readonly Device[],
  filtered: (filter: ServiceFilter, devices: readonly Device[]) => readonly Device[],
  restsOnFilter?: (count: number) => boolean,
) {
  const filters: ServiceFilter[] = [];
  const plain = listing([{ devices }]);
  const list = async function* (collection: Collection, filter?: ServiceFilter) {
    if (filter === undefined) return yield* plain.list(collection);
    filters.push(filter);
    const rows = filtered(filter, devices);
    if (rows.length > 0) yield rows;
    return { total: rows.length, rows: rows.length, pages: 1 };
  } as Service['list'];
  const snapshot = await readLiveFleet({
    service: { ...plain, list },
    clock: createVirtualClock(NOW),
    random: () => 0.5,
    onboards: false,
    known: { ids: [], open: new Set() },
    patient: false,
    needs: () => [],
    ...(restsOnFilter && { restsOnFilter }),
  });
  return { unfiltered: snapshot.unfiltered, filters };
}

const honoured = (filter: ServiceFilter, devices: readonly Device[]): readonly Device[] =>
  devices.filter((device) =>
    Object.entries(filter).every(([name, value]) => Reflect.get(device, name) === value),
  );
const ignored = (_filter: ServiceFilter, devices: readonly Device[]) => devices;
const empty = () => [];
const failing = (status: number) => () => {
  throw new WorldError('unexpectedStatus', { path: '/v1/devices', status });
};

const WORK = { maintenanceMode: true };
const USUAL = { status: 'online', maintenanceMode: false };

test.each([
  ['honoured, and somebody works', [WELL, WORKED_ON], honoured, undefined, [WORK]],
  ['honoured, and all is well', [WELL], honoured, undefined, [WORK, USUAL]],
  ['ignored', [WELL, WORKED_ON], ignored, true, [WORK]],
  ['refused', [WELL], failing(400), true, [WORK]],
  ['answered with nothing, whatever it says', [WELL, WORKED_ON], empty, true, [WORK, USUAL]],
  [
    'untold, as no device is in a known state',
    [aDevice('odd', { status: 'asleep' })],
    honoured,
    true,
    [WORK],
  ],
] as const)(
  'Y6 where starts rest on a filter that is %s',
  async (...[, devices, answer, unfiltered, filters]) => {
    expect(await read(devices, answer, () => true)).toEqual({ unfiltered, filters });
  },
);

test('no filter is tried where no start rests on it', async () => {
  const counts: number[] = [];
  const small = (count: number) => (counts.push(count), false);
  expect(await read([WELL, WORKED_ON], ignored, small)).toEqual({ filters: [] });
  expect(counts).toEqual([2]);
  expect(await read([WELL], ignored)).toEqual({ filters: [] });
});

test('a service that is away while the filter is tried ends the reading', async () => {
  await expect(read([WELL], failing(503), () => true)).rejects.toMatchObject({
    code: 'unexpectedStatus',
  });
});
