import { describe, expect, test } from 'vitest';
import { STEPS } from '../../../../src/plan/decide/steps.ts';
import {
  CONVERGED,
  EXCLUDE,
  HOLD,
  MINUTE,
  NOT_DUE,
  ONBOARDING,
  PIN,
  RESTART,
  UNSUPPORTED,
  decided,
  failedAgo,
  type Given,
} from '../../../support/plan-decide.ts';
import { NOW, anIntent, anOpenIntent } from '../../../support/plan-fleet.ts';

/** One way to make each step bite, in the decision order. */
const BITES: readonly [string, Given][] = [
  ['skip unsupported noPath', { judgement: UNSUPPORTED }],
  ['note alreadyConverged', { judgement: CONVERGED }],
  ['wait hold', { exemption: { hold: HOLD } }],
  ['skip exclude', { exemption: { exclude: EXCLUDE } }],
  ['wait notDue age', { judgement: NOT_DUE }],
  ['skip inDoubt', { past: [anOpenIntent('dev-1', { phase: 'inDoubt' })] }],
  ['skip quarantined retriesUsed', { past: [failedAgo([99, 75, 50])] }],
  ['wait busy maintenanceMode', { device: { maintenanceMode: true } }],
  ['wait offline', { device: { status: 'offline' } }],
];

describe('K20 the decision order', () => {
  test.each(BITES)('%s', (expected, given) => {
    expect(decided(given)).toBe(expected);
  });

  const judges = (given: Given | undefined) => given?.judgement !== undefined;
  const pairs = BITES.flatMap(([stronger, first], index) =>
    BITES.slice(index + 1)
      .filter(([, second]) => !(judges(first) && judges(second)))
      .filter(([weaker]) => !(stronger.startsWith('skip unsupported') && weaker === 'skip exclude'))
      .map(
        ([weaker, second]) =>
          [stronger, weaker, { ...second, ...first, ...both(first, second) }] as const,
      ),
  );

  test.each(pairs)('%s comes before %s', (stronger, _, given) => {
    expect(decided(given)).toBe(stronger);
  });

  test('nothing bites: it runs, with the why of its kind', () => {
    expect(decided({})).toBe('run act versionDiffers');
  });

  test('each step has its place once', () => {
    const codes = STEPS.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

function both(first: Given, second: Given): Given {
  return {
    exemption: { ...first.exemption, ...second.exemption },
    device: { ...first.device, ...second.device },
    past: [...(first.past ?? []), ...(second.past ?? [])],
  };
}

const restart = (daysAgo: number) =>
  anIntent('dev-1', {
    task: 'restartDevice',
    target: 'restart',
    attemptedAt: NOW - daysAgo * 1440 * MINUTE,
  });

const CASES: readonly [string, string, Given][] = [
  [
    'a value within its wish is a note',
    'note notDue age',
    { judgement: { ...NOT_DUE, within: true } },
  ],
  ['at the pinned version', 'note pinned', { judgement: CONVERGED, exemption: { pin: PIN } }],
  [
    'off the pinned version the list goes on',
    'run act versionDiffers',
    { exemption: { pin: PIN } },
  ],
  [
    'hold beats exclude and pin',
    'wait hold',
    { exemption: { hold: HOLD, exclude: EXCLUDE, pin: PIN } },
  ],
  [
    'what is excluded is not unsupported',
    'skip exclude',
    { judgement: UNSUPPORTED, exemption: { exclude: EXCLUDE } },
  ],
  [
    'what is held as well is',
    'skip unsupported noPath',
    { judgement: UNSUPPORTED, exemption: { exclude: EXCLUDE, hold: HOLD } },
  ],
  [
    'a blocked vendor',
    'skip blockedVendor',
    { policy: ONBOARDING, device: { vendor: 'Hikvision' } },
  ],
  [
    'a doubt about another task',
    'skip inDoubt',
    { past: [anOpenIntent('dev-1', { phase: 'inDoubt', task: 'rotatePassword' })] },
  ],
  [
    'a task of ours',
    'wait busy ours',
    { past: [anOpenIntent('dev-1', { task: 'rotatePassword' })] },
  ],
  [
    '29 minutes after a task',
    'wait busy gap',
    { past: [anIntent('dev-1', { task: 'rotatePassword', settledAt: NOW - 29 * MINUTE })] },
  ],
  [
    '30 minutes after a task',
    'run act versionDiffers',
    { past: [anIntent('dev-1', { task: 'rotatePassword', settledAt: NOW - 30 * MINUTE })] },
  ],
  ['partial may be acted on', 'run act versionDiffers', { device: { status: 'partial' } }],
  ['a word that nobody knows', 'wait unknown', { device: { status: 'dormant' } }],
  [
    'offline is what a restart is for',
    'run act versionDiffers',
    { policy: RESTART, device: { status: 'offline' } },
  ],
  [
    'but not where the policy does not name it',
    'wait offline',
    {
      policy: { ...RESTART, when: { ...RESTART.when, status: ['unknown'] } },
      device: { status: 'offline' },
    },
  ],
  [
    'restarted as often as allowed',
    'skip quarantined maxPerDevice',
    { policy: { ...RESTART, escalate: { after: 3 } }, past: [restart(2), restart(6)] },
  ],
  [
    'S2 back after the second restart in a week',
    'skip quarantined escalated',
    { policy: RESTART, past: [restart(2), restart(6)] },
  ],
  [
    'an older restart does not count',
    'run act versionDiffers',
    { policy: RESTART, past: [restart(2), restart(8)] },
  ],
];

test.each(CASES)('%s: %s', (_, expected, given) => {
  expect(decided(given)).toBe(expected);
});
