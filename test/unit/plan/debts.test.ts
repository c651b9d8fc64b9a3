import { describe, expect, it } from 'vitest';
import type { Documents, RotationPolicy } from '../../../src/model/documents/policy.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import { plan } from '../../../src/plan/plan.ts';
import { DAY } from '../../../src/lib/time.ts';
import { EXCLUDE, HOLD, ROTATION } from '../../support/plan-decide.ts';
import {
  aDevice,
  aMemory,
  aSnapshot,
  entries,
  NOW,
  someDocuments,
} from '../../support/plan-fleet.ts';
import { INPUTS } from '../../support/plan-change.ts';

const POLICY: RotationPolicy = {
  ...ROTATION,
  due: { is: 'maxAge', maxAge: 180 * DAY, headStart: 0, spread: 0 },
};

/** The debts of a policy whose devices changed their passwords so many days ago. */
function debtOf(ages: readonly number[], exceptions: Documents['exceptions'] = new Map()) {
  const devices = ages.map((days, at) =>
    aDevice(`dev-${at + 1}`, { passwordChangedAt: NOW - days * DAY }),
  );
  return plan({
    documents: someDocuments({ rotations: entries({ pw: POLICY }), exceptions }),
    snapshot: { ...aSnapshot(devices), facts: () => ({ passwords: { marker: 'm' } }) },
    memory: aMemory(),
    now: NOW,
    dialect: resolveDialect(),
    inputs: INPUTS,
    expiresAfter: DAY,
  }).debts.get('rotations.pw');
}

describe('debt', () => {
  it('is what has been due since before now, with the oldest and when the first is too late', () => {
    expect(debtOf([200, 100, 210])).toEqual({
      devices: 2,
      oldest: NOW - 30 * DAY,
      oldestDevice: 'dev-3',
      breachesAt: NOW - 30 * DAY,
      breached: 2,
    });
  });

  it('is none where nothing is overdue, or only since now', () => {
    expect(debtOf([100, 180])).toBeUndefined();
  });

  it('grows under a hold, and not while an exception excludes the device', () => {
    const task = { until: NOW + 5 * DAY, tasks: ['rotatePassword'] as const };
    const held = { ...HOLD.value, ...task };
    expect(debtOf([200], entries({ court: held }))).toMatchObject({ devices: 1 });
    const excluded = { ...EXCLUDE.value, type: 'exclude', ...task } as const;
    expect(debtOf([200], entries({ bay: excluded }))).toBeUndefined();
  });
});
