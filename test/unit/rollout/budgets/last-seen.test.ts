import { expect, test } from 'vitest';
import type { Device } from '../../../../src/model/fleet/device.ts';
import { isLastSeenOff } from '../../../../src/rollout/budgets/last-seen.ts';
import { aDevice, aSnapshot, NOW } from '../../../support/plan-fleet.ts';

const MINUTE = 60_000;

const seen = (...minutes: readonly number[]): Device[] =>
  minutes.map((ago, index) => aDevice(`d-${index}`, { lastSeen: NOW - ago * MINUTE }));

test.each([
  ['three devices, five hours ago', seen(300, 301, 302), true],
  ['three devices, five hours ahead', seen(-300, -301, -302), true],
  ['one of three devices just now', seen(300, 301, 15), false],
  ['two devices, which may be stale by chance', seen(300, 301), false],
  ['no device', [], false],
  [
    'only offline devices',
    seen(300, 301, 302).map((device) => ({ ...device, status: 'offline' })),
    false,
  ],
] as const)('S3 an online fleet that was last seen: %s', (_, devices, isOff) => {
  const { devices: table } = aSnapshot(devices);
  expect(isLastSeenOff({ devices: table, takenAt: NOW })).toBe(isOff);
});
