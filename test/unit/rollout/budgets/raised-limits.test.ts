import { expect, test } from 'vitest';
import type { BudgetLimit } from '../../../../src/model/documents/values.ts';
import type { Exception } from '../../../../src/model/documents/exception.ts';
import { TASK_TYPES } from '../../../../src/model/fleet/task.ts';
import type { Budget } from '../../../../src/model/documents/policy.ts';
import { openBudgetTracker } from '../../../../src/rollout/budgets/budgets.ts';
import {
  NOW,
  aDevice,
  aFirmwarePolicy,
  aMemory,
  aRotationPolicy,
  aSnapshot,
  entries,
  someDocuments,
} from '../../../support/plan-fleet.ts';

const SICK = { treatPartialAs: 'unavailable', treatUnknownAs: 'unavailable' } as const;
const WIDE: Budget = { per: 'site', maxUnavailable: { percent: 100 }, ...SICK };

interface Asked {
  readonly budget: Omit<Budget, 'treatPartialAs' | 'treatUnknownAs'>;
  readonly value: BudgetLimit;
  readonly name?: string;
  readonly until?: number;
  /** Rows from this on are not selected by the exception. */
  readonly selects?: number;
  readonly policy?: 'firmware' | 'passwords';
}

/** How many of ten cameras of one site may start at once. */
function admitted(asked: Asked): number {
  const { budget, value, name = 'small', until = NOW + 1, selects = 10 } = asked;
  const exception: Exception = {
    type: 'allow',
    allow: 'budget',
    budget: name,
    value,
    until,
    tasks: TASK_TYPES,
    select: { device: ['chosen'] },
    notice: 0,
    reason: 'r',
    owner: 'o',
    ticket: 't',
  };
  const devices = Array.from({ length: 10 }, (_, n) => aDevice(`cam-${n}`));
  const tracker = openBudgetTracker({
    documents: someDocuments({
      budgets: entries({ small: { ...budget, ...SICK }, 'default-site': WIDE }),
      exceptions: entries({ more: exception }),
    }),
    snapshot: aSnapshot(devices),
    memory: aMemory(),
    now: NOW,
    members: (selector) => (row) => selector.device?.[0] !== 'chosen' || row < selects,
  });
  const policy = asked.policy === 'passwords' ? aRotationPolicy('p') : aFirmwarePolicy('f');
  return devices.filter(
    ({ id }) =>
      tracker.take({
        task: policy.task,
        policy,
        deviceId: id,
        rollout: { maxInFlight: Infinity },
        disruptive: true,
      }) === undefined,
  ).length;
}

const ONE = { per: 'fleet', maxUnavailable: { count: 1 } } as const;

test.each<[string, Asked, number]>([
  ['a number', { budget: ONE, value: { count: 4 } }, 4],
  ['a percentage', { budget: ONE, value: { percent: 30 } }, 3],
  [
    'a limit written as 0',
    { budget: { ...ONE, maxUnavailable: { count: 0 } }, value: { count: 2 } },
    2,
  ],
  ['maxInFlight', { budget: { per: 'fleet', maxInFlight: 1 }, value: { count: 5 } }, 5],
  [
    'for rotations of devices in service',
    { budget: ONE, value: { count: 4 }, policy: 'passwords' },
    4,
  ],
])('N47 raises %s', (_, asked, count) => {
  expect(admitted(asked)).toBe(count);
});

test.each<[string, Asked, number]>([
  ['when it has ended', { budget: ONE, value: { count: 4 }, until: NOW }, 1],
  ['of another budget', { budget: ONE, value: { count: 4 }, name: 'default-fleet' }, 1],
  [
    'below what is written',
    { budget: { ...ONE, maxUnavailable: { count: 3 } }, value: { count: 2 } },
    3,
  ],
  [
    'maxInFlight by a percentage',
    { budget: { per: 'fleet', maxInFlight: 1 }, value: { percent: 50 } },
    1,
  ],
])('N47 changes nothing %s', (_, asked, count) => {
  expect(admitted(asked)).toBe(count);
});

test('N47 holds for the selected devices alone', () => {
  expect(admitted({ budget: ONE, value: { count: 9 }, selects: 3 })).toBe(3);
});
