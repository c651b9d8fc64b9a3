import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../src/kinds/index.ts';
import { firmware, rotation } from '../../support/desired-documents.ts';
import { able, caseOf } from '../../support/kinds-case.ts';
import { TASK_TYPES, TASKS } from '../../../src/model/fleet/task.ts';

const MINUTE = 60_000;

describe('the registry', () => {
  it('has every task type under its own name', () => {
    expect(Object.keys(KINDS)).toEqual([...TASK_TYPES]);
    for (const task of TASK_TYPES) expect(KINDS[task].task).toBe(task);
  });

  it.each([
    { task: 'restartDevice', minutes: 15, disruptive: true, settledByRead: false },
    { task: 'rotatePassword', minutes: 15, disruptive: true, settledByRead: false },
    { task: 'rotateSslCertificate', minutes: 15, disruptive: true, settledByRead: true },
    { task: 'onboardDevice', minutes: 15, disruptive: false, settledByRead: true },
    { task: 'upgradeFirmware', minutes: 30, disruptive: true, settledByRead: true },
  ] as const)('$task is verified within $minutes minutes', (expected) => {
    const { disruptive, settledByRead } = KINDS[expected.task];
    expect(TASKS[expected.task].verify / MINUTE).toBe(expected.minutes);
    expect({ disruptive, settledByRead }).toMatchObject({
      disruptive: expected.disruptive,
      settledByRead: expected.settledByRead,
    });
  });

  it.each([
    ['upgradeFirmware', 'medium', 'high'],
    ['rotatePassword', 'medium', 'high'],
    ['rotateSslCertificate', 'low', 'medium'],
    ['restartDevice', 'low', 'medium'],
    ['onboardDevice', 'low', 'medium'],
  ] as const)('%s is of risk %s on a camera and %s on a door', (task, camera, door) => {
    const { risk } = KINDS[task];
    expect(risk({ deviceType: 'camera' })).toBe(camera);
    expect(risk({})).toBe(camera);
    expect(risk({ deviceType: 'access control panel' })).toBe(door);
    expect(risk({ deviceType: 'Intercom' })).toBe(door);
  });
});

describe('a field that cannot be read stops only what needs it (semantics D9)', () => {
  const policies = {
    upgradeFirmware: firmware('a', { version: { is: 'approved' } }),
    rotatePassword: rotation('b', { task: 'rotatePassword' }),
  };
  const judge = (task: keyof typeof policies, field: string, approved: readonly string[]) => {
    const device = able({ firmwareVersion: '11.8.61', unreadable: [field] });
    const targetFirmware = approved.map((version) => ({ version, hops: [version] }));
    const judgement = KINDS[task].judge(
      caseOf(policies[task], { device, facts: { targetFirmware } }),
    );
    return judgement.is === 'unsupported' ? judgement.reason.params?.['field'] : judgement.is;
  };

  it.each([
    ['upgradeFirmware', 'supportEndsAt', ['11.11.73'], 'due'],
    ['upgradeFirmware', 'lifeCycle', ['11.11.73'], 'due'],
    ['upgradeFirmware', 'lifeCycle', [], 'lifeCycle'],
    ['upgradeFirmware', 'name', ['11.11.73'], 'due'],
    ['upgradeFirmware', 'firmwareVersion', ['11.11.73'], 'firmwareVersion'],
    ['upgradeFirmware', 'model', ['11.11.73'], 'model'],
    ['rotatePassword', 'firmwareVersion', [], 'notRead'],
    ['rotatePassword', 'lifeCycle', [], 'notRead'],
    ['rotatePassword', 'passwordChangedAt', [], 'passwordChangedAt'],
  ] as const)('%s with an unreadable %s and %j approved: %s', (task, field, approved, expected) => {
    expect(judge(task, field, approved)).toBe(expected);
  });

  it('judges nothing where it is unclear whether the policy selects the device (semantics M20)', () => {
    const device = able({ firmwareVersion: 'custom', unreadable: ['model'] });
    const unclear = { version: 'custom', other: '<5' };
    const theCase = caseOf(policies.rotatePassword, { device, unclear });
    expect(KINDS.rotatePassword.reads(theCase)).toEqual([]);
    expect(KINDS.rotatePassword.judge(theCase)).toMatchObject({
      is: 'unsupported',
      reason: { code: 'notComparable', why: 'selectorUnclear', params: unclear },
    });
  });
});
