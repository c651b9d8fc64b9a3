import { describe, expect, it } from 'vitest';
import { connectivityStatus } from '../../../../src/twin/world/connectivity.ts';
import { seedFleet } from '../../../../src/twin/fleet/fleet.ts';
import type { DeviceState } from '../../../../src/twin/world/state.ts';
import { DAY, MINUTE, START } from '../../../support/twin-rig.ts';

const SIZE = { devices: 1000, sites: 12, seed: 1, now: START };
const fleet = seedFleet(SIZE);
const count = (test: (device: DeviceState) => boolean): number => fleet.devices.filter(test).length;
const cameras = fleet.devices.filter(({ deviceType }) => deviceType === 'camera');

describe('a seeded fleet', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(seedFleet(SIZE)).toEqual(fleet);
    expect(seedFleet({ ...SIZE, seed: 2 }).devices).not.toEqual(fleet.devices);
  });

  it('has as many devices and sites as wanted, and no id twice', () => {
    expect([fleet.devices.length, fleet.sites.length]).toEqual([1000, 12]);
    const all = [...fleet.devices, ...fleet.discovered.map(({ device }) => device)];
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(all.map(({ siteId, name }) => `${siteId}/${name}`)).size).toBe(all.length);
  });

  it('has real vendors, every kind of device, and names that people give', () => {
    expect(new Set(fleet.devices.map(({ vendor }) => vendor)).size).toBeGreaterThanOrEqual(10);
    expect(new Set(fleet.devices.map(({ deviceType }) => deviceType))).toEqual(
      new Set(['camera', 'access control panel', 'intercom', 'other']),
    );
    expect(fleet.devices.every(({ name }) => /^[a-z]+(-[a-z]+)*-\d{2,}$/.test(name))).toBe(true);
    expect(fleet.sites[0]?.name).toBe('HQ Berlin');
  });

  it.each(['11.8.61', '9.80.3.2', 'V5.7.3 build 220315', '2.622.00AC000.0.R'])(
    'has devices on %s',
    (version) => {
      expect(count(({ firmwareVersion }) => firmwareVersion === version)).toBeGreaterThan(0);
    },
  );

  it('has Axis P3265 cameras on old 10.x and 11.x with an approved 11.11.x', () => {
    const old = count(
      (d) => d.model.startsWith('P3265') && /^(10|11\.\d)\./.test(d.firmwareVersion),
    );
    expect(old).toBeGreaterThan(10);
    const line = fleet.lines.find(({ models }) => models.includes('P3265-LV'));
    expect(line?.approved.at(-1)).toMatch(/^11\.11\./);
  });

  it('has 2 % gone dark for over twenty minutes that can be restarted', () => {
    const dark = fleet.devices.filter(({ condition }) => condition === 'dark');
    expect(dark).toHaveLength(20);
    expect(dark.every((device) => connectivityStatus(device) === 'offline')).toBe(true);
    expect(dark.every(({ lastSeen }) => START - lastSeen > 20 * MINUTE)).toBe(true);
    expect(dark.every(({ tasks }) => tasks.includes('restartDevice'))).toBe(true);
  });

  it('has partial, unknown, long dead, orphaned and maintained devices', () => {
    expect(count((device) => connectivityStatus(device) === 'partial')).toBeGreaterThan(10);
    expect(count((device) => connectivityStatus(device) === 'unknown')).toBeGreaterThan(0);
    expect(count(({ lastSeen }) => START - lastSeen > 20 * DAY)).toBeGreaterThan(0);
    expect(count(({ sourceIds }) => sourceIds.length === 0)).toBeGreaterThan(0);
    expect(count(({ maintenance }) => maintenance)).toBeGreaterThan(0);
  });

  it('has some old passwords and certificates near their end, and a few past it', () => {
    const age = (device: DeviceState) => START - (device.accounts[0]?.lastChanged ?? START);
    const left = (device: DeviceState) => (device.ssl?.notAfter ?? Infinity) - START;
    const old = cameras.filter((device) => age(device) > 180 * DAY).length;
    expect(old).toBeGreaterThan(cameras.length / 20);
    expect(old).toBeLessThan(cameras.length / 5);
    expect(cameras.some((device) => age(device) > 365 * DAY)).toBe(true);
    expect(count((device) => left(device) < 60 * DAY)).toBeGreaterThan(20);
    expect(count((device) => left(device) < 0)).toBeGreaterThan(0);
  });

  it('has discovered devices of all three onboarding statuses, most of them ready', () => {
    const words = fleet.discovered.map(({ onboardingStatus }) => onboardingStatus);
    expect(new Set(words).size).toBe(3);
    expect(words.filter((word) => word === 'readyToOnboard').length).toBeGreaterThanOrEqual(20);
    expect(fleet.discovered.every(({ device }) => /^[\dA-F]{12}$/.test(device.serial))).toBe(true);
  });

  it('has sources of several types, one of them a CSV file', () => {
    expect(fleet.sources.filter(({ type }) => type === 'internal')).toHaveLength(1);
    expect(fleet.sources.map(({ name }) => name)).toContain('VMS HQ');
  });

  it('can be of any size above none', () => {
    expect(seedFleet({ ...SIZE, devices: 0 }).devices).toEqual([]);
    const large = seedFleet({ ...SIZE, devices: 3, sites: 40 });
    expect(new Set(large.sites.map(({ name }) => name)).size).toBe(40);
    expect(() => seedFleet({ ...SIZE, sites: 0 })).toThrow(RangeError);
  });
});
