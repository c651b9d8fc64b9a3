import { describe, expect, test } from 'vitest';
import type { Budget } from '../../../../src/model/documents/budget.ts';
import { aDevice, NOW } from '../../../support/plan-fleet.ts';
import { anAllow, ask, bookOf, sick, type BookCase } from '../../../support/rollout-book.ts';

const PER_SITE: Budget = { per: 'site', maxUnavailable: { percent: 10 }, ...sick() };
const APPROVED = { door: anAllow({ allow: 'singleton' }, { device: ['dev-1'] }) };

/** What happens to the only device of its site: `runs`, `wants approval` or `never`. */
function alone(deviceType: string, budget: Partial<Budget> = {}, more: Partial<BookCase> = {}) {
  const only = aDevice('dev-1', { deviceType });
  const { maxUnavailable: _, ...others } = PER_SITE;
  const written = budget.minAvailable === undefined ? PER_SITE : others;
  const budgets = { doors: { ...written, ...budget } };
  const refusal = ask(bookOf({ devices: [only], budgets, ...more }), 'dev-1');
  if (!refusal) return 'runs';
  return refusal.blocked === 'approval' ? 'wants approval' : (refusal.blocked ?? 'full');
}

describe('B5 B10 the only device of its set', () => {
  test.each([
    ['camera', {}, 'runs'],
    ['intercom', {}, 'wants approval'],
    ['access control panel', {}, 'wants approval'],
    ['access control panel', { singletons: 'allow' }, 'runs'],
    ['camera', { singletons: 'requireApproval' }, 'wants approval'],
    ['camera', { singletons: 'block' }, 'never'],
    ['camera', { minAvailable: 1 }, 'wants approval'],
    ['camera', { minAvailable: 1, singletons: 'allow' }, 'runs'],
    ['camera', { maxUnavailable: { count: 0 } }, 'never'],
    ['camera', { per: 'fleet' }, 'wants approval'],
  ] as const)('a %s under %j: %s', (deviceType, budget, outcome) => {
    expect(alone(deviceType, budget)).toBe(outcome);
  });

  test.each([
    ['camera', { minAvailable: 1 }, 'runs'],
    ['intercom', {}, 'runs'],
    ['intercom', { singletons: 'requireApproval', minAvailable: 1 }, 'runs'],
    ['intercom', { singletons: 'block' }, 'never'],
    ['intercom', { maxUnavailable: { count: 0 } }, 'never'],
    ['intercom', { maxUnavailable: { percent: 0 } }, 'never'],
  ] as const)('G5 with an approval, a %s under %j: %s', (deviceType, budget, outcome) => {
    expect(alone(deviceType, budget, { exceptions: APPROVED })).toBe(outcome);
  });

  const NO_APPROVAL = [
    ['for another device', { select: { device: ['dev-2'] } }],
    ['for another task', { tasks: ['rotatePassword'] }],
    ['that ended', { until: NOW }],
  ] as const;
  test.each(NO_APPROVAL)('an approval %s opens nothing', (_, fields) => {
    const door = { ...anAllow({ allow: 'singleton' }), ...fields };
    expect(alone('intercom', {}, { exceptions: { door } })).toBe('wants approval');
  });

  test.each([
    { allow: 'skipCanary' },
    { allow: 'gate', rollout: 'default', wave: 'early' },
    { allow: 'guardrail', guardrail: 'maxPercentOfFleet', value: 100 },
  ] as const)('G5 %j opens no set of one', (allowed) => {
    expect(alone('intercom', {}, { exceptions: { door: anAllow(allowed) } })).toBe(
      'wants approval',
    );
  });

  test('G5 an approval opens no set of two', () => {
    const devices = ['dev-1', 'dev-2'].map((id) => aDevice(id, { deviceType: 'intercom' }));
    const budgets = { doors: { per: 'site', minAvailable: 2, ...sick() } } as const;
    const exceptions = { door: anAllow({ allow: 'singleton' }) };
    const book = bookOf({ devices, budgets, exceptions });
    expect(ask(book, 'dev-1')?.blocked).toBe('never');
  });

  test('what counts our own actions alone asks nobody', () => {
    const fleet: Budget = { per: 'fleet', maxInFlight: 5, ...sick() };
    const devices = [aDevice('dev-1', { deviceType: 'intercom' })];
    expect(ask(bookOf({ devices, budgets: { fleet } }), 'dev-1')).toBeUndefined();
  });

  test('B7 one that is down already may be restarted without an approval', () => {
    const devices = [aDevice('dev-1', { deviceType: 'intercom', status: 'offline' })];
    const book = bookOf({ devices, budgets: { doors: PER_SITE } });
    expect(ask(book, 'dev-1', 'restartDevice')).toBeUndefined();
  });

  test('a group of one wants an approval as well', () => {
    const devices = [aDevice('dev-1', { deviceType: 'intercom' })];
    const door = { is: 'devices', devices: ['dev-1'], redundancy: true } as const;
    expect(ask(bookOf({ devices, groups: { door } }), 'dev-1')).toEqual({
      budget: 'groups.door',
      scope: 'redundancyGroup',
      blocked: 'approval',
    });
  });
});
