import { expect, test } from 'vitest';
import type { Lease } from '../../../src/model/ledger/memory.ts';
import { isAbandoned, watchLease } from '../../../src/store/lease.ts';
import { ClockDouble } from '../../support/store-double.ts';

const LEASE: Lease = {
  epoch: 1,
  nonce: 'n',
  label: 'ci@host',
  host: 'here',
  pid: 7,
  process: 'start',
  ttl: 90_000,
  takenAt: 0,
  renewals: 0,
  lastSignAt: 0,
};
const SELF = { host: 'here', pid: 8, processStartedAt: 'x', isAlive: () => true };

test('a lease is watched from when we first saw it, whenever it was taken', () => {
  const clock = new ClockDouble();
  clock.push(1_000_000);
  const unchangedFor = watchLease(clock);
  expect(unchangedFor(LEASE)).toBe(0);
  clock.push(5);
  expect(unchangedFor({ ...LEASE })).toBe(5);
});

test.each([{ renewals: 1 }, { epoch: 2 }])('a sign of life starts it anew: %o', (sign) => {
  const clock = new ClockDouble();
  const unchangedFor = watchLease(clock);
  unchangedFor(LEASE);
  clock.push(5);
  expect(unchangedFor({ ...LEASE, ...sign })).toBe(0);
});

test('U3 it is abandoned after twice its life, not a moment before', () => {
  expect(isAbandoned(LEASE, 179_999, SELF)).toBe(false);
  expect(isAbandoned(LEASE, 180_000, SELF)).toBe(true);
});

test('its holder is asked for by process id and start time, on this host alone', () => {
  const asked: unknown[] = [];
  const isAlive = (...of: unknown[]) => asked.push(of) > 1;
  expect(isAbandoned(LEASE, 0, { ...SELF, isAlive })).toBe(true);
  expect(isAbandoned(LEASE, 0, { ...SELF, host: 'there', isAlive })).toBe(false);
  expect(asked).toEqual([[7, 'start']]);
});
