import { describe, expect, it } from 'vitest';
import { answersTo, blockingGlob, onboardDevice } from '../../../src/kinds/onboard-device.ts';
import type { DiscoveredDevice } from '../../../src/model/fleet/device.ts';
import { onboarding } from '../../support/desired-documents.ts';
import { attempted, brief, caseOf, DAY, intent, NOW, seen } from '../../support/kinds-case.ts';

const READY: DiscoveredDevice = {
  id: 'disc-1',
  serial: 'B8A4',
  name: 'lobby',
  vendor: 'Axis',
  onboardingStatus: 'readyToOnboard',
  discoveredAt: NOW - 1,
  site: { id: '7', name: 'HQ' },
};
const PLACE = { file: 'fleet/on.yaml', line: 1, column: 1 };
const POLICY = onboarding('hq', { devices: [{ id: 'disc-1', at: PLACE }] });

describe('onboarding', () => {
  it.each([
    ['readyToOnboard', 'due listed'],
    ['enrichmentRequired', 'unsupported enrichmentRequired'],
    ['archived', 'unsupported archived'],
    ['somethingNew', 'unsupported valueUnknown'],
  ])('of a device that is %s: %s', (onboardingStatus, expected) => {
    const discovered = { ...READY, onboardingStatus };
    expect(brief(onboardDevice.judge(caseOf(POLICY, { discovered })))).toBe(expected);
  });

  it('of a device that no entry names is matched', () => {
    const theCase = caseOf(onboarding('hq'), { discovered: READY });
    expect(brief(onboardDevice.judge(theCase))).toBe('due matched');
  });

  it('of a device that is managed already is converged', () => {
    expect(brief(onboardDevice.judge(caseOf(POLICY)))).toBe('converged alreadyConverged');
  });

  it.each([
    ['is listed since before it was onboarded', NOW - 3 * DAY, {}],
    ['is listed without a time', undefined, {}],
    ['has a time in the future', NOW + DAY, {}],
    ['is listed anew while its managed device is shown', NOW - 1, { stillManaged: true }],
  ] as const)('that was done is not due again if the device %s', (_, discoveredAt, fields) => {
    const { discoveredAt: _found, ...undated } = READY;
    const discovered = discoveredAt === undefined ? undated : { ...undated, discoveredAt };
    const past = [intent({ target: 'disc-1', settledAt: NOW - DAY, managedId: 'dev-9' })];
    const judged = onboardDevice.judge(caseOf(POLICY, { discovered, past, ...fields }));
    expect(brief(judged)).toBe('converged stillDiscovered');
    expect(judged).toMatchObject({ reason: { since: NOW - DAY } });
  });

  it.each([
    ['onboarding', 0, []],
    ['onboarding', 1, [intent({ target: 'disc-1', settledAt: NOW - DAY })]],
    ['retry', 0, [intent({ target: 'disc-1', verdict: 'failed' })]],
  ] as const)('is caused by %s in generation %s', (cause, generation, past) => {
    expect(onboardDevice.judge(caseOf(POLICY, { discovered: READY, past }))).toMatchObject({
      cause,
      generation,
      target: 'disc-1',
      since: NOW - 1,
      before: { managed: false },
      after: { managed: true },
    });
  });

  it('is shown, and a doubt settled, by a device that can be read by its id', () => {
    expect(onboardDevice.prove(attempted(), seen())).toMatchObject({
      is: 'shown',
      evidence: [{ field: 'id', value: 'dev-1' }],
    });
    expect(onboardDevice.settlesDoubt(attempted(), seen())).toHaveLength(1);
    const { device: _, ...gone } = seen();
    expect(onboardDevice.prove(attempted(), gone)).toEqual({ is: 'notYet', why: 'unreadable' });
    expect(onboardDevice.settlesDoubt(attempted(), gone)).toEqual([]);
  });
});

it.each([
  [{ id: 'disc-1' }, true],
  [{ serial: 'B8A4', site: 'HQ' }, true],
  [{ name: 'lobby', site: '7' }, true],
  [{ id: 'disc-1', serial: 'other' }, false],
  [{ id: 'disc-1', name: 'other' }, false],
  [{ name: 'lobby', site: 'Lager' }, false],
  [{ id: 'disc-2', name: 'lobby' }, false],
])('a device answers to %j: %s', (entry, expected) => {
  expect(answersTo({ ...entry, at: PLACE }, READY)).toBe(expected);
});

it('a blocked vendor is named by its glob, and no vendor is never blocked', () => {
  const policy = onboarding('hq', { blockVendors: ['Hikvision', 'Dahua*'] });
  expect(blockingGlob(policy, { vendor: 'Dahua Tech' })).toBe('Dahua*');
  expect(blockingGlob(policy, { vendor: 'Axis' })).toBeUndefined();
  expect(blockingGlob(policy, {})).toBeUndefined();
});
