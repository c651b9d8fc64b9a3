import { expect, test } from 'vitest';
import type { Device } from '../../../../src/model/fleet/device.ts';
import { createTable } from '../../../../src/live/device-table.ts';
import { sampleAvailability, sumAvailability } from '../../../../src/report/fleet/availability.ts';
import { aDevice, NOW } from '../../../support/plan-fleet.ts';

const HOUR = 3_600_000;

const sample = (hours: number, ...devices: readonly Partial<Device>[]) =>
  sampleAvailability(
    NOW + hours * HOUR,
    createTable(devices.map((fields, index) => aDevice(`d${index}`, fields))),
    () => true,
  );

const totalOf = (samples: Parameters<typeof sumAvailability>[0], gap = 24) =>
  sumAvailability(samples, gap * HOUR).totals[0];

test('a state holds until the next snapshot', () => {
  const [up, down] = [{ status: 'online' }, { status: 'offline' }];
  expect(totalOf([sample(0, up, down), sample(3, up, up), sample(4, down)])).toEqual({
    site: null,
    deviceType: null,
    from: NOW,
    to: NOW + 4 * HOUR,
    snapshots: 3,
    devices: 1,
    upHours: 5,
    downHours: 3,
    maintenanceHours: 0,
    unknownHours: 0,
    availability: 62.5,
  });
});

test('maintenance is excluded, whatever the status; partial is up', () => {
  const samples = [
    sample(
      0,
      { status: 'partial' },
      { status: 'offline', maintenanceMode: true },
      { status: 'online', maintenanceMode: true },
    ),
    sample(2),
  ];
  expect(totalOf(samples)).toMatchObject({ upHours: 2, maintenanceHours: 4, availability: 100 });
});

test.each([
  [{ status: 'unknown' }],
  [{ status: 'rebooting' }],
  [{ unreadable: ['maintenanceMode'] }],
])('%j is unknown, and never up', (fields) => {
  expect(totalOf([sample(0, fields), sample(1)])).toMatchObject({
    upHours: 0,
    unknownHours: 1,
    availability: null,
  });
});

test('a device without a status is unknown', () => {
  const { status: _, ...rest } = aDevice('a');
  const one = sampleAvailability(NOW, createTable([rest]), () => true);
  expect(totalOf([one])).toMatchObject({ unknownHours: 1, availability: null });
});

test('beyond the gap, time is unknown', () => {
  expect(totalOf([sample(0, {}), sample(10)], 4)).toMatchObject({ upHours: 4, unknownHours: 6 });
});

test('one snapshot counts devices; none has no total', () => {
  expect(totalOf([sample(0, {}, { status: 'offline' })])).toMatchObject({ availability: 50 });
  expect(totalOf([sample(0)])).toMatchObject({ devices: 0, availability: null });
  expect(sumAvailability([], HOUR)).toEqual({ rows: [], totals: [] });
});

test('by site and type: each snapshot has a row, in order', () => {
  const other = { sites: [{ id: 's0', name: 'Depot' }], deviceType: 'intercom' };
  const { rows, totals } = sumAvailability([sample(0, {}, other), sample(1, {})], HOUR);
  expect(rows.map(({ site, deviceType, up }) => [site, deviceType, up])).toEqual([
    ['Depot', 'intercom', 1],
    ['HQ Berlin', 'camera', 1],
    ['HQ Berlin', 'camera', 1],
  ]);
  expect(totals.map(({ site, snapshots }) => [site, snapshots])).toEqual([
    [null, 2],
    ['Depot', 1],
    ['HQ Berlin', 2],
  ]);
});
