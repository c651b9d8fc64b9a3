import { expect, test } from 'vitest';
import {
  MINUTE,
  RESTART,
  ROTATION,
  decided,
  failed,
  type Given,
} from '../../support/plan-decide.ts';
import { NOW, anIntent } from '../../support/plan-fleet.ts';

const ago = (hours: number) => ({
  attemptedAt: NOW - hours * 60 * MINUTE,
  settledAt: NOW - 60 * MINUTE,
});

const RETRIES: readonly [string, string, Given][] = [
  ['failed once', 'run act versionDiffers', { past: [failed({ ...ago(2) })] }],
  ['failed twice today', 'wait notDue backoff', { past: [failed({ attempts: 2, ...ago(2) })] }],
  [
    'failed twice, a day ago',
    'run act versionDiffers',
    { past: [failed({ attempts: 2, ...ago(24) })] },
  ],
  [
    'failed six times',
    'skip quarantined retriesUsed',
    { past: [failed({ attempts: 6, ...ago(99) })] },
  ],
  ['refused', 'run act versionDiffers', { past: [failed({ phase: 'failed', ...ago(2) })] }],
  ['never sent', 'run act versionDiffers', { past: [failed({ phase: 'none', attempts: 0 })] }],
  [
    'known not to have run',
    'run act versionDiffers',
    { past: [failed({ verdict: 'notDone', ...ago(2) })] },
  ],
  [
    'a rotation that failed today',
    'wait notDue backoff',
    { policy: ROTATION, past: [failed({ task: 'rotatePassword', ...ago(2) })] },
  ],
  [
    'a rotation that failed yesterday',
    'run act versionDiffers',
    { policy: ROTATION, past: [failed({ task: 'rotatePassword', ...ago(25) })] },
  ],
  [
    'a rotation that failed three times',
    'skip quarantined retriesUsed',
    { policy: ROTATION, past: [failed({ task: 'rotatePassword', attempts: 3, ...ago(99) })] },
  ],
  [
    'a failed restart, as the same intent',
    'skip quarantined retriesUsed',
    { policy: RESTART, past: [failed({ task: 'restartDevice' })] },
  ],
  [
    'another target',
    'run act versionDiffers',
    { past: [failed({ attempts: 6, target: '11.9.60' })] },
  ],
  [
    'another generation',
    'run act versionDiffers',
    { past: [failed({ attempts: 6, generation: 1 })] },
  ],
];

test.each(RETRIES)('after an intent that %s: %s', (_, expected, given) => {
  expect(decided(given)).toBe(expected);
});

test.each(['done', 'unverified', 'rolledBack', 'aborted', 'unknown'] as const)(
  'nothing leads on from an intent that ended %s',
  (verdict) => {
    expect(decided({ past: [anIntent('dev-1', { verdict })] })).toBe(
      'skip quarantined retriesUsed',
    );
  },
);
