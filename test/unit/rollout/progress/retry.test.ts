import { describe, expect, test } from 'vitest';
import type { IntentState, PastAttempt } from '../../../../src/model/ledger/memory.ts';
import type { RetrySpec } from '../../../../src/model/documents/rollout.ts';
import { DEFAULT_ROLLOUT } from '../../../../src/model/documents/rollout-defaults.ts';
import {
  dailyOpenings,
  refuseRetry,
  type Openings,
} from '../../../../src/rollout/progress/retry-days.ts';
import { DAY, failed, HOUR, running, START, tried } from '../../../support/rollout-rig.ts';

const MINUTE = 60_000;
const backoff = { ...DEFAULT_ROLLOUT.retry.backoff, jitter: 'none' } as const;
const RETRY: RetrySpec = { ...DEFAULT_ROLLOUT.retry, backoff };

/** Open for four hours every day from `START` on. */
const nightly: Openings = {
  openedAt: (at) => {
    const opened = START + Math.floor((at - START) / DAY) * DAY;
    return at - opened < 4 * HOUR ? opened : undefined;
  },
  opensAfter: (at) => START + (Math.floor((at - START) / DAY) + 1) * DAY,
};

function retry(intent: IntentState, now: number, fields: object = {}) {
  return refuseRetry({ intent, marker: '', retry: RETRY, openings: nightly, now, ...fields });
}

/** Failed attempts, each a minute long, at these instants; the last one is the intent's own. */
function failedAt(...times: readonly number[]): IntentState {
  const attempts = times.map((attemptedAt, n): PastAttempt => {
    const settledAt = attemptedAt + MINUTE;
    return { attemptId: `a.${n}`, attemptedAt, verdict: 'failed', settledAt };
  });
  const last = attempts.at(-1);
  return failed('d001', { ...last, earlier: attempts.slice(0, -1) });
}

describe('the wait after a failure', () => {
  const end = START + MINUTE;
  test('is the first of the backoff, from its end', () => {
    expect(retry(failedAt(START), end + 15 * MINUTE - 1)).toEqual({
      code: 'notDue',
      why: 'backoff',
      next: end + 15 * MINUTE,
    });
    expect(retry(failedAt(START), end + 15 * MINUTE)).toBeUndefined();
  });

  test.each([
    [2, 30 * MINUTE],
    [3, HOUR],
    [6, 6 * HOUR],
  ])('after %i attempts grows by its factor, to its most', (attempts, wait) => {
    const many = { retry: { ...RETRY, maxAttemptsPerWindow: 99 } };
    const times = Array.from({ length: attempts }, (_, n) => START + n);
    const next = START + attempts - 1 + MINUTE + wait;
    expect(retry(failedAt(...times), START + HOUR / 60, many)).toMatchObject({ next });
  });

  test('with jitter is shorter, differs by device, and is the same on every run', () => {
    const jittered = { retry: { ...RETRY, backoff: { ...backoff, jitter: 'full' } } };
    const nextOf = (id: string) => retry({ ...failedAt(START), id }, end, jittered)?.next;
    const waits = Array.from({ length: 50 }, (_, n) => Number(nextOf(`i${n}`) ?? end) - end);
    expect(Math.max(...waits)).toBeLessThan(15 * MINUTE);
    expect(new Set(waits).size).toBeGreaterThan(45);
    expect(nextOf('i1')).toBe(nextOf('i1'));
  });
});

describe('Q8 attempts in one window', () => {
  const late = START + 3 * HOUR;

  test('are two, then the next window is waited for', () => {
    expect(retry(failedAt(START), late)).toBeUndefined();
    expect(retry(failedAt(START, START + HOUR), late)).toMatchObject({ next: START + DAY });
    expect(retry(failedAt(START, START + HOUR), START + DAY)).toBeUndefined();
  });

  test.each(['rotatePassword', 'rotateSslCertificate'] as const)('are one for %s', (task) => {
    expect(retry({ ...failedAt(START), task }, late)).toMatchObject({ next: START + DAY });
    expect(retry({ ...failedAt(START), task }, START + DAY)).toBeUndefined();
  });

  test('wait for ever where no window opens any more', () => {
    const never = { openings: { ...nightly, opensAfter: () => undefined } };
    expect(retry(failedAt(START, START + 1), late, never)).toMatchObject({ next: 'never' });
  });

  test('made outside every window each count as a window of their own', () => {
    const out = START + 5 * HOUR;
    expect(retry(failedAt(out, out + 1, out + 2), out + DAY)).toMatchObject({
      code: 'quarantined',
      params: { attempts: 3, windows: 3 },
    });
  });
});

