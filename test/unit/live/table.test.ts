import { expect, test } from 'vitest';
import { createTable } from '../../../src/live/device-table.ts';
import type { Device } from '../../../src/model/fleet/device.ts';
import { aDevice } from '../../support/plan-fleet.ts';

const FULL: Device = aDevice('b', {
  maintenanceMode: false,
  recordingStatus: 'recording',
  storageServer: 'nvr-1',
  passwordExpiresAt: 1,
  passwordChangedAt: 0,
  sslCertificateExpiresAt: 3,
  probe: { agent: 'up' },
  sources: [{ id: '7', name: 'VMS' }],
});
const BARE: Device = { id: 'a', probe: {}, sites: [], sources: [], available: {} };

test('a row gives back exactly the device that went in, absent fields absent', () => {
  const table = createTable([FULL, BARE]);
  expect(table.at(0)).toStrictEqual(BARE);
  expect(table.at(1)).toStrictEqual(FULL);
});

test('rows are sorted by id in code-unit order, whatever order they came in', () => {
  const ids = ['dev-10', 'dev-2', 'Dev-3', 'dev-1', 'é', 'z'];
  const table = createTable(ids.map((id) => aDevice(id)));
  const sorted = ['Dev-3', 'dev-1', 'dev-10', 'dev-2', 'z', 'é'];
  expect(Array.from({ length: table.length }, (_, row) => table.at(row).id)).toEqual(sorted);
  expect(sorted.map((id) => table.rowOf(id))).toEqual([0, 1, 2, 3, 4, 5]);
});

test('an id that is not in the table has no row', () => {
  const table = createTable([aDevice('b'), aDevice('d')]);
  expect(['a', 'c', 'e', ''].map((id) => table.rowOf(id))).toEqual(Array(4).fill(undefined));
  expect(createTable([]).rowOf('a')).toBeUndefined();
});

test('of two devices with one id the first is kept', () => {
  const table = createTable([aDevice('a', { name: 'first' }), aDevice('a', { name: 'second' })]);
  expect(table.length).toBe(1);
  expect(table.at(0).name).toBe('first');
});

test('equal values share a code, an absent one has code 0', () => {
  const table = createTable([FULL, aDevice('c'), BARE]);
  const { vendor } = table.text;
  expect([...vendor.codes]).toEqual([0, 1, 1]);
  expect(vendor.values[1]).toBe('Axis');
  expect([...table.sites.codes]).toEqual([0, 1, 1]);
});

test('more rows than the first allocation are all kept', () => {
  const ids = Array.from({ length: 5_000 }, (_, n) => `dev-${String(n).padStart(5, '0')}`);
  const table = createTable(ids.toReversed().map((id, n) => aDevice(id, { lastSeen: n })));
  expect(table.length).toBe(5_000);
  expect(table.at(4_999)).toMatchObject({ id: 'dev-04999', lastSeen: 0 });
  expect(table.rowOf('dev-02500')).toBe(2_500);
});
