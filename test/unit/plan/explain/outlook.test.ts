import { describe, expect, it } from 'vitest';
import type { Outlook } from '../../../../src/model/plan/outlook.ts';
import type { Documents, RotationPolicy } from '../../../../src/model/documents/policy.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import { outlooks } from '../../../../src/plan/explain/outlook.ts';
import { EXCLUDE, HOLD, ROTATION } from '../../../support/plan-decide.ts';
import {
  aDevice,
  aMemory,
  aSnapshot,
  entries,
  NOW,
  someDocuments,
} from '../../../support/plan-fleet.ts';
import { INPUTS } from '../../../support/plan-change.ts';

const DAY = 86_400_000;
const POLICY: RotationPolicy = {
  ...ROTATION,
  due: { is: 'maxAge', maxAge: 180 * DAY, headStart: 0, spread: 0 },
};

function look(
  changedAt: number | undefined,
  exceptions: Documents['exceptions'] = new Map(),
): Outlook | undefined {
  const expiresAt = NOW + 90 * DAY;
  const device = aDevice('dev-1', {
    passwordExpiresAt: expiresAt,
    ...(changedAt !== undefined && { passwordChangedAt: changedAt }),
  });
  const documents = someDocuments({ rotations: entries({ pw: POLICY }), exceptions });
  const [outlook] = outlooks({
    documents,
    snapshot: { ...aSnapshot([device]), facts: () => ({ passwords: { marker: 'm' } }) },
    memory: aMemory(),
    now: NOW,
    dialect: resolveDialect(),
    inputs: INPUTS,
    expiresAfter: DAY,
  });
  return outlook;
}

const held = { ...HOLD.value, until: NOW + 5 * DAY, tasks: ['rotatePassword'] as const };
const excluded = {
  ...EXCLUDE.value,
  type: 'exclude',
  until: NOW + 5 * DAY,
  tasks: ['rotatePassword'],
} as const;

describe('when a wish comes up', () => {
  it('is the day it falls due, with the end of what is in place', () => {
    expect(look(NOW - 100 * DAY)).toMatchObject({
      task: 'rotatePassword',
      device: { id: 'dev-1' },
      at: { policy: 'rotations.pw' },
      windows: ['anytime'],
      dueAt: NOW + 80 * DAY,
      expiresAt: NOW + 90 * DAY,
      exceptions: [],
    });
    expect(look(NOW - 100 * DAY)).not.toHaveProperty('since');
  });

  it('is its own day where what is overdue on adoption is spread', () => {
    const outlook = look(NOW - 200 * DAY);
    expect(outlook).toMatchObject({ since: NOW - 20 * DAY, breachesAt: NOW - 20 * DAY });
    expect(outlook?.dueAt).toBeGreaterThanOrEqual(NOW);
    expect(outlook?.dueAt).toBeLessThanOrEqual(NOW + 180 * DAY);
  });

  it('stands under a hold, and is no wish while an exception excludes it', () => {
    const due = { dueAt: NOW, exceptions: ['court'] };
    expect(look(NOW - 200 * DAY, entries({ court: held }))).toMatchObject(due);
    const out = look(NOW - 200 * DAY, entries({ bay: excluded }));
    expect(out).toMatchObject({ exceptions: ['bay'] });
    expect(out).not.toHaveProperty('dueAt');
  });
});
