import { describe, expect, test } from 'vitest';
import { runStatus } from '../../../src/operations/status.ts';

const LEASE = {
  epoch: 12,
  nonce: 'n',
  label: 'ci',
  host: 'runner-1',
  pid: 7,
  process: 's',
  ttl: 90_000,
  takenAt: 1_000,
  renewals: 3,
  lastSignAt: 60_000,
};
const on = (host: string, isAlive: boolean) => ({
  identity: { host, pid: 1, startedAt: '', label: 'me', isAlive: () => isAlive },
});

describe('H8 the run that holds the lock', () => {
  test.each([
    ['atWork', 'runner-1', true, 61_000],
    ['atWork', 'desk', false, 239_999],
    ['silent', 'desk', false, 240_000],
    ['dead', 'runner-1', false, 61_000],
  ])('is %s, seen from %s (alive: %s) at %i', (state, host, isAlive, now) => {
    const run = runStatus(LEASE, on(host, isAlive), now);
    expect(run).toMatchObject({ is: state, epoch: 12, label: 'ci', since: 1_000 });
  });

  test('is none where the lock is free', () => {
    expect(runStatus(undefined, on('desk', true), 0)).toBeUndefined();
  });
});
