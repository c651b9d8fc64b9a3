import { expect, test } from 'vitest';
import { RESTART, ROTATION, decided, failedAgo, type Given } from '../../../support/plan-decide.ts';
import { anIntent } from '../../../support/plan-fleet.ts';

const THRICE = [99, 75, 50];
const SAME_PASSWORD = { task: 'rotatePassword', marker: '11.8.61' } as const;

/** What an intent did, when it was tried in hours before now, and what is decided then. */
const RETRIES: readonly [string, string, Given][] = [
  ['failed once', 'run act versionDiffers', { past: [failedAgo([2])] }],
  ['failed this moment', 'wait notDue backoff', { past: [failedAgo([0])] }],
  ['failed twice today', 'wait notDue backoff', { past: [failedAgo([3, 2])] }],
  ['failed twice, a day ago', 'run act versionDiffers', { past: [failedAgo([26, 25])] }],
  ['failed on three days', 'skip quarantined retriesUsed', { past: [failedAgo(THRICE)] }],
  ['failed on two days and today', 'run act versionDiffers', { past: [failedAgo([50, 26, 2])] }],
  [
    'failed on two days and twice today',
    'skip quarantined retriesUsed',
    { past: [failedAgo([50, 26, 2, 1])] },
  ],
  [
    'was refused',
    'run act versionDiffers',
    { past: [failedAgo([2], { phase: 'failed', outcome: 'rejected' })] },
  ],
  [
    'was never sent',
    'run act versionDiffers',
    { past: [failedAgo([2], { phase: 'none', attempts: 0 })] },
  ],
  [
    'is known not to have run',
    'run act versionDiffers',
    { past: [failedAgo([2], { verdict: 'notDone' })] },
  ],
  [
    'is a rotation and failed today',
    'wait notDue backoff',
    { policy: ROTATION, past: [failedAgo([2], SAME_PASSWORD)] },
  ],
  [
    'is a rotation and failed yesterday',
    'run act versionDiffers',
    { policy: ROTATION, past: [failedAgo([25], SAME_PASSWORD)] },
  ],
  [
    'is a rotation and failed, and the password moved since',
    'skip quarantined retriesUsed',
    { policy: ROTATION, past: [failedAgo([25], { ...SAME_PASSWORD, marker: '11.0.0' })] },
  ],
  [
    'is a rotation and failed on three days',
    'skip quarantined retriesUsed',
    { policy: ROTATION, past: [failedAgo(THRICE, SAME_PASSWORD)] },
  ],
  [
    'is a failed restart',
    'skip quarantined retriesUsed',
    { policy: RESTART, past: [failedAgo([25], { task: 'restartDevice' })] },
  ],
  [
    'has another target',
    'run act versionDiffers',
    { past: [failedAgo(THRICE, { target: '11.9.60' })] },
  ],
  [
    'has another generation',
    'run act versionDiffers',
    { past: [failedAgo(THRICE, { generation: 1 })] },
  ],
];

test.each(RETRIES)('an intent that %s: %s', (_, expected, given) => {
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
