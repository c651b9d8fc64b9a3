import { describe, expect, test } from 'vitest';
import { countRecent, runStatus } from '../../../src/operations/status.ts';

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

describe('what ended since yesterday', () => {
  const NOW = 200_000_000;
  const count = (...intents: readonly object[]) =>
    countRecent({ intents: new Map(intents.map((each, n) => [String(n), each])) } as never, NOW);

  test('is counted as the run that ended it did: a device at an intermediate version is not verified', () => {
    const done = { verdict: 'done', settledAt: NOW - 1 };
    const counted = count(
      { ...done, target: '11.8', towards: '11.8' },
      { ...done, target: '11.8', towards: '12.1' },
      { ...done, target: '2' },
      {
        verdict: 'failed',
        settledAt: NOW - 2,
        target: '2',
        earlier: [{ ...done, verdict: 'unverified' }],
      },
    );
    expect(counted.classes).toEqual({ verified: 2, failed: 1, unverified: 1, betweenSteps: 1 });
  });

  test('leaves out what ended earlier, and what has not ended', () => {
    const old = { verdict: 'done', settledAt: NOW - 86_400_000, target: '2' };
    expect(count(old, { target: '2' }).classes).toEqual({});
  });
});