describe('windows with an attempt', () => {
  const three = failedAt(START, START + DAY, START + 2 * DAY);

  test('are three, then the device is quarantined', () => {
    expect(retry(three, START + 2 * DAY + 2 * HOUR)).toBeUndefined();
    expect(retry(three, START + 3 * DAY)).toEqual({
      code: 'quarantined',
      why: 'retriesUsed',
      since: START + 2 * DAY,
      next: 'never',
      params: { attempts: 3, windows: 3, verdict: 'failed' },
    });
  });

  test('are used up as soon as the last one is full', () => {
    const full = failedAt(START, START + DAY, START + 2 * DAY, START + 2 * DAY + 1);
    expect(retry(full, START + 2 * DAY + HOUR)?.code).toBe('quarantined');
  });

  test('are not forgotten when a last attempt was never sent', () => {
    const { verdict: _verdict, settledAt: _settledAt, ...unsent } = three;
    const earlier = [
      ...(three.earlier ?? []),
      { attemptId: 'x', attemptedAt: START + 2 * DAY, verdict: 'failed' as const },
    ];
    expect(retry({ ...unsent, phase: 'none', earlier }, START + 3 * DAY)?.code).toBe('quarantined');
  });
});

describe('what may be tried again', () => {
  const now = START + DAY;
  const cases: readonly [string, IntentState, boolean][] = [
    ['a failure', failed('d'), true],
    ['a refusal', tried('d', { phase: 'failed', outcome: 'rejected' }), true],
    ['what is known not to have run', tried('d', { verdict: 'notDone' }), true],
    ['what was never sent', tried('d', { phase: 'none', outcome: 'notSent' }), true],
    ['a failed restart', failed('d', { task: 'restartDevice' }), false],
    ['a failed password whose marker is the same', failed('d', { task: 'rotatePassword' }), true],
    ['a failed password that moved', failed('d', { task: 'rotatePassword', marker: 'm' }), false],
    ['a rollback', tried('d', { verdict: 'rolledBack' }), false],
    ['an abort', tried('d', { verdict: 'aborted' }), false],
    ['what is unverified', tried('d', { verdict: 'unverified' }), false],
    ['what nobody will ever know', tried('d', { verdict: 'unknown' }), false],
    ['what was done', tried('d', { verdict: 'done' }), false],
  ];
  test.each(cases)('%s', (_, intent, may) => {
    expect(retry(intent, now)?.code).toBe(may ? undefined : 'quarantined');
  });

  test('nothing that is open is asked about here', () => {
    expect(retry(running('d', { phase: 'inDoubt' }), now)).toBeUndefined();
  });

  test('only the classes that are written', () => {
    const classes = (...of: readonly ('failed' | 'timedOut')[]) => ({
      retry: { ...RETRY, classes: of },
    });
    expect(retry(failed('d'), now, classes('timedOut'))?.code).toBe('quarantined');
    expect(retry(tried('d', { verdict: 'notDone' }), now, classes('failed'))?.code).toBe(
      'quarantined',
    );
  });

  test('after two that did not run: an onboarding, nothing else', () => {
    const attempt = { attemptId: 'x', attemptedAt: START, verdict: 'notDone' } as const;
    const twice = tried('d', { verdict: 'notDone', earlier: [attempt] });
    expect(retry(twice, now)?.code).toBe('quarantined');
    expect(retry({ ...twice, task: 'onboardDevice' }, now)).toBeUndefined();
  });
});

test('a day stands for a window where the window never closes', () => {
  const { openedAt, opensAfter } = dailyOpenings(START);
  expect([openedAt(START + DAY - 1), openedAt(START + DAY)]).toEqual([START, START + DAY]);
  expect(opensAfter(START + HOUR)).toBe(START + DAY);
});
