import { expect, test } from 'vitest';
import type { Device } from '../../../../src/model/fleet/device.ts';
import { findOutages } from '../../../../src/rollout/budgets/outage.ts';
import { NOW, aDevice, aSnapshot } from '../../../support/plan-fleet.ts';

const MINUTE = 60_000;
const RULE = { percent: 30, within: 10 * MINUTE };
const SITE = [{ id: 's1', name: 'HQ Berlin' }];

/** A site with devices that went dark so many minutes ago, and others that are up. */
function site(dark: readonly number[], up: number): readonly Device[] {
  const down = dark.map((minutes, index) =>
    aDevice(`down-${index}`, { status: 'offline', lastSeen: NOW - minutes * MINUTE }),
  );
  return [...down, ...Array.from({ length: up }, (_, index) => aDevice(`up-${index}`))];
}

const outage = (devices: readonly Device[], later: readonly Device[] = []) =>
  findOutages(
    aSnapshot(devices).devices,
    new Map(later.map((device) => [device.id, { device, readAt: NOW }])),
  ).at(SITE, RULE);

test('S1 more than the share of a site that went down together is an outage, with its evidence', () => {
  expect(outage(site([40, 45, 50, 300], 5))).toEqual({
    site: 'HQ Berlin',
    down: 3,
    of: 9,
    since: NOW - 50 * MINUTE,
  });
});

const CASES: readonly [string, readonly number[], number, boolean][] = [
  ['exactly the share is none', [1, 2, 3], 7, false],
  ['one more than the share is one', [1, 2, 3, 4], 7, true],
  ['two devices are none, however small the site', [1, 2], 0, false],
  ['three of three are one', [1, 2, 3], 0, true],
  ['ten minutes apart, to the millisecond, is together', [0, 5, 10], 4, true],
  ['longer apart is not', [0, 5, 10.001], 4, false],
  ['nothing down is none', [], 3, false],
];

test.each(CASES)('%s', (_, dark, up, is) => {
  expect(outage(site(dark, up)) !== undefined).toBe(is);
});

test('a device that reads otherwise than offline, or was never seen, went down at no known time', () => {
  const { lastSeen: _, ...unseen } = aDevice('down-9', { status: 'offline' });
  const devices = [...site([1, 2], 0), unseen, aDevice('odd', { status: 'unknown' })];
  expect(outage(devices)).toBeUndefined();
});

test('what was read later counts instead: a device that is back ends the outage', () => {
  const devices = site([1, 2, 3], 0);
  expect(outage(devices)).toBeDefined();
  expect(outage(devices, [aDevice('down-0')])).toBeUndefined();
});

test('sites are looked at one by one; a device of several waits where any of them is out', () => {
  const { devices } = aSnapshot(site([1, 2, 3], 0));
  const other = { id: 's2', name: 'Lab' };
  expect(findOutages(devices).at([other], RULE)).toBeUndefined();
  expect(findOutages(devices).at([other, ...SITE], RULE)?.site).toBe('HQ Berlin');
  expect(findOutages(devices).at([], RULE)).toBeUndefined();
});

test('B15 who may be at the site went down with it, and is none of its devices', () => {
  const lost = aDevice('lost', {
    status: 'offline',
    lastSeen: NOW - 45 * MINUTE,
    sites: [],
    unreadable: ['sites'],
  });
  const two = site([40, 50], 4);
  expect(outage(two)).toBeUndefined();
  expect(outage([...two, lost])).toMatchObject({ site: 'HQ Berlin', down: 3, of: 6 });
});
